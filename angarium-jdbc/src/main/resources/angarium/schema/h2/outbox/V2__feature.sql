-- Records which version of each feature's tables is here. Names start with outbox; docs/schema.md
-- says how to take others.

-- A script that changes tables of a feature raises its version here, as its last statement. Code
-- that knows an earlier version works with the tables if it knows at least works_from.
CREATE TABLE IF NOT EXISTS outbox_feature (
  feature    VARCHAR(64) PRIMARY KEY,
  version    INTEGER NOT NULL,
  works_from INTEGER NOT NULL,
  CHECK (works_from BETWEEN 1 AND version)
);

INSERT INTO outbox_feature (feature, version, works_from)
SELECT 'OUTBOX', 2, 1 WHERE NOT EXISTS (SELECT 1 FROM outbox_feature WHERE feature = 'OUTBOX');
