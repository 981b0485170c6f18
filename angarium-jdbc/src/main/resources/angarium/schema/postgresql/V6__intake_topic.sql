-- The registry of Kafka topics that half messages are taken from. Names start with outbox; a
-- different prefix is put in their place by "schema: create", or by hand in a copy of this file.

-- One row names a topic, whose records are half messages: all of them, or only those that are
-- marked. Rows are written by persons, or through the server; nobody else changes them.
CREATE TABLE IF NOT EXISTS outbox_intake_topic (
  topic         text        PRIMARY KEY,
  only_marked   boolean     NOT NULL DEFAULT FALSE,
  enabled       boolean     NOT NULL DEFAULT TRUE,
  registered_by text,
  created_at    timestamptz NOT NULL DEFAULT statement_timestamp()
);

UPDATE outbox_schema SET version = 6 WHERE version = 5;
