-- What relay nodes tell of themselves. Names start with outbox; docs/schema.md says how to take
-- others.

-- What each node does: one row for each of its starts, written again every few seconds. status is
-- JSON; told_at is by the clock of the database.
CREATE TABLE IF NOT EXISTS outbox_status (
  incarnation uuid        NOT NULL,
  node        text        NOT NULL,
  told_at     timestamptz NOT NULL,
  status      text        NOT NULL,
  PRIMARY KEY (incarnation)
) WITH (fillfactor = 30);

-- What became of the messages of a destination on a node within a minute, numbered from 1970 UTC.
-- delay_0 counts messages that took up to 1 ms from their creation, delay_1 up to 2 ms, delay_2 up
-- to 4 ms and so on, delay_19 all others; sent is their sum. An empty destination stands for all
-- beyond those that a node names.
CREATE TABLE IF NOT EXISTS outbox_minute (
  minute_no   bigint NOT NULL,
  incarnation uuid   NOT NULL,
  destination text   NOT NULL,
  sent        bigint NOT NULL,
  failed      bigint NOT NULL,
  refused     bigint NOT NULL,
  unavailable bigint NOT NULL,
  dead        bigint NOT NULL,
  delay_0     bigint NOT NULL,
  delay_1     bigint NOT NULL,
  delay_2     bigint NOT NULL,
  delay_3     bigint NOT NULL,
  delay_4     bigint NOT NULL,
  delay_5     bigint NOT NULL,
  delay_6     bigint NOT NULL,
  delay_7     bigint NOT NULL,
  delay_8     bigint NOT NULL,
  delay_9     bigint NOT NULL,
  delay_10    bigint NOT NULL,
  delay_11    bigint NOT NULL,
  delay_12    bigint NOT NULL,
  delay_13    bigint NOT NULL,
  delay_14    bigint NOT NULL,
  delay_15    bigint NOT NULL,
  delay_16    bigint NOT NULL,
  delay_17    bigint NOT NULL,
  delay_18    bigint NOT NULL,
  delay_19    bigint NOT NULL,
  PRIMARY KEY (minute_no, incarnation, destination)
);

INSERT INTO outbox_feature (feature, version, works_from) VALUES ('BOARD', 1, 1) ON CONFLICT DO NOTHING;
