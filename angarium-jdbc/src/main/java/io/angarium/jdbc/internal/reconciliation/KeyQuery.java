package io.angarium.jdbc.internal.reconciliation;

import io.angarium.jdbc.internal.sql.OwnTransaction;
import io.angarium.jdbc.internal.sql.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** Reads keys for a reconciliation, a few thousand at a time where the driver can. */
public final class KeyQuery {
  private static final int FETCH_SIZE = 5_000;

  private KeyQuery() {}

  /** What must hold of a connection before anything is read on it. */
  @FunctionalInterface
  public interface Check {
    void of(Connection connection) throws SQLException;
  }

  /** Reads each key in a transaction of its own, which writes nothing. */
  public static void read(
      DataSource dataSource,
      String what,
      Sql sql,
      Sql.RowReader<String> key,
      Consumer<String> each) {
    read(dataSource, connection -> {}, what, sql, key, each);
  }

  /** Reads keys on a connection that passes a check. */
  public static void read(
      DataSource dataSource,
      Check check,
      String what,
      Sql sql,
      Sql.RowReader<String> key,
      Consumer<String> each) {
    try (OwnTransaction transaction = OwnTransaction.begin(dataSource)) {
      try {
        check.of(transaction.connection());
        read(transaction.connection(), sql, key, each);
        transaction.commit();
      } catch (SQLException e) {
        transaction.rollBack(e);
        throw OwnTransaction.failure("Failed reading " + what, e);
      } catch (Throwable e) {
        transaction.rollBack(e);
        throw e;
      }
    }
  }

  /** Connector/J streams rows one by one, or takes all of them into memory. */
  private static int fetchSize(Connection connection) throws SQLException {
    return connection.getMetaData().getDriverName().contains("MySQL")
        ? Integer.MIN_VALUE
        : FETCH_SIZE;
  }

  private static void read(
      Connection connection, Sql sql, Sql.RowReader<String> key, Consumer<String> each)
      throws SQLException {
    try (PreparedStatement statement = sql.prepare(connection)) {
      statement.setFetchSize(fetchSize(connection));
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          each.accept(key.read(rows));
        }
      }
    }
  }
}
