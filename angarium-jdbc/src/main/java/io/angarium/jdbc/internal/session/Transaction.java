package io.angarium.jdbc.internal.session;

import io.angarium.jdbc.internal.dialect.LeaseSql;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.store.lease.Lease;
import io.angarium.store.lease.LeaseLostException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;

/** Steps that several transactions of the relay share. */
public final class Transaction {
  private Transaction() {}

  /**
   * Holds the leases until the transaction ends, so that no new owner can come between.
   *
   * @throws LeaseLostException if one of them is lost
   */
  public static void fence(Connection connection, LeaseSql sql, Collection<Lease> leases)
      throws SQLException {
    int held = sql.fence(leases).run(connection);
    if (held != leases.size()) {
      throw new LeaseLostException(
          (leases.size() - held)
              + " of the leases "
              + leases
              + " are lost; nothing was written, the new owner goes on from what is stored",
          null);
    }
  }

  /** Runs the statements in order and returns the count of the last one; 0 for none. */
  public static int runAll(Connection connection, List<Sql> statements) throws SQLException {
    int count = 0;
    for (Sql statement : statements) {
      count = statement.run(connection);
    }
    return count;
  }

  /** Runs the statements in order and returns the sum of their counts. */
  public static int runEach(Connection connection, List<Sql> statements) throws SQLException {
    int sum = 0;
    for (Sql statement : statements) {
      sum += statement.run(connection);
    }
    return sum;
  }
}
