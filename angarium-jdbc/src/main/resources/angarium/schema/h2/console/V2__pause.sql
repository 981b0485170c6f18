-- Pauses: destinations to which relays send nothing for a while, as a person said so. Names start
-- with outbox; docs/schema.md says how to take others.

-- One row, which each heartbeat reads. The number rises with every act on pauses.
CREATE TABLE IF NOT EXISTS outbox_control (
  one    BOOLEAN PRIMARY KEY CHECK (one),
  pauses BIGINT  NOT NULL
);

INSERT INTO outbox_control (one, pauses)
SELECT TRUE, 0 WHERE NOT EXISTS (SELECT 1 FROM outbox_control);

-- A star in a destination stands for any characters. version is the number of the act.
CREATE TABLE IF NOT EXISTS outbox_pause (
  id          BIGINT        GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  version     BIGINT        NOT NULL,
  destination VARCHAR(512)  NOT NULL,
  since       TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  until_at    TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  paused_by   VARCHAR(128)  NOT NULL,
  reason      VARCHAR(1000) NOT NULL
);

-- Up to which act a node has stopped sending and has nothing under way.
CREATE TABLE IF NOT EXISTS outbox_pause_applied (
  incarnation UUID          PRIMARY KEY,
  node        VARCHAR(128)  NOT NULL,
  version     BIGINT        NOT NULL,
  applied_at  TIMESTAMP(6) WITH TIME ZONE NOT NULL
);

UPDATE outbox_feature SET version = 2 WHERE feature = 'CONSOLE' AND version < 2;
