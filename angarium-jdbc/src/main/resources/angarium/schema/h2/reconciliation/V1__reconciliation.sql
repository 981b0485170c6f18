-- Tasks that one of several nodes runs at a time. Names start with outbox; docs/schema.md says how
-- to take others.

-- Whose turn it is, and how far the task is done, in milliseconds since 1970.
CREATE TABLE IF NOT EXISTS outbox_task (
  task         VARCHAR(100) PRIMARY KEY,
  token        BIGINT NOT NULL,
  leased_until TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  done_until   BIGINT
);

INSERT INTO outbox_feature (feature, version, works_from)
SELECT 'RECONCILIATION', 1, 1 WHERE NOT EXISTS (SELECT 1 FROM outbox_feature WHERE feature = 'RECONCILIATION');
