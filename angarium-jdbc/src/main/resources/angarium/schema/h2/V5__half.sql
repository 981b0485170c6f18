-- Half messages. Names start with outbox; a different prefix is put in their place by "schema:
-- create", or by hand in a copy of this file.

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
  payload       BLOB,
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

UPDATE outbox_schema SET version = 5 WHERE version = 4;
