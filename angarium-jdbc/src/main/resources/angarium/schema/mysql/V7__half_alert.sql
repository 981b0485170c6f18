-- The alerts of half messages that were given up. Names start with outbox; a different prefix is put
-- in their place by "schema: create", or by hand in a copy of this file. All times are UTC, whatever
-- the time zone of the session.

-- One row for each half message that waits for a person and of which nobody noted yet that persons
-- were told; when it is due, another node tells them. The id is that of the half message.
CREATE TABLE IF NOT EXISTS outbox_half_alert (
  id     BIGINT      NOT NULL,
  due_at DATETIME(6) NOT NULL,
  PRIMARY KEY (id)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin
  STATS_PERSISTENT=1 STATS_AUTO_RECALC=0;

UPDATE outbox_schema SET version = 7 WHERE version = 6;
