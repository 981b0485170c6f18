-- The inbox of Angarium on H2 2.4.240 or newer. Names start with inbox; a different prefix is put in
-- their place by "schema: create", or by hand in a copy of this file.

-- A row means: this consumer has processed this message. The consumer is the first 64 bits of the
-- SHA-256 of its name. Old rows are deleted: H2 cannot change the names of two tables at once.
CREATE TABLE IF NOT EXISTS inbox (
  consumer     BIGINT NOT NULL,
  message_id   UUID   NOT NULL,
  processed_at TIMESTAMP(6) WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP(6) NOT NULL,
  PRIMARY KEY (consumer, message_id)
);

CREATE INDEX IF NOT EXISTS inbox_time ON inbox (processed_at);

-- One row: the version of these tables.
CREATE TABLE IF NOT EXISTS inbox_schema (
  one     BOOLEAN DEFAULT TRUE NOT NULL PRIMARY KEY CHECK (one),
  version INTEGER NOT NULL
);

MERGE INTO inbox_schema (one, version) VALUES (TRUE, 1);
