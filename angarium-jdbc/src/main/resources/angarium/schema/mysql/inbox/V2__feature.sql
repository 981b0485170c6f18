-- Records which version of each feature's tables is here. Names start with inbox; docs/schema.md
-- says how to take others.

-- A script that changes tables of a feature raises its version here, as its last statement. Code
-- that knows an earlier version works with the tables if it knows at least works_from.
CREATE TABLE IF NOT EXISTS inbox_feature (
  feature    VARCHAR(64) NOT NULL,
  version    INTEGER     NOT NULL,
  works_from INTEGER     NOT NULL,
  PRIMARY KEY (feature),
  CHECK (works_from BETWEEN 1 AND version)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;

INSERT IGNORE INTO inbox_feature (feature, version, works_from) VALUES ('INBOX', 2, 1);
