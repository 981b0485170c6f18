-- The outbox of Angarium on MySQL 8.0.19 or newer. Names start with outbox; docs/schema.md says how
-- to take others. All times are UTC, whatever the time zone of the session; texts compare byte by
-- byte.

-- A row means: committed, not sent yet. The partitions of the relay share the 16 of the table, by
-- their number modulo 16; ids rise over all of them.
CREATE TABLE IF NOT EXISTS outbox (
  id            BIGINT        NOT NULL AUTO_INCREMENT,
  created_at    DATETIME(6)   NOT NULL,
  partition_no  SMALLINT      NOT NULL,
  message_id    BINARY(16)    NOT NULL,
  destination   VARCHAR(512)  NOT NULL,
  message_key   VARCHAR(512),
  message_type  VARCHAR(255),
  headers       MEDIUMTEXT,
  business_type VARCHAR(128),
  business_key  VARCHAR(255),
  created_by    VARCHAR(128),
  updated_by    VARCHAR(128),
  payload       LONGBLOB      NOT NULL,
  payload_bytes INTEGER       NOT NULL DEFAULT (OCTET_LENGTH(payload)),
  PRIMARY KEY (id, partition_no)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin
  STATS_PERSISTENT=1 STATS_AUTO_RECALC=0
  PARTITION BY HASH (partition_no) PARTITIONS 16;

-- Messages that are not to be sent before a time. They take their id when it has come.
CREATE TABLE IF NOT EXISTS outbox_delayed (
  id            BIGINT        NOT NULL AUTO_INCREMENT,
  due_at        DATETIME(6)   NOT NULL,
  created_at    DATETIME(6)   NOT NULL,
  partition_no  SMALLINT      NOT NULL,
  message_id    BINARY(16)    NOT NULL,
  destination   VARCHAR(512)  NOT NULL,
  message_key   VARCHAR(512),
  message_type  VARCHAR(255),
  headers       MEDIUMTEXT,
  business_type VARCHAR(128),
  business_key  VARCHAR(255),
  created_by    VARCHAR(128),
  updated_by    VARCHAR(128),
  payload       LONGBLOB      NOT NULL,
  PRIMARY KEY (id),
  KEY by_due (due_at, id)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin
  STATS_PERSISTENT=1 STATS_AUTO_RECALC=0;

-- Failed messages and the later ones of their keys. The head of a key carries its due time.
CREATE TABLE IF NOT EXISTS outbox_parked (
  partition_no  SMALLINT      NOT NULL,
  id            BIGINT        NOT NULL,
  key_hash      BIGINT        NOT NULL,
  head          BOOLEAN       NOT NULL,
  due_at        DATETIME(6)   NOT NULL,
  attempts      INTEGER       NOT NULL,
  last_error    VARCHAR(1000),
  attempted_at  DATETIME(6),
  created_at    DATETIME(6)   NOT NULL,
  message_id    BINARY(16)    NOT NULL,
  destination   VARCHAR(512)  NOT NULL,
  message_key   VARCHAR(512),
  message_type  VARCHAR(255),
  headers       MEDIUMTEXT,
  business_type VARCHAR(128),
  business_key  VARCHAR(255),
  created_by    VARCHAR(128),
  updated_by    VARCHAR(128),
  payload       LONGBLOB      NOT NULL,
  PRIMARY KEY (partition_no, id),
  KEY by_due (head, due_at),
  KEY by_key (partition_no, key_hash, head, id)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin
  STATS_PERSISTENT=1 STATS_AUTO_RECALC=0;

-- Messages that were given up; they stay until a person or a policy acts.
CREATE TABLE IF NOT EXISTS outbox_dead (
  id            BIGINT        NOT NULL,
  partition_no  SMALLINT      NOT NULL,
  key_hash      BIGINT        NOT NULL,
  blocks_key    BOOLEAN       NOT NULL,
  attempts      INTEGER       NOT NULL,
  reason        VARCHAR(1000) NOT NULL,
  dead_since    DATETIME(6)   NOT NULL,
  created_at    DATETIME(6)   NOT NULL,
  message_id    BINARY(16)    NOT NULL,
  destination   VARCHAR(512)  NOT NULL,
  message_key   VARCHAR(512),
  message_type  VARCHAR(255),
  headers       MEDIUMTEXT,
  business_type VARCHAR(128),
  business_key  VARCHAR(255),
  created_by    VARCHAR(128),
  updated_by    VARCHAR(128),
  payload       LONGBLOB      NOT NULL,
  PRIMARY KEY (id, partition_no),
  KEY by_message (message_id),
  KEY by_key (partition_no, key_hash, blocks_key)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin
  STATS_PERSISTENT=1 STATS_AUTO_RECALC=0;

-- History of sent messages, written only when it is switched on. Split the last partition by time
-- and drop old ones: that costs no DELETE.
CREATE TABLE IF NOT EXISTS outbox_sent (
  partition_no  SMALLINT      NOT NULL,
  id            BIGINT        NOT NULL,
  sent_at       DATETIME(6)   NOT NULL,
  attempts      INTEGER       NOT NULL,
  created_at    DATETIME(6)   NOT NULL,
  message_id    BINARY(16)    NOT NULL,
  destination   VARCHAR(512)  NOT NULL,
  message_key   VARCHAR(512),
  message_type  VARCHAR(255),
  headers       MEDIUMTEXT,
  business_type VARCHAR(128),
  business_key  VARCHAR(255),
  created_by    VARCHAR(128),
  updated_by    VARCHAR(128),
  payload       LONGBLOB      NOT NULL,
  PRIMARY KEY (sent_at, id, partition_no)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin
  PARTITION BY RANGE COLUMNS (sent_at) (PARTITION p_rest VALUES LESS THAN (MAXVALUE));

-- Pairs of business type and key that may be sent once; only messages that demand it have a row.
-- The stripe of a pair is CRC32(CONCAT(business_type, CHAR(0), business_key)) % 1024.
CREATE TABLE IF NOT EXISTS outbox_dedup (
  stripe        SMALLINT      NOT NULL,
  business_type VARCHAR(128)  NOT NULL,
  business_key  VARCHAR(255)  NOT NULL,
  message_id    BINARY(16)    NOT NULL,
  created_at    DATETIME(6)   NOT NULL,
  PRIMARY KEY (stripe, business_type, business_key),
  KEY by_time (created_at)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin
  STATS_PERSISTENT=1 STATS_AUTO_RECALC=0;

-- The first row of each stripe stands for no pair: a transaction locks it before the pairs of the
-- stripe. Without these rows, transactions with unique pairs block each other. They stay forever.
INSERT IGNORE INTO outbox_dedup (stripe, business_type, business_key, message_id, created_at)
WITH RECURSIVE digit (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM digit WHERE n < 31)
SELECT 32 * a.n + b.n, '', '', REPEAT(X'00', 16), '9999-12-31'
FROM digit AS a CROSS JOIN digit AS b;

-- Relays. A name belongs to one live node; a node whose name was taken over keeps its row, without
-- the name, until its partitions have gone.
CREATE TABLE IF NOT EXISTS outbox_node (
  incarnation BINARY(16)   NOT NULL,
  node        VARCHAR(128),
  expires_at  DATETIME(6)  NOT NULL,
  taking_part BOOLEAN      NOT NULL,
  PRIMARY KEY (incarnation),
  UNIQUE KEY by_name (node)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;

-- Who relays which partition. The epoch rises with every change of owner and fences writes.
CREATE TABLE IF NOT EXISTS outbox_lease (
  partition_no SMALLINT     NOT NULL,
  node         VARCHAR(128),
  incarnation  BINARY(16),
  epoch        BIGINT       NOT NULL DEFAULT 0,
  PRIMARY KEY (partition_no),
  CHECK ((node IS NULL) = (incarnation IS NULL))
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;

-- One row: the version of the tables as Angarium 0.1 counts it, and how messages are spread over
-- partitions. Newer code reads the versions in outbox_feature.
CREATE TABLE IF NOT EXISTS outbox_schema (
  one                BOOLEAN NOT NULL DEFAULT TRUE CHECK (one = TRUE),
  version            INTEGER NOT NULL,
  partitions_keyed   INTEGER,
  partitions_keyless INTEGER,
  PRIMARY KEY (one)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;

INSERT IGNORE INTO outbox_schema (version) VALUES (1);
