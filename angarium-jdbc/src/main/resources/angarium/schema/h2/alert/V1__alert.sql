-- Alerts, and what channels were told of them. Names start with outbox; docs/schema.md says how to
-- take others.

-- What rules have found: one row for each rule and subject. episode counts how often it was on;
-- absent_since is set while it is not found any more and not yet over.
CREATE TABLE IF NOT EXISTS outbox_alert (
  rule         VARCHAR(64)                 NOT NULL,
  subject      VARCHAR(300)                NOT NULL,
  state        VARCHAR(24)                 NOT NULL,
  severity     VARCHAR(24)                 NOT NULL,
  alert_value  DOUBLE PRECISION            NOT NULL,
  alert_text   VARCHAR(1000)               NOT NULL,
  episode      BIGINT                      NOT NULL,
  since        TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  absent_since TIMESTAMP(6) WITH TIME ZONE,
  resolved_at  TIMESTAMP(6) WITH TIME ZONE,
  taken_by     VARCHAR(128),
  taken_at     TIMESTAMP(6) WITH TIME ZONE,
  note         VARCHAR(1000),
  PRIMARY KEY (rule, subject),
  CHECK ((state = 'pending') = (state <> 'firing' AND state <> 'resolved')),
  CHECK ((severity = 'info') = (severity <> 'warning' AND severity <> 'critical'))
);

-- What each channel was told of an alert last, or why it could not be.
CREATE TABLE IF NOT EXISTS outbox_alert_notice (
  rule     VARCHAR(64)                 NOT NULL,
  subject  VARCHAR(300)                NOT NULL,
  channel  VARCHAR(64)                 NOT NULL,
  what     VARCHAR(24)                 NOT NULL,
  episode  BIGINT                      NOT NULL,
  severity VARCHAR(24)                 NOT NULL,
  told_at  TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  failure  VARCHAR(300),
  PRIMARY KEY (rule, subject, channel)
);

-- Times in which nobody is told of some alerts. A star stands for any characters.
CREATE TABLE IF NOT EXISTS outbox_silence (
  id         BIGINT                      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  rule       VARCHAR(64)                 NOT NULL,
  subject    VARCHAR(300)                NOT NULL,
  from_at    TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  until_at   TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  created_by VARCHAR(128)                NOT NULL,
  reason     VARCHAR(1000)               NOT NULL
);

CREATE INDEX IF NOT EXISTS outbox_silence_end ON outbox_silence (until_at);

-- Which node looks for alerts now.
CREATE TABLE IF NOT EXISTS outbox_alert_turn (
  one          BOOLEAN                     NOT NULL,
  token        BIGINT                      NOT NULL,
  node         VARCHAR(255)                NOT NULL,
  leased_until TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  PRIMARY KEY (one),
  CHECK (one = TRUE)
);

INSERT INTO outbox_alert_turn (one, token, node, leased_until)
SELECT TRUE, 0, '', CURRENT_TIMESTAMP(6) WHERE NOT EXISTS (SELECT 1 FROM outbox_alert_turn);

INSERT INTO outbox_feature (feature, version, works_from)
SELECT 'ALERT', 1, 1 WHERE NOT EXISTS (SELECT 1 FROM outbox_feature WHERE feature = 'ALERT');
