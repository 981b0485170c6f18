-- Records which version of each feature's tables is here. Names start with outbox; docs/schema.md
-- says how to take others.

-- A script that changes tables of a feature raises its version here, as its last statement. Code
-- that knows an earlier version works with the tables if it knows at least works_from.
CREATE TABLE IF NOT EXISTS outbox_feature (
  feature    VARCHAR(64) NOT NULL,
  version    INTEGER     NOT NULL,
  works_from INTEGER     NOT NULL,
  PRIMARY KEY (feature),
  CHECK (works_from BETWEEN 1 AND version)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

INSERT IGNORE INTO outbox_feature (feature, version, works_from) VALUES ('OUTBOX', 2, 1);
