-- The inbox of Angarium on H2 2.4.240 or newer. Names start with inbox; docs/schema.md says how to
-- take others.

-- A row means: this consumer has processed this message. The consumer is the first 64 bits of the
-- SHA-256 of its name. Old rows are deleted: H2 cannot change the names of two tables at once.
CREATE TABLE IF NOT EXISTS inbox (
  consumer     BIGINT NOT NULL,
  message_id   UUID   NOT NULL,
  processed_at TIMESTAMP(6) WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP(6) NOT NULL,
  PRIMARY KEY (consumer, message_id)
);

CREATE INDEX IF NOT EXISTS inbox_time ON inbox (processed_at);

-- One row: the version of the tables as Angarium 0.1 counts it.
CREATE TABLE IF NOT EXISTS inbox_schema (
  one     BOOLEAN DEFAULT TRUE NOT NULL PRIMARY KEY CHECK (one),
  version INTEGER NOT NULL
);

MERGE INTO inbox_schema (one, version) VALUES (TRUE, 1);
