-- Confirmations of sent messages. Names start with outbox; docs/schema.md says how to take others.

-- Messages that were sent and whose consumers have not confirmed them. Those without a due time wait
-- in the outbox to be sent again. Only destinations that demand it have rows.
CREATE TABLE IF NOT EXISTS outbox_unconfirmed (
  message_id    UUID          PRIMARY KEY,
  due_at        TIMESTAMP(6) WITH TIME ZONE,
  sent_at       TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  sends         INTEGER       NOT NULL,
  partition_no  SMALLINT      NOT NULL,
  id            BIGINT        NOT NULL,
  created_at    TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  destination   VARCHAR(512)  NOT NULL,
  message_key   VARCHAR(512),
  message_type  VARCHAR(255),
  headers       VARCHAR(65536),
  business_type VARCHAR(128),
  business_key  VARCHAR(255),
  created_by    VARCHAR(128),
  payload       BINARY LARGE OBJECT NOT NULL
);

CREATE INDEX IF NOT EXISTS outbox_unconfirmed_due ON outbox_unconfirmed (due_at);

-- Receipts that came before their message was noted as sent, or without need.
CREATE TABLE IF NOT EXISTS outbox_receipt (
  message_id  UUID PRIMARY KEY,
  received_at TIMESTAMP(6) WITH TIME ZONE NOT NULL
);

CREATE INDEX IF NOT EXISTS outbox_receipt_time ON outbox_receipt (received_at);

INSERT INTO outbox_feature (feature, version, works_from)
SELECT 'CONFIRMATION', 1, 1 WHERE NOT EXISTS (SELECT 1 FROM outbox_feature WHERE feature = 'CONFIRMATION');
