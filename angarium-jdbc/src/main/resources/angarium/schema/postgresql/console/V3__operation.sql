-- Operations: acts on many messages that persons begin and nodes carry out. Names start with outbox;
-- docs/schema.md says how to take others.

-- The node whose token it is goes on with it until leased_until. cursor_text says where.
CREATE TABLE IF NOT EXISTS outbox_operation (
  operation_id uuid        PRIMARY KEY,
  kind         text        NOT NULL,
  state        text        NOT NULL
    CHECK (state IN ('waiting', 'running', 'paused', 'done', 'cancelled', 'stopped')),
  filter       text        NOT NULL,
  scope        text        NOT NULL,
  undoes       uuid,
  until_at     timestamptz NOT NULL,
  created_at   timestamptz NOT NULL,
  created_by   text        NOT NULL,
  via          text        NOT NULL,
  reason       text        NOT NULL,
  start_at     timestamptz NOT NULL,
  rate         integer     NOT NULL,
  first_few    integer     NOT NULL,
  messages_max bigint      NOT NULL,
  cursor_text  text,
  scanned      bigint      NOT NULL,
  done         bigint      NOT NULL,
  not_found    bigint      NOT NULL,
  refused      bigint      NOT NULL,
  ended_at     timestamptz,
  halt         text,
  token        bigint      NOT NULL,
  node         text,
  leased_until timestamptz NOT NULL,
  CHECK ((ended_at IS NOT NULL) = (state IN ('done', 'cancelled', 'stopped')))
);

CREATE INDEX IF NOT EXISTS outbox_operation_state ON outbox_operation (state, start_at);

CREATE INDEX IF NOT EXISTS outbox_operation_created ON outbox_operation (created_at);

-- The first messages that an operation left alone.
CREATE TABLE IF NOT EXISTS outbox_operation_refusal (
  operation_id uuid    NOT NULL,
  nr           integer NOT NULL,
  message_id   uuid    NOT NULL,
  reason       text    NOT NULL,
  PRIMARY KEY (operation_id, nr)
);

UPDATE outbox_feature SET version = 3 WHERE feature = 'CONSOLE' AND version < 3;
