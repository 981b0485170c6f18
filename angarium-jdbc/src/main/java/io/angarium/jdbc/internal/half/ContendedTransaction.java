package io.angarium.jdbc.internal.half;

import io.angarium.StoreException;
import io.angarium.jdbc.internal.dialect.SessionSql;
import io.angarium.jdbc.internal.session.Session;
import java.sql.SQLException;

/**
 * Transactions on half messages, which other processes hold in another order: one that the database
 * ends in favour of another one, as two wait for each other, is made again. Thread-safe.
 */
public final class ContendedTransaction {
  /** Another one may be in the way again. */
  public static final int ATTEMPTS_MAX = 10;

  private ContendedTransaction() {}

  /**
   * Runs statements as one transaction.
   *
   * @param what for the error message
   * @param work what an attempt that failed has done is rolled back, and done anew
   * @throws StoreException if it fails for another reason, or too often for this one
   */
  public static <T> T run(Session session, SessionSql sql, String what, Session.Work<T> work) {
    for (int attempt = 1; ; attempt++) {
      try {
        return session.transaction(what, work);
      } catch (StoreException e) {
        if (attempt >= ATTEMPTS_MAX || !isOverAtOnce(sql, e)) {
          throw e;
        }
      }
    }
  }

  /** A lock that was waited for in vain is not: the next wait would be as long. */
  private static boolean isOverAtOnce(SessionSql sql, StoreException e) {
    return e.getCause() instanceof SQLException cause
        && (sql.isDeadlock(cause) || HalfTransaction.GONE.equals(cause.getSQLState()));
  }
}
