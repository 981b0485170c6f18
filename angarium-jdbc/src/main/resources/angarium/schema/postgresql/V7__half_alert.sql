-- The alerts of half messages that were given up. Names start with outbox; a different prefix is put
-- in their place by "schema: create", or by hand in a copy of this file.

-- One row for each half message that waits for a person and of which nobody noted yet that persons
-- were told; when it is due, another node tells them. The id is that of the half message.
CREATE TABLE IF NOT EXISTS outbox_half_alert (
  id     bigint      PRIMARY KEY,
  due_at timestamptz NOT NULL
);

UPDATE outbox_schema SET version = 7 WHERE version = 6;
