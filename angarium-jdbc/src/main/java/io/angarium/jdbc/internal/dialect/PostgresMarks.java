package io.angarium.jdbc.internal.dialect;

import io.angarium.store.SequenceMark;
import java.sql.Connection;
import java.sql.SQLException;

/** Marks of the sequence on PostgreSQL, see {@link PostgresDialect#barrier}. */
public final class PostgresMarks {
  private PostgresMarks() {}

  /** Takes a mark, in two statements, the sequence first. */
  public static SequenceMark take(Connection connection, PostgresDialect dialect)
      throws SQLException {
    long last = LastSequence.ask(dialect, connection);
    String barrier = dialect.barrier().query(connection, row -> row.getString(1)).get(0);
    return new SequenceMark(last, barrier);
  }

  /** Whether no transaction that was open at the mark is open any more. */
  public static boolean settled(Connection connection, PostgresDialect dialect, SequenceMark mark)
      throws SQLException {
    return dialect.settled(mark.barrier()).query(connection, row -> row.getBoolean(1)).get(0);
  }
}
