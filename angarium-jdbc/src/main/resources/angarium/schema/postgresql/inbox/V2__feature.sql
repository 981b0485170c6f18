-- Records which version of each feature's tables is here. Names start with inbox; docs/schema.md
-- says how to take others.

-- A script that changes tables of a feature raises its version here, as its last statement. Code
-- that knows an earlier version works with the tables if it knows at least works_from.
CREATE TABLE IF NOT EXISTS inbox_feature (
  feature    text    PRIMARY KEY,
  version    integer NOT NULL,
  works_from integer NOT NULL,
  CHECK (works_from BETWEEN 1 AND version)
);

INSERT INTO inbox_feature (feature, version, works_from) VALUES ('INBOX', 2, 1) ON CONFLICT DO NOTHING;
