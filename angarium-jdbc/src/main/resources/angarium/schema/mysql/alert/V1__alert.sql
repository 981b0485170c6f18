-- Alerts, and what channels were told of them. Names start with outbox; docs/schema.md says how to
-- take others. All times are UTC, whatever the time zone of the session; texts compare byte by byte.

-- What rules have found: one row for each rule and subject. episode counts how often it was on;
-- absent_since is set while it is not found any more and not yet over.
CREATE TABLE IF NOT EXISTS outbox_alert (
  rule         VARCHAR(64)   NOT NULL,
  subject      VARCHAR(300)  NOT NULL,
  state        VARCHAR(24)   NOT NULL,
  severity     VARCHAR(24)   NOT NULL,
  alert_value  DOUBLE        NOT NULL,
  alert_text   VARCHAR(1000) NOT NULL,
  episode      BIGINT        NOT NULL,
  since        DATETIME(6)   NOT NULL,
  absent_since DATETIME(6),
  resolved_at  DATETIME(6),
  taken_by     VARCHAR(128),
  taken_at     DATETIME(6),
  note         VARCHAR(1000),
  PRIMARY KEY (rule, subject),
  CHECK (state IN ('pending', 'firing', 'resolved')),
  CHECK (severity IN ('info', 'warning', 'critical'))
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin
  STATS_PERSISTENT=1 STATS_AUTO_RECALC=0;

-- What each channel was told of an alert last, or why it could not be.
CREATE TABLE IF NOT EXISTS outbox_alert_notice (
  rule     VARCHAR(64)  NOT NULL,
  subject  VARCHAR(300) NOT NULL,
  channel  VARCHAR(64)  NOT NULL,
  what     VARCHAR(24)  NOT NULL,
  episode  BIGINT       NOT NULL,
  severity VARCHAR(24)  NOT NULL,
  told_at  DATETIME(6)  NOT NULL,
  failure  VARCHAR(300),
  PRIMARY KEY (rule, subject, channel)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin
  STATS_PERSISTENT=1 STATS_AUTO_RECALC=0;

-- Times in which nobody is told of some alerts. A star stands for any characters.
CREATE TABLE IF NOT EXISTS outbox_silence (
  id         BIGINT        NOT NULL AUTO_INCREMENT,
  rule       VARCHAR(64)   NOT NULL,
  subject    VARCHAR(300)  NOT NULL,
  from_at    DATETIME(6)   NOT NULL,
  until_at   DATETIME(6)   NOT NULL,
  created_by VARCHAR(128)  NOT NULL,
  reason     VARCHAR(1000) NOT NULL,
  PRIMARY KEY (id),
  KEY by_end (until_at)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin
  STATS_PERSISTENT=1 STATS_AUTO_RECALC=0;

-- Which node looks for alerts now.
CREATE TABLE IF NOT EXISTS outbox_alert_turn (
  one          BOOLEAN      NOT NULL,
  token        BIGINT       NOT NULL,
  node         VARCHAR(255) NOT NULL,
  leased_until DATETIME(6)  NOT NULL,
  PRIMARY KEY (one),
  CHECK (one = TRUE)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin
  STATS_PERSISTENT=1 STATS_AUTO_RECALC=0;

INSERT IGNORE INTO outbox_alert_turn (one, token, node, leased_until) VALUES (TRUE, 0, '', UTC_TIMESTAMP(6));

INSERT IGNORE INTO outbox_feature (feature, version, works_from) VALUES ('ALERT', 1, 1);
