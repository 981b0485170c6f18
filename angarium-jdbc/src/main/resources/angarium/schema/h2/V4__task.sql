-- Tasks that one of several nodes runs at a time. Names start with outbox; a different prefix is put
-- in their place by "schema: create", or by hand in a copy of this file.

-- Whose turn it is, and how far the task is done, in milliseconds since 1970.
CREATE TABLE IF NOT EXISTS outbox_task (
  task         VARCHAR(100) PRIMARY KEY,
  token        BIGINT NOT NULL,
  leased_until TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  done_until   BIGINT
);

UPDATE outbox_schema SET version = 4 WHERE version = 3;
