-- Reports of reconciliations. Names start with outbox; docs/schema.md says how to take others.

-- What each comparison has found: one row for each task and window. Times of windows are milliseconds
-- since 1970. The keys are one in each line, with a sign for what is the matter with it.
CREATE TABLE IF NOT EXISTS outbox_report (
  id            bigint      GENERATED ALWAYS AS IDENTITY (CACHE 1) PRIMARY KEY,
  task          text        NOT NULL,
  destination   text,
  from_millis   bigint      NOT NULL,
  to_millis     bigint      NOT NULL,
  compared_at   timestamptz NOT NULL,
  produced      bigint      NOT NULL,
  consumed      bigint      NOT NULL,
  missing       integer     NOT NULL,
  unexpected    integer     NOT NULL,
  repeated      integer     NOT NULL,
  agrees        boolean     NOT NULL,
  keys_complete boolean     NOT NULL,
  report_keys   text,
  repaired_at   timestamptz,
  repaired_by   text,
  repair_reason text,
  sent_again    integer,
  CHECK (from_millis < to_millis)
);

CREATE UNIQUE INDEX IF NOT EXISTS outbox_report_window ON outbox_report (task, from_millis, to_millis);

CREATE INDEX IF NOT EXISTS outbox_report_task ON outbox_report (task, id);

CREATE INDEX IF NOT EXISTS outbox_report_time ON outbox_report (agrees, compared_at);

INSERT INTO outbox_feature (feature, version, works_from) VALUES ('REPORT', 1, 1) ON CONFLICT DO NOTHING;
