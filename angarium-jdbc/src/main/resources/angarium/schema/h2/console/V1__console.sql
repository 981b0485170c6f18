-- Acts of persons on messages. Names start with outbox; docs/schema.md says how to take others.

-- Messages that a person discarded: dead letters and delayed ones. They can be restored until the
-- retention deletes them. A restored dead letter blocks its key again only while next_id, the
-- message that had to wait for it, is still there.
CREATE TABLE IF NOT EXISTS outbox_discarded (
  discarded_at  TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  id            BIGINT        NOT NULL,
  partition_no  SMALLINT      NOT NULL,
  discarded_by  VARCHAR(128)  NOT NULL,
  why           VARCHAR(1000) NOT NULL,
  operation_id  UUID,
  was           VARCHAR(24)   NOT NULL,
  due_at        TIMESTAMP(6) WITH TIME ZONE,
  key_hash      BIGINT        NOT NULL,
  blocks_key    BOOLEAN       NOT NULL,
  next_id       BIGINT,
  attempts      INTEGER       NOT NULL,
  reason        VARCHAR(1000),
  dead_since    TIMESTAMP(6) WITH TIME ZONE,
  created_at    TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  message_id    UUID          NOT NULL,
  destination   VARCHAR(512)  NOT NULL,
  message_key   VARCHAR(512),
  message_type  VARCHAR(255),
  headers       VARCHAR(65536),
  business_type VARCHAR(128),
  business_key  VARCHAR(255),
  created_by    VARCHAR(128),
  updated_by    VARCHAR(128),
  payload       BINARY LARGE OBJECT NOT NULL,
  PRIMARY KEY (discarded_at, id, partition_no),
  CHECK ((was = 'dead') = (was <> 'delayed')),
  CHECK ((was = 'delayed') = (due_at IS NOT NULL)),
  CHECK ((was = 'dead') = (reason IS NOT NULL)),
  CHECK ((was = 'dead') = (dead_since IS NOT NULL))
);

CREATE INDEX IF NOT EXISTS outbox_discarded_message ON outbox_discarded (message_id);

CREATE INDEX IF NOT EXISTS outbox_discarded_operation ON outbox_discarded (operation_id);

-- Who did what, and why. Has no payload, key or header. Stays until you delete it.
CREATE TABLE IF NOT EXISTS outbox_audit (
  id           BIGINT        GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  acted_at     TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  acted_by     VARCHAR(128)  NOT NULL,
  via          VARCHAR(24)   NOT NULL,
  act          VARCHAR(32)   NOT NULL,
  target_kind  VARCHAR(32)   NOT NULL,
  target       VARCHAR(300)  NOT NULL,
  reason       VARCHAR(1000) NOT NULL,
  operation_id UUID,
  details      VARCHAR(2000)
);

CREATE INDEX IF NOT EXISTS outbox_audit_target ON outbox_audit (target_kind, target, id);

CREATE INDEX IF NOT EXISTS outbox_audit_time ON outbox_audit (acted_at, id);

-- An act names messages by their ids.
CREATE INDEX IF NOT EXISTS outbox_delayed_message ON outbox_delayed (message_id);

CREATE INDEX IF NOT EXISTS outbox_parked_message ON outbox_parked (message_id);

INSERT INTO outbox_feature (feature, version, works_from)
SELECT 'CONSOLE', 1, 1 WHERE NOT EXISTS (SELECT 1 FROM outbox_feature WHERE feature = 'CONSOLE');
