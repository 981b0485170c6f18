package io.angarium.testkit.report;

import io.angarium.desk.AuditEntry;
import io.angarium.reconciliation.ReportDesk;
import io.angarium.reconciliation.ReportShelf;
import java.time.Duration;
import java.util.List;

/** The reports of one database under test; there are none at the begin of each test. */
public interface ReportFixture {
  /** What tasks use; the same at every call. */
  ReportShelf shelf();

  /** What persons use, of the same reports; the same at every call. */
  ReportDesk desk();

  /** What persons did, latest first. */
  List<AuditEntry> audit();

  /**
   * Gives ids of messages that were sent and are in the history.
   *
   * @param destination of all of them
   */
  List<String> sent(String destination, int count);

  /** The ids of the messages that wait to be sent. */
  List<String> waiting();

  /** Makes all reports older, as if they had been kept so much earlier. */
  void age(Duration time);

  /** Makes every write to the audit fail, until {@link #mendAudit}. */
  void breakAudit();

  /** Lets the audit be written again. */
  void mendAudit();
}
