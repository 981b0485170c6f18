-- The registry of Kafka topics that half messages are taken from. Names start with outbox; a
-- different prefix is put in their place by "schema: create", or by hand in a copy of this file.

-- One row names a topic, whose records are half messages: all of them, or only those that are
-- marked. Rows are written by persons, or through the server; nobody else changes them.
CREATE TABLE IF NOT EXISTS outbox_intake_topic (
  topic         VARCHAR(249) PRIMARY KEY,
  only_marked   BOOLEAN      DEFAULT FALSE NOT NULL,
  enabled       BOOLEAN      DEFAULT TRUE NOT NULL,
  registered_by VARCHAR(128),
  created_at    TIMESTAMP(6) WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP(6) NOT NULL
);

UPDATE outbox_schema SET version = 6 WHERE version = 5;
