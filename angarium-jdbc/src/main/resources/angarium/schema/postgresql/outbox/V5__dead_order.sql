-- Orders dead letters by the time of their death, and finds those of a key that do not block it. Names
-- start with outbox; docs/schema.md says how to take others.

CREATE INDEX IF NOT EXISTS outbox_dead_since ON outbox_dead (dead_since, id, partition_no);

-- outbox_dead_key has only those that block their key: a relay reads all of these
CREATE INDEX IF NOT EXISTS outbox_dead_of_key ON outbox_dead (partition_no, key_hash, id);

UPDATE outbox_feature SET version = 5 WHERE feature = 'OUTBOX' AND version < 5;
