-- Tasks that one of several nodes runs at a time. Names start with outbox; a different prefix is put
-- in their place by "schema: create", or by hand in a copy of this file.

-- Whose turn it is, and how far the task is done, in milliseconds since 1970.
CREATE TABLE IF NOT EXISTS outbox_task (
  task         text        PRIMARY KEY,
  token        bigint      NOT NULL,
  leased_until timestamptz NOT NULL,
  done_until   bigint
);

UPDATE outbox_schema SET version = 4 WHERE version = 3;
