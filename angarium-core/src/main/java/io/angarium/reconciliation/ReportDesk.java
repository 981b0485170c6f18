package io.angarium.reconciliation;

import io.angarium.StoreException;
import io.angarium.desk.ActBy;
import java.util.List;
import java.util.Optional;

/**
 * Where persons look after the reports of reconciliations. Each call is a transaction of its own,
 * blocks, and throws {@link StoreException} if the database cannot be reached. Implementations must
 * pass the contract suite {@code ReportTck}. Thread-safe.
 */
public interface ReportDesk {
  /**
   * Reads the latest reports of every task, by task, latest first.
   *
   * @param perTask the most reports of one task, 1..{@link ReportQuery#LIMIT_MAX}
   */
  List<StoredReport> latest(int perTask);

  /** Reads reports, latest first; fewer than the limit are the end. */
  List<StoredReport> page(ReportQuery query);

  /** Finds a report by its number. */
  Optional<StoredReport> find(long id);

  /** The keys of a report; empty if it is not there. */
  Optional<ReportKeys> keys(long id);

  /**
   * Sends the missing messages that are kept with a report again and notes the repair, in one
   * transaction with the entry of the audit. Messages that are waiting already, are dead letters or
   * are not in the history are passed over.
   *
   * @return the report with its repair; empty if it is not there
   * @throws IllegalStateException if nothing is missing, its messages cannot be sent again, or
   *     something was done about it before
   */
  Optional<StoredReport> sendMissing(long id, ActBy by);

  /**
   * Notes that somebody has taken care of the differences in another way, with an entry of the
   * audit.
   *
   * @return the report with its repair; empty if it is not there
   * @throws IllegalStateException if both sides agree, or something was done about it before
   */
  Optional<StoredReport> settle(long id, ActBy by);
}
