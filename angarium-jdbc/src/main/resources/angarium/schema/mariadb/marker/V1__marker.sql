-- Markers of local transactions, for half messages. Names start with outbox; docs/schema.md says
-- how to take others. All times are UTC, whatever the time zone of the session; texts compare byte
-- by byte.

-- A transaction writes its row as "committed" first of all; whoever asks for it writes "rolled
-- back". The one that comes first wins. To be kept longer than anybody may ask.
CREATE TABLE IF NOT EXISTS outbox_marker (
  marker_type VARCHAR(128) NOT NULL,
  marker_key  VARCHAR(255) NOT NULL,
  outcome     VARCHAR(16)  NOT NULL,
  created_at  DATETIME(6)  NOT NULL,
  PRIMARY KEY (marker_type, marker_key),
  KEY by_time (created_at),
  CHECK (outcome IN ('committed', 'rolled back'))
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin
  STATS_PERSISTENT=1 STATS_AUTO_RECALC=0;

INSERT IGNORE INTO outbox_feature (feature, version, works_from) VALUES ('MARKER', 1, 1);
