-- Tasks that one of several nodes runs at a time. Names start with outbox; docs/schema.md says how
-- to take others.

-- Whose turn it is, and how far the task is done, in milliseconds since 1970.
CREATE TABLE IF NOT EXISTS outbox_task (
  task         text        PRIMARY KEY,
  token        bigint      NOT NULL,
  leased_until timestamptz NOT NULL,
  done_until   bigint
);

INSERT INTO outbox_feature (feature, version, works_from) VALUES ('RECONCILIATION', 1, 1) ON CONFLICT DO NOTHING;
