-- Operations: acts on many messages that persons begin and nodes carry out. Names start with outbox;
-- docs/schema.md says how to take others.

-- The node whose token it is goes on with it until leased_until. cursor_text says where.
CREATE TABLE IF NOT EXISTS outbox_operation (
  operation_id BINARY(16)    NOT NULL,
  kind         VARCHAR(24)   NOT NULL,
  state        VARCHAR(24)   NOT NULL,
  filter       MEDIUMTEXT    NOT NULL,
  scope        MEDIUMTEXT    NOT NULL,
  undoes       BINARY(16),
  until_at     DATETIME(6)   NOT NULL,
  created_at   DATETIME(6)   NOT NULL,
  created_by   VARCHAR(128)  NOT NULL,
  via          VARCHAR(24)   NOT NULL,
  reason       VARCHAR(1000) NOT NULL,
  start_at     DATETIME(6)   NOT NULL,
  rate         INTEGER       NOT NULL,
  first_few    INTEGER       NOT NULL,
  messages_max BIGINT        NOT NULL,
  cursor_text  VARCHAR(300),
  scanned      BIGINT        NOT NULL,
  done         BIGINT        NOT NULL,
  not_found    BIGINT        NOT NULL,
  refused      BIGINT        NOT NULL,
  ended_at     DATETIME(6),
  halt         VARCHAR(24),
  token        BIGINT        NOT NULL,
  node         VARCHAR(128),
  leased_until DATETIME(6)   NOT NULL,
  PRIMARY KEY (operation_id),
  KEY by_state (state, start_at),
  KEY by_creation (created_at),
  CHECK (state IN ('waiting', 'running', 'paused', 'done', 'cancelled', 'stopped')),
  CHECK ((ended_at IS NOT NULL) = (state IN ('done', 'cancelled', 'stopped')))
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin
  STATS_PERSISTENT=1 STATS_AUTO_RECALC=0;

-- The first messages that an operation left alone.
CREATE TABLE IF NOT EXISTS outbox_operation_refusal (
  operation_id BINARY(16)   NOT NULL,
  nr           INTEGER      NOT NULL,
  message_id   BINARY(16)   NOT NULL,
  reason       VARCHAR(300) NOT NULL,
  PRIMARY KEY (operation_id, nr)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin
  STATS_PERSISTENT=1 STATS_AUTO_RECALC=0;

UPDATE outbox_feature SET version = 3 WHERE feature = 'CONSOLE' AND version < 3;
