package io.angarium.testkit.alert;

import io.angarium.alert.AlertDesk;
import io.angarium.alert.AlertStore;
import io.angarium.desk.AuditEntry;
import java.time.Duration;
import java.util.List;

/** The alerts of one database under test; there are none at the begin of each test. */
public interface AlertFixture {
  /** What an engine uses; the same at every call. */
  AlertStore store();

  /** What persons use, of the same alerts; the same at every call. */
  AlertDesk desk();

  /** What persons did, latest first. */
  List<AuditEntry> audit();

  /** Lets time pass, at least so much, by the clock of the alerts. */
  void pass(Duration time);

  /** Lets all silences end by the clock. */
  void endSilences();

  /** Makes every write to the audit fail, until {@link #mendAudit}. */
  void breakAudit();

  /** Lets the audit be written again. */
  void mendAudit();
}
