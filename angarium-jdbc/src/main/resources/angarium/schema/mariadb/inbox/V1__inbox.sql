-- The inbox of Angarium on MariaDB 10.6 or newer. Names start with inbox; docs/schema.md says how
-- to take others. All times are UTC.

-- A row means: this consumer has processed this message. The consumer is the first 64 bits of the
-- SHA-256 of its name. New rows go here.
CREATE TABLE IF NOT EXISTS inbox (
  consumer   BIGINT     NOT NULL,
  message_id BINARY(16) NOT NULL,
  PRIMARY KEY (consumer, message_id)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC STATS_PERSISTENT=1 STATS_AUTO_RECALC=0;

-- The rows before those. After each period this table is emptied, and the two change names.
CREATE TABLE IF NOT EXISTS inbox_previous (
  consumer   BIGINT     NOT NULL,
  message_id BINARY(16) NOT NULL,
  PRIMARY KEY (consumer, message_id)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC STATS_PERSISTENT=1 STATS_AUTO_RECALC=0;

-- One row: the version of the tables as Angarium 0.1 counts it, and when they last changed names.
CREATE TABLE IF NOT EXISTS inbox_schema (
  one        BOOLEAN     NOT NULL DEFAULT TRUE CHECK (one = TRUE),
  version    INTEGER     NOT NULL,
  rotated_at DATETIME(6) NOT NULL,
  PRIMARY KEY (one)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC;

INSERT IGNORE INTO inbox_schema (version, rotated_at) VALUES (1, UTC_TIMESTAMP(6));
