-- Orders dead letters by the time of their death. Names start with outbox; docs/schema.md says how to
-- take others.

ALTER TABLE outbox_dead ADD KEY by_since (dead_since, id, partition_no);

UPDATE outbox_feature SET version = 5 WHERE feature = 'OUTBOX' AND version < 5;
