-- Alerts, and what channels were told of them. Names start with outbox; docs/schema.md says how to
-- take others.

-- What rules have found: one row for each rule and subject. episode counts how often it was on;
-- absent_since is set while it is not found any more and not yet over.
CREATE TABLE IF NOT EXISTS outbox_alert (
  rule         text             NOT NULL,
  subject      text             NOT NULL,
  state        text             NOT NULL,
  severity     text             NOT NULL,
  alert_value  double precision NOT NULL,
  alert_text   text             NOT NULL,
  episode      bigint           NOT NULL,
  since        timestamptz      NOT NULL,
  absent_since timestamptz,
  resolved_at  timestamptz,
  taken_by     text,
  taken_at     timestamptz,
  note         text,
  PRIMARY KEY (rule, subject),
  CHECK (state IN ('pending', 'firing', 'resolved')),
  CHECK (severity IN ('info', 'warning', 'critical'))
);

-- What each channel was told of an alert last, or why it could not be.
CREATE TABLE IF NOT EXISTS outbox_alert_notice (
  rule     text        NOT NULL,
  subject  text        NOT NULL,
  channel  text        NOT NULL,
  what     text        NOT NULL,
  episode  bigint      NOT NULL,
  severity text        NOT NULL,
  told_at  timestamptz NOT NULL,
  failure  text,
  PRIMARY KEY (rule, subject, channel)
);

-- Times in which nobody is told of some alerts. A star stands for any characters.
CREATE TABLE IF NOT EXISTS outbox_silence (
  id         bigint      GENERATED ALWAYS AS IDENTITY (CACHE 1) PRIMARY KEY,
  rule       text        NOT NULL,
  subject    text        NOT NULL,
  from_at    timestamptz NOT NULL,
  until_at   timestamptz NOT NULL,
  created_by text        NOT NULL,
  reason     text        NOT NULL
);

CREATE INDEX IF NOT EXISTS outbox_silence_end ON outbox_silence (until_at);

-- Which node looks for alerts now.
CREATE TABLE IF NOT EXISTS outbox_alert_turn (
  one          boolean     NOT NULL,
  token        bigint      NOT NULL,
  node         text        NOT NULL,
  leased_until timestamptz NOT NULL,
  PRIMARY KEY (one),
  CHECK (one = TRUE)
);

INSERT INTO outbox_alert_turn (one, token, node, leased_until) VALUES (TRUE, 0, '', statement_timestamp()) ON CONFLICT DO NOTHING;

INSERT INTO outbox_feature (feature, version, works_from) VALUES ('ALERT', 1, 1) ON CONFLICT DO NOTHING;
