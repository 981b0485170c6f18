-- Markers of local transactions, for half messages. Names start with outbox; docs/schema.md says
-- how to take others.

-- A transaction writes its row as "committed" first of all; whoever asks for it writes "rolled
-- back". The one that comes first wins. To be kept longer than anybody may ask.
CREATE TABLE IF NOT EXISTS outbox_marker (
  marker_type VARCHAR(128) NOT NULL,
  marker_key  VARCHAR(255) NOT NULL,
  outcome     VARCHAR(16)  NOT NULL,
  created_at  TIMESTAMP(6) WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP(6) NOT NULL,
  PRIMARY KEY (marker_type, marker_key),
  -- not by IN, which H2 cannot check any more when the session that wrote it has ended
  CHECK ((outcome = 'committed') = (outcome <> 'rolled back'))
);

CREATE INDEX IF NOT EXISTS outbox_marker_time ON outbox_marker (created_at);

INSERT INTO outbox_feature (feature, version, works_from)
SELECT 'MARKER', 1, 1 WHERE NOT EXISTS (SELECT 1 FROM outbox_feature WHERE feature = 'MARKER');
