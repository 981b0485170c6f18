-- Reports of reconciliations. Names start with outbox; docs/schema.md says how to take others.

-- What each comparison has found: one row for each task and window. Times of windows are milliseconds
-- since 1970. The keys are one in each line, with a sign for what is the matter with it.
CREATE TABLE IF NOT EXISTS outbox_report (
  id            BIGINT                      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  task          VARCHAR(100)                NOT NULL,
  destination   VARCHAR(512),
  from_millis   BIGINT                      NOT NULL,
  to_millis     BIGINT                      NOT NULL,
  compared_at   TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  produced      BIGINT                      NOT NULL,
  consumed      BIGINT                      NOT NULL,
  missing       INTEGER                     NOT NULL,
  unexpected    INTEGER                     NOT NULL,
  repeated      INTEGER                     NOT NULL,
  agrees        BOOLEAN                     NOT NULL,
  keys_complete BOOLEAN                     NOT NULL,
  report_keys   CHARACTER LARGE OBJECT,
  repaired_at   TIMESTAMP(6) WITH TIME ZONE,
  repaired_by   VARCHAR(128),
  repair_reason VARCHAR(1000),
  sent_again    INTEGER,
  CHECK (from_millis < to_millis)
);

CREATE UNIQUE INDEX IF NOT EXISTS outbox_report_window ON outbox_report (task, from_millis, to_millis);

CREATE INDEX IF NOT EXISTS outbox_report_task ON outbox_report (task, id);

CREATE INDEX IF NOT EXISTS outbox_report_time ON outbox_report (agrees, compared_at);

INSERT INTO outbox_feature (feature, version, works_from)
SELECT 'REPORT', 1, 1 WHERE NOT EXISTS (SELECT 1 FROM outbox_feature WHERE feature = 'REPORT');
