-- What relay nodes tell of themselves. Names start with outbox; docs/schema.md says how to take
-- others. All times are UTC, whatever the time zone of the session; texts compare byte by
-- byte.

-- What each node does: one row for each of its starts, written again every few seconds. status is
-- JSON; told_at is by the clock of the database.
CREATE TABLE IF NOT EXISTS outbox_status (
  incarnation BINARY(16)    NOT NULL,
  node        VARCHAR(255)  NOT NULL,
  told_at     DATETIME(6)   NOT NULL,
  status      VARCHAR(4096) NOT NULL,
  PRIMARY KEY (incarnation)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin
  STATS_PERSISTENT=1 STATS_AUTO_RECALC=0;

-- What became of the messages of a destination on a node within a minute, numbered from 1970 UTC.
-- delay_0 counts messages that took up to 1 ms from their creation, delay_1 up to 2 ms, delay_2 up
-- to 4 ms and so on, delay_19 all others; sent is their sum. An empty destination stands for all
-- beyond those that a node names.
CREATE TABLE IF NOT EXISTS outbox_minute (
  minute_no   BIGINT       NOT NULL,
  incarnation BINARY(16)   NOT NULL,
  destination VARCHAR(512) NOT NULL,
  sent        BIGINT       NOT NULL,
  failed      BIGINT       NOT NULL,
  refused     BIGINT       NOT NULL,
  unavailable BIGINT       NOT NULL,
  dead        BIGINT       NOT NULL,
  delay_0     BIGINT       NOT NULL,
  delay_1     BIGINT       NOT NULL,
  delay_2     BIGINT       NOT NULL,
  delay_3     BIGINT       NOT NULL,
  delay_4     BIGINT       NOT NULL,
  delay_5     BIGINT       NOT NULL,
  delay_6     BIGINT       NOT NULL,
  delay_7     BIGINT       NOT NULL,
  delay_8     BIGINT       NOT NULL,
  delay_9     BIGINT       NOT NULL,
  delay_10    BIGINT       NOT NULL,
  delay_11    BIGINT       NOT NULL,
  delay_12    BIGINT       NOT NULL,
  delay_13    BIGINT       NOT NULL,
  delay_14    BIGINT       NOT NULL,
  delay_15    BIGINT       NOT NULL,
  delay_16    BIGINT       NOT NULL,
  delay_17    BIGINT       NOT NULL,
  delay_18    BIGINT       NOT NULL,
  delay_19    BIGINT       NOT NULL,
  PRIMARY KEY (minute_no, incarnation, destination)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin
  STATS_PERSISTENT=1 STATS_AUTO_RECALC=0;

INSERT IGNORE INTO outbox_feature (feature, version, works_from) VALUES ('BOARD', 1, 1);
