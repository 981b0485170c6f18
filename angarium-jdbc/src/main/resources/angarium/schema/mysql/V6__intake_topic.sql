-- The registry of Kafka topics that half messages are taken from. Names start with outbox; a
-- different prefix is put in their place by "schema: create", or by hand in a copy of this file. All
-- times are UTC, whatever the time zone of the session; texts compare byte by byte.

-- One row names a topic, whose records are half messages: all of them, or only those that are
-- marked. Rows are written by persons, or through the server; nobody else changes them.
CREATE TABLE IF NOT EXISTS outbox_intake_topic (
  topic         VARCHAR(249) NOT NULL,
  only_marked   BOOLEAN      NOT NULL DEFAULT FALSE,
  enabled       BOOLEAN      NOT NULL DEFAULT TRUE,
  registered_by VARCHAR(128),
  created_at    DATETIME(6)  NOT NULL DEFAULT (UTC_TIMESTAMP(6)),
  PRIMARY KEY (topic)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin
  STATS_PERSISTENT=1 STATS_AUTO_RECALC=0;

UPDATE outbox_schema SET version = 6 WHERE version = 5;
