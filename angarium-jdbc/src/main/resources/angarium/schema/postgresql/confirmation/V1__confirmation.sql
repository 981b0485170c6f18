-- Confirmations of sent messages. Names start with outbox; docs/schema.md says how to take others.

-- Messages that were sent and whose consumers have not confirmed them. Those without a due time wait
-- in the outbox to be sent again. Only destinations that demand it have rows.
CREATE TABLE IF NOT EXISTS outbox_unconfirmed (
  message_id    uuid        PRIMARY KEY,
  due_at        timestamptz,
  sent_at       timestamptz NOT NULL,
  sends         integer     NOT NULL,
  partition_no  smallint    NOT NULL,
  id            bigint      NOT NULL,
  created_at    timestamptz NOT NULL,
  destination   text        NOT NULL,
  message_key   text,
  message_type  text,
  headers       text,
  business_type text,
  business_key  text,
  created_by    text,
  payload       bytea       NOT NULL
);

CREATE INDEX IF NOT EXISTS outbox_unconfirmed_due ON outbox_unconfirmed (due_at);

-- Receipts that came before their message was noted as sent, or without need.
CREATE TABLE IF NOT EXISTS outbox_receipt (
  message_id  uuid        PRIMARY KEY,
  received_at timestamptz NOT NULL
);

CREATE INDEX IF NOT EXISTS outbox_receipt_time ON outbox_receipt (received_at);

INSERT INTO outbox_feature (feature, version, works_from) VALUES ('CONFIRMATION', 1, 1) ON CONFLICT DO NOTHING;
