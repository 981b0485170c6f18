-- Confirmations of sent messages. Names start with outbox; docs/schema.md says how to take others.
-- All times are UTC, whatever the time zone of the session; texts compare byte by byte.

-- Messages that were sent and whose consumers have not confirmed them. Those without a due time wait
-- in the outbox to be sent again. Only destinations that demand it have rows.
CREATE TABLE IF NOT EXISTS outbox_unconfirmed (
  message_id    BINARY(16)    NOT NULL,
  due_at        DATETIME(6),
  sent_at       DATETIME(6)   NOT NULL,
  sends         INTEGER       NOT NULL,
  partition_no  SMALLINT      NOT NULL,
  id            BIGINT        NOT NULL,
  created_at    DATETIME(6)   NOT NULL,
  destination   TEXT          NOT NULL,
  message_key   TEXT,
  message_type  TEXT,
  headers       MEDIUMTEXT,
  business_type TEXT,
  business_key  TEXT,
  created_by    TEXT,
  payload       LONGBLOB      NOT NULL,
  PRIMARY KEY (message_id),
  KEY by_due (due_at)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin
  STATS_PERSISTENT=1 STATS_AUTO_RECALC=0;

-- Receipts that came before their message was noted as sent, or without need.
CREATE TABLE IF NOT EXISTS outbox_receipt (
  message_id  BINARY(16)  NOT NULL,
  received_at DATETIME(6) NOT NULL,
  PRIMARY KEY (message_id),
  KEY by_time (received_at)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin
  STATS_PERSISTENT=1 STATS_AUTO_RECALC=0;

INSERT IGNORE INTO outbox_feature (feature, version, works_from) VALUES ('CONFIRMATION', 1, 1);
