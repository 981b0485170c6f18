-- The outbox of Angarium on H2 2.4.240 or newer. Names start with outbox; docs/schema.md says how
-- to take others.

CREATE SEQUENCE IF NOT EXISTS outbox_seq;

-- A row means: committed, not sent yet.
CREATE TABLE IF NOT EXISTS outbox (
  id            BIGINT        DEFAULT NEXT VALUE FOR outbox_seq PRIMARY KEY,
  created_at    TIMESTAMP(6) WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP(6) NOT NULL,
  partition_no  SMALLINT      NOT NULL,
  message_id    UUID          NOT NULL,
  destination   VARCHAR(512)  NOT NULL,
  message_key   VARCHAR(512),
  message_type  VARCHAR(255),
  headers       VARCHAR(65536),
  business_type VARCHAR(128),
  business_key  VARCHAR(255),
  created_by    VARCHAR(128),
  updated_by    VARCHAR(128),
  payload       BINARY LARGE OBJECT NOT NULL
);

CREATE INDEX IF NOT EXISTS outbox_partition ON outbox (partition_no, id);

-- Messages that are not to be sent before a time. They take their id when it has come.
CREATE TABLE IF NOT EXISTS outbox_delayed (
  id            BIGINT        GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  due_at        TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  created_at    TIMESTAMP(6) WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP(6) NOT NULL,
  partition_no  SMALLINT      NOT NULL,
  message_id    UUID          NOT NULL,
  destination   VARCHAR(512)  NOT NULL,
  message_key   VARCHAR(512),
  message_type  VARCHAR(255),
  headers       VARCHAR(65536),
  business_type VARCHAR(128),
  business_key  VARCHAR(255),
  created_by    VARCHAR(128),
  updated_by    VARCHAR(128),
  payload       BINARY LARGE OBJECT NOT NULL
);

CREATE INDEX IF NOT EXISTS outbox_delayed_due ON outbox_delayed (due_at, id);

-- Failed messages and the later ones of their keys. The head of a key carries its due time.
CREATE TABLE IF NOT EXISTS outbox_parked (
  partition_no  SMALLINT      NOT NULL,
  id            BIGINT        NOT NULL,
  key_hash      BIGINT        NOT NULL,
  head          BOOLEAN       NOT NULL,
  due_at        TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  attempts      INTEGER       NOT NULL,
  last_error    VARCHAR(1000),
  attempted_at  TIMESTAMP(6) WITH TIME ZONE,
  created_at    TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  message_id    UUID          NOT NULL,
  destination   VARCHAR(512)  NOT NULL,
  message_key   VARCHAR(512),
  message_type  VARCHAR(255),
  headers       VARCHAR(65536),
  business_type VARCHAR(128),
  business_key  VARCHAR(255),
  created_by    VARCHAR(128),
  updated_by    VARCHAR(128),
  payload       BINARY LARGE OBJECT NOT NULL,
  PRIMARY KEY (partition_no, id)
);

CREATE INDEX IF NOT EXISTS outbox_parked_due ON outbox_parked (head, due_at);

CREATE INDEX IF NOT EXISTS outbox_parked_key ON outbox_parked (partition_no, key_hash, id);

-- Messages that were given up; they stay until a person or a policy acts.
CREATE TABLE IF NOT EXISTS outbox_dead (
  id            BIGINT        NOT NULL,
  partition_no  SMALLINT      NOT NULL,
  key_hash      BIGINT        NOT NULL,
  blocks_key    BOOLEAN       NOT NULL,
  attempts      INTEGER       NOT NULL,
  reason        VARCHAR(1000) NOT NULL,
  dead_since    TIMESTAMP(6) WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP(6) NOT NULL,
  created_at    TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  message_id    UUID          NOT NULL,
  destination   VARCHAR(512)  NOT NULL,
  message_key   VARCHAR(512),
  message_type  VARCHAR(255),
  headers       VARCHAR(65536),
  business_type VARCHAR(128),
  business_key  VARCHAR(255),
  created_by    VARCHAR(128),
  updated_by    VARCHAR(128),
  payload       BINARY LARGE OBJECT NOT NULL,
  PRIMARY KEY (id, partition_no)
);

CREATE INDEX IF NOT EXISTS outbox_dead_message ON outbox_dead (message_id);

CREATE INDEX IF NOT EXISTS outbox_dead_key ON outbox_dead (partition_no, key_hash, blocks_key);

-- History of sent messages, written only when it is switched on.
CREATE TABLE IF NOT EXISTS outbox_sent (
  partition_no  SMALLINT      NOT NULL,
  id            BIGINT        NOT NULL,
  sent_at       TIMESTAMP(6) WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP(6) NOT NULL,
  attempts      INTEGER       NOT NULL,
  created_at    TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  message_id    UUID          NOT NULL,
  destination   VARCHAR(512)  NOT NULL,
  message_key   VARCHAR(512),
  message_type  VARCHAR(255),
  headers       VARCHAR(65536),
  business_type VARCHAR(128),
  business_key  VARCHAR(255),
  created_by    VARCHAR(128),
  updated_by    VARCHAR(128),
  payload       BINARY LARGE OBJECT NOT NULL
);

CREATE INDEX IF NOT EXISTS outbox_sent_time ON outbox_sent (sent_at);

-- Pairs of business type and key that may be sent once; only messages that demand it have a row.
CREATE TABLE IF NOT EXISTS outbox_dedup (
  business_type VARCHAR(128)  NOT NULL,
  business_key  VARCHAR(255)  NOT NULL,
  message_id    UUID          NOT NULL,
  created_at    TIMESTAMP(6) WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP(6) NOT NULL,
  PRIMARY KEY (business_type, business_key)
);

-- Relays. A name belongs to one live node; a node whose name was taken over keeps its row, without
-- the name, until its partitions have gone.
CREATE TABLE IF NOT EXISTS outbox_node (
  incarnation UUID         PRIMARY KEY,
  node        VARCHAR(128) UNIQUE,
  expires_at  TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  taking_part BOOLEAN      NOT NULL
);

-- Who relays which partition. The epoch rises with every change of owner and fences writes.
CREATE TABLE IF NOT EXISTS outbox_lease (
  partition_no SMALLINT     PRIMARY KEY,
  node         VARCHAR(128),
  incarnation  UUID,
  epoch        BIGINT       DEFAULT 0 NOT NULL,
  CHECK ((node IS NULL) = (incarnation IS NULL))
);

-- One row: the version of the tables as Angarium 0.1 counts it, and how messages are spread over
-- partitions. Newer code reads the versions in outbox_feature.
CREATE TABLE IF NOT EXISTS outbox_schema (
  one              BOOLEAN DEFAULT TRUE PRIMARY KEY CHECK (one),
  version          INTEGER NOT NULL,
  partitions_keyed   INTEGER,
  partitions_keyless INTEGER
);

INSERT INTO outbox_schema (version)
SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM outbox_schema);
