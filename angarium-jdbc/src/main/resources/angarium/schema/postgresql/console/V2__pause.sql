-- Pauses: destinations to which relays send nothing for a while, as a person said so. Names start
-- with outbox; docs/schema.md says how to take others.

-- One row, which each heartbeat reads. The number rises with every act on pauses.
CREATE TABLE IF NOT EXISTS outbox_control (
  one    boolean PRIMARY KEY CHECK (one),
  pauses bigint  NOT NULL
);

INSERT INTO outbox_control (one, pauses) VALUES (TRUE, 0) ON CONFLICT DO NOTHING;

-- A star in a destination stands for any characters. version is the number of the act.
CREATE TABLE IF NOT EXISTS outbox_pause (
  id          bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  version     bigint      NOT NULL,
  destination text        NOT NULL,
  since       timestamptz NOT NULL,
  until_at    timestamptz NOT NULL,
  paused_by   text        NOT NULL,
  reason      text        NOT NULL
);

-- Up to which act a node has stopped sending and has nothing under way.
CREATE TABLE IF NOT EXISTS outbox_pause_applied (
  incarnation uuid        PRIMARY KEY,
  node        text        NOT NULL,
  version     bigint      NOT NULL,
  applied_at  timestamptz NOT NULL
);

UPDATE outbox_feature SET version = 2 WHERE feature = 'CONSOLE' AND version < 2;
