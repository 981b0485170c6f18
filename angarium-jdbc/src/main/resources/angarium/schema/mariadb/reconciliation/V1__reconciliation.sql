-- Tasks that one of several nodes runs at a time. Names start with outbox; docs/schema.md says how
-- to take others. All times are UTC, whatever the time zone of the session; texts compare byte by
-- byte.

-- Whose turn it is, and how far the task is done, in milliseconds since 1970.
CREATE TABLE IF NOT EXISTS outbox_task (
  task         VARCHAR(100) NOT NULL,
  token        BIGINT       NOT NULL,
  leased_until DATETIME(6)  NOT NULL,
  done_until   BIGINT,
  PRIMARY KEY (task)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin
  STATS_PERSISTENT=1 STATS_AUTO_RECALC=0;

INSERT IGNORE INTO outbox_feature (feature, version, works_from) VALUES ('RECONCILIATION', 1, 1);
