-- Half messages. Names start with outbox; docs/schema.md says how to take others.

-- One row for each key, from its prepare, or from a decision that came before, until it is
-- forgotten: so every change of a key goes through one row. What is decided has no payload.
CREATE TABLE IF NOT EXISTS outbox_half (
  id            bigint      GENERATED ALWAYS AS IDENTITY (CACHE 1) PRIMARY KEY,
  half_id       uuid        NOT NULL UNIQUE,
  half_business text        NOT NULL,
  half_key      text        NOT NULL,
  state         text        NOT NULL,
  created_at    timestamptz NOT NULL,
  decided_at    timestamptz,
  not_before    timestamptz,
  delay_millis  bigint,
  payload_bytes integer,
  check_back    text,
  partition_no  smallint,
  message_id    uuid,
  destination   text,
  message_key   text,
  message_type  text,
  headers       text,
  business_type text,
  business_key  text,
  created_by    text,
  payload       bytea,
  CHECK (state IN ('prepared', 'unresolved', 'commit remembered', 'rollback remembered',
    'committed', 'rolled back')),
  CHECK ((payload IS NOT NULL) = (state IN ('prepared', 'unresolved'))),
  CHECK ((decided_at IS NULL) = (state IN ('prepared', 'unresolved')))
) WITH (
  toast_tuple_target = 8160,
  -- room for the row without its payload
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 10000,
  autovacuum_vacuum_cost_delay = 0
);

ALTER TABLE outbox_half ALTER COLUMN payload SET STORAGE EXTERNAL;

-- When the producers of half messages that stay prepared are asked for them; a row from the first
-- check on. One without a time waits for a person. The id is that of the half message.
CREATE TABLE IF NOT EXISTS outbox_half_check (
  id          bigint  PRIMARY KEY,
  next_at     timestamptz,
  checks      integer NOT NULL,
  unreachable integer NOT NULL,
  verdict     text,
  last_error  text,
  checked_at  timestamptz,
  version     bigint  NOT NULL
) WITH (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 10000,
  autovacuum_vacuum_cost_delay = 0
);

CREATE INDEX IF NOT EXISTS outbox_half_check_next ON outbox_half_check (next_at, id);

-- What persons decided about half messages. Stays until you delete it.
CREATE TABLE IF NOT EXISTS outbox_half_audit (
  id            bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  half_id       uuid        NOT NULL,
  half_business text        NOT NULL,
  half_key      text        NOT NULL,
  acted_at      timestamptz NOT NULL,
  acted_by      text        NOT NULL,
  step          text        NOT NULL,
  reason        text        NOT NULL,
  state_before  text        NOT NULL,
  state_after   text        NOT NULL
);

CREATE INDEX IF NOT EXISTS outbox_half_audit_key ON outbox_half_audit (half_id);

-- One row names a topic, whose records are half messages: all of them, or only those that are
-- marked. Rows are written by persons, or through the server; nobody else changes them.
CREATE TABLE IF NOT EXISTS outbox_intake_topic (
  topic         text        PRIMARY KEY,
  only_marked   boolean     NOT NULL DEFAULT FALSE,
  enabled       boolean     NOT NULL DEFAULT TRUE,
  registered_by text,
  created_at    timestamptz NOT NULL DEFAULT statement_timestamp()
);

-- One row for each half message that waits for a person, until a node has noted that it told one.
-- When the row is due, another node tells them. The id is that of the half message.
CREATE TABLE IF NOT EXISTS outbox_half_alert (
  id     bigint      PRIMARY KEY,
  due_at timestamptz NOT NULL
);

INSERT INTO outbox_feature (feature, version, works_from) VALUES ('HALF', 1, 1) ON CONFLICT DO NOTHING;
