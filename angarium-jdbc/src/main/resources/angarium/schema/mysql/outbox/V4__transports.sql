-- Gives each relay a place for the names of its transports, so that others can pass partitions to it
-- whose messages need one of them. Names start with outbox; docs/schema.md says how to take others.

ALTER TABLE outbox_node ADD COLUMN transports VARCHAR(1000);

UPDATE outbox_feature SET version = 4 WHERE feature = 'OUTBOX' AND version < 4;
