-- Half messages. Names start with outbox; docs/schema.md says how to take others. All times are
-- UTC, whatever the time zone of the session; texts compare byte by byte.

-- One row for each key, from its prepare, or from a decision that came before, until it is
-- forgotten: so every change of a key goes through one row. What is decided has no payload.
CREATE TABLE IF NOT EXISTS outbox_half (
  id            BIGINT        NOT NULL AUTO_INCREMENT,
  half_id       BINARY(16)    NOT NULL,
  half_business VARCHAR(128)  NOT NULL,
  half_key      VARCHAR(255)  NOT NULL,
  state         VARCHAR(24)   NOT NULL,
  created_at    DATETIME(6)   NOT NULL,
  decided_at    DATETIME(6),
  not_before    DATETIME(6),
  delay_millis  BIGINT,
  payload_bytes INTEGER,
  check_back    VARCHAR(1000),
  partition_no  SMALLINT,
  message_id    BINARY(16),
  destination   VARCHAR(512),
  message_key   VARCHAR(512),
  message_type  VARCHAR(255),
  headers       MEDIUMTEXT,
  business_type VARCHAR(128),
  business_key  VARCHAR(255),
  created_by    VARCHAR(128),
  payload       LONGBLOB,
  PRIMARY KEY (id),
  UNIQUE KEY by_key (half_id),
  CHECK (state IN ('prepared', 'unresolved', 'commit remembered', 'rollback remembered',
    'committed', 'rolled back')),
  CHECK ((payload IS NOT NULL) = (state IN ('prepared', 'unresolved'))),
  CHECK ((decided_at IS NULL) = (state IN ('prepared', 'unresolved')))
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin
  STATS_PERSISTENT=1 STATS_AUTO_RECALC=0;

-- When the producers of half messages that stay prepared are asked for them; a row from the first
-- check on. One without a time waits for a person. The id is that of the half message.
CREATE TABLE IF NOT EXISTS outbox_half_check (
  id          BIGINT      NOT NULL,
  next_at     DATETIME(6),
  checks      INTEGER     NOT NULL,
  unreachable INTEGER     NOT NULL,
  verdict     VARCHAR(24),
  last_error  VARCHAR(1000),
  checked_at  DATETIME(6),
  version     BIGINT      NOT NULL,
  PRIMARY KEY (id),
  KEY by_next (next_at, id)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin
  STATS_PERSISTENT=1 STATS_AUTO_RECALC=0;

-- What persons decided about half messages. Stays until you delete it.
CREATE TABLE IF NOT EXISTS outbox_half_audit (
  id            BIGINT        NOT NULL AUTO_INCREMENT,
  half_id       BINARY(16)    NOT NULL,
  half_business VARCHAR(128)  NOT NULL,
  half_key      VARCHAR(255)  NOT NULL,
  acted_at      DATETIME(6)   NOT NULL,
  acted_by      VARCHAR(128)  NOT NULL,
  step          VARCHAR(24)   NOT NULL,
  reason        VARCHAR(1000) NOT NULL,
  state_before  VARCHAR(24)   NOT NULL,
  state_after   VARCHAR(24)   NOT NULL,
  PRIMARY KEY (id),
  KEY by_key (half_id)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin
  STATS_PERSISTENT=1 STATS_AUTO_RECALC=0;

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

-- One row for each half message that waits for a person, until a node has noted that it told one.
-- When the row is due, another node tells them. The id is that of the half message.
CREATE TABLE IF NOT EXISTS outbox_half_alert (
  id     BIGINT      NOT NULL,
  due_at DATETIME(6) NOT NULL,
  PRIMARY KEY (id)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin
  STATS_PERSISTENT=1 STATS_AUTO_RECALC=0;

INSERT IGNORE INTO outbox_feature (feature, version, works_from) VALUES ('HALF', 1, 1);
