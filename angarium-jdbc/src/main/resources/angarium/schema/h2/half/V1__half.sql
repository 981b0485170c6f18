-- Half messages. Names start with outbox; docs/schema.md says how to take others.

-- One row for each key, from its prepare, or from a decision that came before, until it is
-- forgotten: so every change of a key goes through one row. What is decided has no payload.
CREATE TABLE IF NOT EXISTS outbox_half (
  id            BIGINT        GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  half_id       UUID          NOT NULL UNIQUE,
  half_business VARCHAR(128)  NOT NULL,
  half_key      VARCHAR(255)  NOT NULL,
  state         VARCHAR(24)   NOT NULL,
  created_at    TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  decided_at    TIMESTAMP(6) WITH TIME ZONE,
  not_before    TIMESTAMP(6) WITH TIME ZONE,
  delay_millis  BIGINT,
  payload_bytes INTEGER,
  check_back    VARCHAR(1000),
  partition_no  SMALLINT,
  message_id    UUID,
  destination   VARCHAR(512),
  message_key   VARCHAR(512),
  message_type  VARCHAR(255),
  headers       VARCHAR(65536),
  business_type VARCHAR(128),
  business_key  VARCHAR(255),
  created_by    VARCHAR(128),
  payload       BINARY LARGE OBJECT,
  -- not by IN, which H2 cannot check any more when the session that wrote it has ended
  CHECK ((payload IS NULL) = (state <> 'prepared' AND state <> 'unresolved')),
  CHECK ((decided_at IS NOT NULL) = (state <> 'prepared' AND state <> 'unresolved'))
);

-- When the producers of half messages that stay prepared are asked for them; a row from the first
-- check on. One without a time waits for a person. The id is that of the half message.
CREATE TABLE IF NOT EXISTS outbox_half_check (
  id          BIGINT  PRIMARY KEY,
  next_at     TIMESTAMP(6) WITH TIME ZONE,
  checks      INTEGER NOT NULL,
  unreachable INTEGER NOT NULL,
  verdict     VARCHAR(24),
  last_error  VARCHAR(1000),
  checked_at  TIMESTAMP(6) WITH TIME ZONE,
  version     BIGINT  NOT NULL
);

CREATE INDEX IF NOT EXISTS outbox_half_check_next ON outbox_half_check (next_at, id);

-- What persons decided about half messages. Stays until you delete it.
CREATE TABLE IF NOT EXISTS outbox_half_audit (
  id            BIGINT        GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  half_id       UUID          NOT NULL,
  half_business VARCHAR(128)  NOT NULL,
  half_key      VARCHAR(255)  NOT NULL,
  acted_at      TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  acted_by      VARCHAR(128)  NOT NULL,
  step          VARCHAR(24)   NOT NULL,
  reason        VARCHAR(1000) NOT NULL,
  state_before  VARCHAR(24)   NOT NULL,
  state_after   VARCHAR(24)   NOT NULL
);

CREATE INDEX IF NOT EXISTS outbox_half_audit_key ON outbox_half_audit (half_id);

-- One row names a topic, whose records are half messages: all of them, or only those that are
-- marked. Rows are written by persons, or through the server; nobody else changes them.
CREATE TABLE IF NOT EXISTS outbox_intake_topic (
  topic         VARCHAR(249) PRIMARY KEY,
  only_marked   BOOLEAN      DEFAULT FALSE NOT NULL,
  enabled       BOOLEAN      DEFAULT TRUE NOT NULL,
  registered_by VARCHAR(128),
  created_at    TIMESTAMP(6) WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP(6) NOT NULL
);

-- One row for each half message that waits for a person, until a node has noted that it told one.
-- When the row is due, another node tells them. The id is that of the half message.
CREATE TABLE IF NOT EXISTS outbox_half_alert (
  id     BIGINT PRIMARY KEY,
  due_at TIMESTAMP(6) WITH TIME ZONE NOT NULL
);

INSERT INTO outbox_feature (feature, version, works_from)
SELECT 'HALF', 1, 1 WHERE NOT EXISTS (SELECT 1 FROM outbox_feature WHERE feature = 'HALF');
