-- Pauses: destinations to which relays send nothing for a while, as a person said so. Names start
-- with outbox; docs/schema.md says how to take others.

-- One row, which each heartbeat reads. The number rises with every act on pauses.
CREATE TABLE IF NOT EXISTS outbox_control (
  one    BOOLEAN NOT NULL,
  pauses BIGINT  NOT NULL,
  PRIMARY KEY (one),
  CHECK (one = TRUE)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin
  STATS_PERSISTENT=1 STATS_AUTO_RECALC=0;

INSERT IGNORE INTO outbox_control (one, pauses) VALUES (TRUE, 0);

-- A star in a destination stands for any characters. version is the number of the act.
CREATE TABLE IF NOT EXISTS outbox_pause (
  id          BIGINT        NOT NULL AUTO_INCREMENT,
  version     BIGINT        NOT NULL,
  destination VARCHAR(512)  NOT NULL,
  since       DATETIME(6)   NOT NULL,
  until_at    DATETIME(6)   NOT NULL,
  paused_by   VARCHAR(128)  NOT NULL,
  reason      VARCHAR(1000) NOT NULL,
  PRIMARY KEY (id)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin
  STATS_PERSISTENT=1 STATS_AUTO_RECALC=0;

-- Up to which act a node has stopped sending and has nothing under way.
CREATE TABLE IF NOT EXISTS outbox_pause_applied (
  incarnation BINARY(16)    NOT NULL,
  node        VARCHAR(128)  NOT NULL,
  version     BIGINT        NOT NULL,
  applied_at  DATETIME(6)   NOT NULL,
  PRIMARY KEY (incarnation)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin
  STATS_PERSISTENT=1 STATS_AUTO_RECALC=0;

UPDATE outbox_feature SET version = 2 WHERE feature = 'CONSOLE' AND version < 2;
