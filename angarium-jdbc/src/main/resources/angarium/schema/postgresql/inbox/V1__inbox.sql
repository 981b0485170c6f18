-- The inbox of Angarium on PostgreSQL 13 or newer. Names start with inbox; docs/schema.md says how
-- to take others.

-- A row means: this consumer has processed this message. The consumer is the first 64 bits of the
-- SHA-256 of its name. New rows go here.
CREATE TABLE IF NOT EXISTS inbox (
  consumer   int8 NOT NULL,
  message_id uuid NOT NULL,
  PRIMARY KEY (consumer, message_id)
);

-- The rows before those. After each period this table is emptied, and the two change names.
CREATE TABLE IF NOT EXISTS inbox_previous (
  consumer   int8 NOT NULL,
  message_id uuid NOT NULL,
  PRIMARY KEY (consumer, message_id)
);

-- One row: the version of the tables as Angarium 0.1 counts it, and when they last changed names.
CREATE TABLE IF NOT EXISTS inbox_schema (
  one        boolean     NOT NULL DEFAULT true PRIMARY KEY CHECK (one),
  version    int4        NOT NULL,
  rotated_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

INSERT INTO inbox_schema (version) VALUES (1) ON CONFLICT DO NOTHING;
