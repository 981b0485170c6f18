-- A script as a later version may have it. Each statement but the last fails if it runs twice.
ALTER TABLE outbox_schema ADD COLUMN later INTEGER;

CREATE INDEX by_later ON outbox_schema (later);

UPDATE outbox_feature SET version = 6 WHERE feature = 'OUTBOX' AND version < 6;
