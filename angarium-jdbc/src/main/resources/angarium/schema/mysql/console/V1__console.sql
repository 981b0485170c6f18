-- Acts of persons on messages. Names start with outbox; docs/schema.md says how to take others. All
-- times are UTC, whatever the time zone of the session; texts compare byte by byte.

-- Messages that a person discarded: dead letters and delayed ones. They can be restored until the
-- retention deletes them. A restored dead letter blocks its key again only while next_id, the
-- message that had to wait for it, is still there.
CREATE TABLE IF NOT EXISTS outbox_discarded (
  discarded_at  DATETIME(6)   NOT NULL,
  id            BIGINT        NOT NULL,
  partition_no  SMALLINT      NOT NULL,
  discarded_by  VARCHAR(128)  NOT NULL,
  why           VARCHAR(1000) NOT NULL,
  operation_id  BINARY(16),
  was           VARCHAR(24)   NOT NULL,
  due_at        DATETIME(6),
  key_hash      BIGINT        NOT NULL,
  blocks_key    BOOLEAN       NOT NULL,
  next_id       BIGINT,
  attempts      INTEGER       NOT NULL,
  reason        VARCHAR(1000),
  dead_since    DATETIME(6),
  created_at    DATETIME(6)   NOT NULL,
  message_id    BINARY(16)    NOT NULL,
  destination   VARCHAR(512)  NOT NULL,
  message_key   VARCHAR(512),
  message_type  VARCHAR(255),
  headers       MEDIUMTEXT,
  business_type VARCHAR(128),
  business_key  VARCHAR(255),
  created_by    VARCHAR(128),
  updated_by    VARCHAR(128),
  payload       LONGBLOB      NOT NULL,
  PRIMARY KEY (discarded_at, id, partition_no),
  KEY by_message (message_id),
  KEY by_operation (operation_id),
  CHECK (was IN ('dead', 'delayed')),
  CHECK ((was = 'delayed') = (due_at IS NOT NULL)),
  CHECK ((was = 'dead') = (reason IS NOT NULL)),
  CHECK ((was = 'dead') = (dead_since IS NOT NULL))
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin
  STATS_PERSISTENT=1 STATS_AUTO_RECALC=0;

-- Who did what, and why. Has no payload, key or header. Stays until you delete it.
CREATE TABLE IF NOT EXISTS outbox_audit (
  id           BIGINT        NOT NULL AUTO_INCREMENT,
  acted_at     DATETIME(6)   NOT NULL,
  acted_by     VARCHAR(128)  NOT NULL,
  via          VARCHAR(24)   NOT NULL,
  act          VARCHAR(32)   NOT NULL,
  target_kind  VARCHAR(32)   NOT NULL,
  target       VARCHAR(300)  NOT NULL,
  reason       VARCHAR(1000) NOT NULL,
  operation_id BINARY(16),
  details      VARCHAR(2000),
  PRIMARY KEY (id),
  KEY by_target (target_kind, target, id),
  KEY by_time (acted_at, id)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin
  STATS_PERSISTENT=1 STATS_AUTO_RECALC=0;

-- An act names messages by their ids.
ALTER TABLE outbox_delayed ADD KEY by_message (message_id);

ALTER TABLE outbox_parked ADD KEY by_message (message_id);

INSERT IGNORE INTO outbox_feature (feature, version, works_from) VALUES ('CONSOLE', 1, 1);
