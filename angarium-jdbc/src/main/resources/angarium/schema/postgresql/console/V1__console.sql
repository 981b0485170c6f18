-- Acts of persons on messages. Names start with outbox; docs/schema.md says how to take others.

-- Messages that a person discarded: dead letters and delayed ones. They can be restored until the
-- retention deletes them. A restored dead letter blocks its key again only while next_id, the
-- message that had to wait for it, is still there.
CREATE TABLE IF NOT EXISTS outbox_discarded (
  discarded_at  timestamptz NOT NULL,
  id            bigint      NOT NULL,
  partition_no  smallint    NOT NULL,
  discarded_by  text        NOT NULL,
  why           text        NOT NULL,
  operation_id  uuid,
  was           text        NOT NULL CHECK (was IN ('dead', 'delayed')),
  due_at        timestamptz,
  key_hash      bigint      NOT NULL,
  blocks_key    boolean     NOT NULL,
  next_id       bigint,
  attempts      integer     NOT NULL,
  reason        text,
  dead_since    timestamptz,
  created_at    timestamptz NOT NULL,
  message_id    uuid        NOT NULL,
  destination   text        NOT NULL,
  message_key   text,
  message_type  text,
  headers       text,
  business_type text,
  business_key  text,
  created_by    text,
  updated_by    text,
  payload       bytea       NOT NULL,
  PRIMARY KEY (discarded_at, id, partition_no),
  CHECK ((was = 'delayed') = (due_at IS NOT NULL)),
  CHECK ((was = 'dead') = (reason IS NOT NULL)),
  CHECK ((was = 'dead') = (dead_since IS NOT NULL))
);

CREATE INDEX IF NOT EXISTS outbox_discarded_message ON outbox_discarded (message_id);

CREATE INDEX IF NOT EXISTS outbox_discarded_operation ON outbox_discarded (operation_id)
  WHERE operation_id IS NOT NULL;

-- Who did what, and why. Has no payload, key or header. Stays until you delete it.
CREATE TABLE IF NOT EXISTS outbox_audit (
  id           bigint      GENERATED ALWAYS AS IDENTITY (CACHE 1) PRIMARY KEY,
  acted_at     timestamptz NOT NULL,
  acted_by     text        NOT NULL,
  via          text        NOT NULL,
  act          text        NOT NULL,
  target_kind  text        NOT NULL,
  target       text        NOT NULL,
  reason       text        NOT NULL,
  operation_id uuid,
  details      text
);

CREATE INDEX IF NOT EXISTS outbox_audit_target ON outbox_audit (target_kind, target, id);

CREATE INDEX IF NOT EXISTS outbox_audit_time ON outbox_audit (acted_at, id);

-- An act names messages by their ids.
CREATE INDEX IF NOT EXISTS outbox_delayed_message ON outbox_delayed (message_id);

CREATE INDEX IF NOT EXISTS outbox_parked_message ON outbox_parked (message_id);

INSERT INTO outbox_feature (feature, version, works_from) VALUES ('CONSOLE', 1, 1) ON CONFLICT DO NOTHING;
