-- Gives this set of tables a number of its own, so that a connection to another one is told. Names
-- start with outbox; docs/schema.md says how to take others.

ALTER TABLE outbox_schema ADD COLUMN source BINARY(16);

UPDATE outbox_schema SET source = UNHEX(REPLACE(UUID(), '-', '')) WHERE source IS NULL LIMIT 1;

UPDATE outbox_feature SET version = 3 WHERE feature = 'OUTBOX' AND version < 3;
