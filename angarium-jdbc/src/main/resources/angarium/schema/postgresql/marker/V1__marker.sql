-- Markers of local transactions, for half messages. Names start with outbox; docs/schema.md says
-- how to take others.

-- A transaction writes its row as "committed" first of all; whoever asks for it writes "rolled
-- back". The one that comes first wins. To be kept longer than anybody may ask.
CREATE TABLE IF NOT EXISTS outbox_marker (
  marker_type text        NOT NULL,
  marker_key  text        NOT NULL,
  outcome     text        NOT NULL CHECK (outcome IN ('committed', 'rolled back')),
  created_at  timestamptz NOT NULL DEFAULT statement_timestamp(),
  PRIMARY KEY (marker_type, marker_key)
);

CREATE INDEX IF NOT EXISTS outbox_marker_time ON outbox_marker (created_at);

INSERT INTO outbox_feature (feature, version, works_from) VALUES ('MARKER', 1, 1) ON CONFLICT DO NOTHING;
