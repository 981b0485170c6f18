-- The outbox of Angarium on PostgreSQL 13 or newer. Names start with outbox; docs/schema.md says
-- how to take others.

-- A row means: committed, not sent yet. The primary key is the only index: a message costs one
-- insert here and a share of one batched delete.
CREATE TABLE IF NOT EXISTS outbox (
  -- must stay the first column: the transaction takes its number before the row takes its id, which
  -- is what makes "every id up to here is decided" provable
  xid           xid8        NOT NULL DEFAULT pg_current_xact_id(),
  -- CACHE 1: ids cached per session would break the order of keys
  id            bigint      GENERATED ALWAYS AS IDENTITY (CACHE 1),
  created_at    timestamptz NOT NULL DEFAULT statement_timestamp(),
  partition_no  smallint    NOT NULL,
  message_id    uuid        NOT NULL,
  destination   text        NOT NULL,
  message_key   text,
  message_type  text,
  headers       text,
  business_type text,
  business_key  text,
  created_by    text,
  updated_by    text,
  payload       bytea       NOT NULL,
  PRIMARY KEY (partition_no, id)
) WITH (
  toast_tuple_target = 8160,
  vacuum_truncate = off,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 10000,
  autovacuum_vacuum_cost_delay = 0,
  -- statistics of a table that is usually empty mislead the planner
  autovacuum_analyze_threshold = 2000000000
);

ALTER TABLE outbox ALTER COLUMN payload SET STORAGE EXTERNAL;

-- Messages that are not to be sent before a time. They take their id when it has come.
CREATE TABLE IF NOT EXISTS outbox_delayed (
  id            bigint      GENERATED ALWAYS AS IDENTITY (CACHE 1) PRIMARY KEY,
  due_at        timestamptz NOT NULL,
  created_at    timestamptz NOT NULL DEFAULT statement_timestamp(),
  partition_no  smallint    NOT NULL,
  message_id    uuid        NOT NULL,
  destination   text        NOT NULL,
  message_key   text,
  message_type  text,
  headers       text,
  business_type text,
  business_key  text,
  created_by    text,
  updated_by    text,
  payload       bytea       NOT NULL
);

CREATE INDEX IF NOT EXISTS outbox_delayed_due ON outbox_delayed (due_at, id);

-- Failed messages and the later ones of their keys. The head of a key carries its due time.
CREATE TABLE IF NOT EXISTS outbox_parked (
  partition_no  smallint    NOT NULL,
  id            bigint      NOT NULL,
  key_hash      bigint      NOT NULL,
  head          boolean     NOT NULL,
  due_at        timestamptz NOT NULL,
  attempts      integer     NOT NULL,
  last_error    text,
  attempted_at  timestamptz,
  created_at    timestamptz NOT NULL,
  message_id    uuid        NOT NULL,
  destination   text        NOT NULL,
  message_key   text,
  message_type  text,
  headers       text,
  business_type text,
  business_key  text,
  created_by    text,
  updated_by    text,
  payload       bytea       NOT NULL,
  PRIMARY KEY (partition_no, id)
);

CREATE INDEX IF NOT EXISTS outbox_parked_due ON outbox_parked (due_at) WHERE head;

CREATE INDEX IF NOT EXISTS outbox_parked_key ON outbox_parked (partition_no, key_hash, head, id);

-- Messages that were given up; they stay until a person or a policy acts.
CREATE TABLE IF NOT EXISTS outbox_dead (
  id            bigint      NOT NULL,
  partition_no  smallint    NOT NULL,
  key_hash      bigint      NOT NULL,
  blocks_key    boolean     NOT NULL,
  attempts      integer     NOT NULL,
  reason        text        NOT NULL,
  dead_since    timestamptz NOT NULL DEFAULT statement_timestamp(),
  created_at    timestamptz NOT NULL,
  message_id    uuid        NOT NULL,
  destination   text        NOT NULL,
  message_key   text,
  message_type  text,
  headers       text,
  business_type text,
  business_key  text,
  created_by    text,
  updated_by    text,
  payload       bytea       NOT NULL,
  PRIMARY KEY (id, partition_no)
);

CREATE INDEX IF NOT EXISTS outbox_dead_message ON outbox_dead (message_id);

CREATE INDEX IF NOT EXISTS outbox_dead_key ON outbox_dead (partition_no, key_hash) WHERE blocks_key;

-- History of sent messages, written only when it is switched on. Cut it by dropping partitions.
CREATE TABLE IF NOT EXISTS outbox_sent (
  partition_no  smallint    NOT NULL,
  id            bigint      NOT NULL,
  sent_at       timestamptz NOT NULL DEFAULT statement_timestamp(),
  attempts      integer     NOT NULL,
  created_at    timestamptz NOT NULL,
  message_id    uuid        NOT NULL,
  destination   text        NOT NULL,
  message_key   text,
  message_type  text,
  headers       text,
  business_type text,
  business_key  text,
  created_by    text,
  updated_by    text,
  payload       bytea       NOT NULL
) PARTITION BY RANGE (sent_at);

CREATE TABLE IF NOT EXISTS outbox_sent_default PARTITION OF outbox_sent DEFAULT;

CREATE INDEX IF NOT EXISTS outbox_sent_time ON outbox_sent USING brin (sent_at);

-- Pairs of business type and key that may be sent once; only messages that demand it have a row.
CREATE TABLE IF NOT EXISTS outbox_dedup (
  business_type text        NOT NULL,
  business_key  text        NOT NULL,
  message_id    uuid        NOT NULL,
  created_at    timestamptz NOT NULL DEFAULT statement_timestamp(),
  PRIMARY KEY (business_type, business_key)
);

-- Relays. A name belongs to one live node; a node whose name was taken over keeps its row, without
-- the name, until its partitions have gone.
CREATE TABLE IF NOT EXISTS outbox_node (
  incarnation uuid        PRIMARY KEY,
  node        text        UNIQUE,
  expires_at  timestamptz NOT NULL,
  taking_part boolean     NOT NULL
) WITH (fillfactor = 20);

-- Who relays which partition. The epoch rises with every change of owner and fences writes.
CREATE TABLE IF NOT EXISTS outbox_lease (
  partition_no smallint PRIMARY KEY,
  node         text,
  incarnation  uuid,
  epoch        bigint   NOT NULL DEFAULT 0,
  CHECK ((node IS NULL) = (incarnation IS NULL))
) WITH (fillfactor = 20);

-- One row: the version of the tables as Angarium 0.1 counts it, and how messages are spread over
-- partitions. Newer code reads the versions in outbox_feature.
CREATE TABLE IF NOT EXISTS outbox_schema (
  one              boolean PRIMARY KEY DEFAULT true CHECK (one),
  version          integer NOT NULL,
  partitions_keyed   integer,
  partitions_keyless integer
);

INSERT INTO outbox_schema (version) VALUES (1) ON CONFLICT DO NOTHING;
