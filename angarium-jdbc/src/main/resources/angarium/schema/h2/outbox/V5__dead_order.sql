-- Orders dead letters by the time of their death. Names start with outbox; docs/schema.md says how to
-- take others.

CREATE INDEX IF NOT EXISTS outbox_dead_since ON outbox_dead (dead_since, id, partition_no);

UPDATE outbox_feature SET version = 5 WHERE feature = 'OUTBOX' AND version < 5;
