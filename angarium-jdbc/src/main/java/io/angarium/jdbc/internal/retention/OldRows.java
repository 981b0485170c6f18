package io.angarium.jdbc.internal.retention;

import io.angarium.TimeSource;
import io.angarium.jdbc.internal.session.Session;
import io.angarium.store.WriteRefusedException;
import io.angarium.store.internal.Halving;
import io.angarium.store.internal.RefusedRows;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes old rows of one table, thousands at once. If the database refuses that, deletes them by
 * their keys, so that a row it refuses for good keeps no other. Thread-safe.
 */
public final class OldRows {
  private static final int ROWS_MAX = OldRowsDialect.ROWS_MAX;

  private static final Logger LOG = LoggerFactory.getLogger(OldRows.class);

  /** Deletes the oldest rows of at least an age, as many as one transaction takes. */
  public interface Batch {
    int delete(Connection connection, Duration age) throws SQLException;
  }

  private final String what;
  private final Batch batch;
  private final OldRowsDialect dialect;
  private final RefusedRows<OldRow> refused;

  /**
   * Creates it.
   *
   * @param what it does, e.g. "forgetting markers"
   * @param row what a row is, e.g. "marker"
   * @param remembered how long a refused row is remembered that does not come again
   */
  public OldRows(
      String what,
      String row,
      Batch batch,
      OldRowsDialect dialect,
      Duration remembered,
      TimeSource time) {
    this.what = what;
    this.batch = batch;
    this.dialect = dialect;
    this.refused = new RefusedRows<>("delete the old " + row, "It is kept.", remembered, time);
  }

  /**
   * What one call did.
   *
   * @param deleted rows
   * @param more whether there may be more that the database deletes
   */
  public record Some(int deleted, boolean more) {}

  /** Deletes some. */
  public Some deleteSome(Session session, Duration age) {
    if (refused.size() == 0) {
      try {
        int deleted = session.call(what, connection -> batch.delete(connection, age));
        return new Some(deleted, deleted > 0);
      } catch (WriteRefusedException e) {
        LOG.debug("Old rows are deleted by their keys", e);
      }
    }
    return deleteByKeys(session, age);
  }

  /**
   * The keys are read once and not locked: a row that changes meanwhile is not old any more. Ends
   * if the database takes nothing at all, as without a right; the next round passes over the rows
   * that were tried.
   */
  private Some deleteByKeys(Session session, Duration age) {
    int refusedBefore = refused.size();
    int limit = ROWS_MAX + refusedBefore;
    List<OldRow> read =
        session.call(what, connection -> dialect.old(age, limit).query(connection, dialect.key()));
    if (read.size() < limit) {
      refused.keep(Set.copyOf(read)); // another node has deleted the rest
    }
    List<OldRow> rows =
        read.stream()
            .filter(row -> !refused.rests(row))
            .sorted(Comparator.comparing(refused::has)) // those that were never refused first
            .limit(ROWS_MAX)
            .toList();
    AtomicInteger deleted = new AtomicInteger();
    Halving<OldRow> outcome =
        refused.write(
            rows,
            row -> row,
            some ->
                deleted.addAndGet(
                    session.call(
                        what, connection -> dialect.delete(age, some).update(connection))));
    boolean grew = outcome.untried().isEmpty() && refused.size() > refusedBefore;
    return new Some(deleted.get(), deleted.get() > 0 || grew);
  }

  /** What the database refuses for good to delete, for a health check; empty if nothing. */
  public Optional<String> fault() {
    return refused.fault();
  }
}
