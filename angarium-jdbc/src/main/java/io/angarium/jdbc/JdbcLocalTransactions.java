package io.angarium.jdbc;

import io.angarium.half.CheckBack;
import io.angarium.half.Marker;
import io.angarium.half.Verdict;
import io.angarium.half.local.LocalTransactions;
import io.angarium.half.local.LocalWork;
import io.angarium.half.local.OutcomeUnknownException;
import io.angarium.jdbc.internal.sql.OwnTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Local transactions for plain JDBC: each takes a connection, and gives it back. A question takes a
 * further one, so a pool must have some to spare. Costs an INSERT and a SELECT by its key for each
 * transaction. Old markers are deleted by {@link Retention#forgetMarkers}. Thread-safe.
 */
public final class JdbcLocalTransactions implements LocalTransactions<Connection> {
  private final DataSource dataSource;
  private final JdbcMarkers markers;

  JdbcLocalTransactions(DataSource dataSource, JdbcMarkers markers) {
    this.dataSource = dataSource;
    this.markers = markers;
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> T run(
      Marker marker, LocalWork<Connection, T, X> work) throws X {
    try (OwnTransaction transaction = OwnTransaction.begin(dataSource)) {
      T result;
      try {
        markers.claim(transaction.connection(), marker);
        result = work.in(transaction.connection());
        markers.confirm(transaction.connection(), marker);
      } catch (Throwable e) {
        transaction.rollBack(e);
        throw e;
      }
      commit(transaction, marker);
      return result;
    }
  }

  private static void commit(OwnTransaction transaction, Marker marker) {
    try {
      transaction.commit();
    } catch (SQLException | RuntimeException e) {
      OutcomeUnknownException unknown = new OutcomeUnknownException(marker, e);
      transaction.rollBack(unknown);
      throw unknown;
    }
  }

  @Override
  public Verdict check(Marker marker) {
    return markers.check(marker);
  }

  @Override
  public CheckBack checkBack() {
    return markers.checkBack();
  }
}
