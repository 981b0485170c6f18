-- Operations: acts on many messages that persons begin and nodes carry out. Names start with outbox;
-- docs/schema.md says how to take others.

-- The node whose token it is goes on with it until leased_until. cursor_text says where.
CREATE TABLE IF NOT EXISTS outbox_operation (
  operation_id UUID          PRIMARY KEY,
  kind         VARCHAR(24)   NOT NULL,
  state        VARCHAR(24)   NOT NULL,
  filter       VARCHAR(1000000) NOT NULL,
  scope        VARCHAR(1000000) NOT NULL,
  undoes       UUID,
  until_at     TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  created_at   TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  created_by   VARCHAR(128)  NOT NULL,
  via          VARCHAR(24)   NOT NULL,
  reason       VARCHAR(1000) NOT NULL,
  start_at     TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  rate         INTEGER       NOT NULL,
  first_few    INTEGER       NOT NULL,
  messages_max BIGINT        NOT NULL,
  cursor_text  VARCHAR(300),
  scanned      BIGINT        NOT NULL,
  done         BIGINT        NOT NULL,
  not_found    BIGINT        NOT NULL,
  refused      BIGINT        NOT NULL,
  ended_at     TIMESTAMP(6) WITH TIME ZONE,
  halt         VARCHAR(24),
  token        BIGINT        NOT NULL,
  node         VARCHAR(128),
  leased_until TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  CHECK ((state = 'waiting') = (state <> 'running' AND state <> 'paused' AND state <> 'done'
    AND state <> 'cancelled' AND state <> 'stopped')),
  CHECK ((ended_at IS NULL) = (state <> 'done' AND state <> 'cancelled' AND state <> 'stopped'))
);

CREATE INDEX IF NOT EXISTS outbox_operation_state ON outbox_operation (state, start_at);

CREATE INDEX IF NOT EXISTS outbox_operation_created ON outbox_operation (created_at);

-- The first messages that an operation left alone.
CREATE TABLE IF NOT EXISTS outbox_operation_refusal (
  operation_id UUID         NOT NULL,
  nr           INTEGER      NOT NULL,
  message_id   UUID         NOT NULL,
  reason       VARCHAR(300) NOT NULL,
  PRIMARY KEY (operation_id, nr)
);

UPDATE outbox_feature SET version = 3 WHERE feature = 'CONSOLE' AND version < 3;
