-- Reports of reconciliations. Names start with outbox; docs/schema.md says how to take others. All times
-- are UTC, whatever the time zone of the session; texts compare byte by byte.

-- What each comparison has found: one row for each task and window. Times of windows are milliseconds
-- since 1970. The keys are one in each line, with a sign for what is the matter with it.
CREATE TABLE IF NOT EXISTS outbox_report (
  id            BIGINT       NOT NULL AUTO_INCREMENT,
  task          VARCHAR(100) NOT NULL,
  destination   VARCHAR(512),
  from_millis   BIGINT       NOT NULL,
  to_millis     BIGINT       NOT NULL,
  compared_at   DATETIME(6)  NOT NULL,
  produced      BIGINT       NOT NULL,
  consumed      BIGINT       NOT NULL,
  missing       INTEGER      NOT NULL,
  unexpected    INTEGER      NOT NULL,
  repeated      INTEGER      NOT NULL,
  agrees        BOOLEAN      NOT NULL,
  keys_complete BOOLEAN      NOT NULL,
  report_keys   LONGTEXT,
  repaired_at   DATETIME(6),
  repaired_by   VARCHAR(128),
  repair_reason VARCHAR(1000),
  sent_again    INTEGER,
  PRIMARY KEY (id),
  UNIQUE KEY by_window (task, from_millis, to_millis),
  KEY by_task (task, id),
  KEY by_time (agrees, compared_at),
  CHECK (from_millis < to_millis)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin
  STATS_PERSISTENT=1 STATS_AUTO_RECALC=0;

INSERT IGNORE INTO outbox_feature (feature, version, works_from) VALUES ('REPORT', 1, 1);
