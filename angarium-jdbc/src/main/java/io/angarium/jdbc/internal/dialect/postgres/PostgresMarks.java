package io.angarium.jdbc.internal.dialect.postgres;

import io.angarium.jdbc.internal.dialect.LastSequence;
import io.angarium.store.SequenceMark;
import java.sql.Connection;
import java.sql.SQLException;

/** Marks of the sequence on PostgreSQL, see {@link PostgresOutboxSql#barrier}. */
public final class PostgresMarks {
  private PostgresMarks() {}

  /** Takes a mark, in two statements, the sequence first. */
  public static SequenceMark take(Connection connection, PostgresOutboxSql outbox)
      throws SQLException {
    long last = LastSequence.ask(outbox, connection);
    String barrier = outbox.barrier().query(connection, row -> row.getString(1)).get(0);
    return new SequenceMark(last, barrier);
  }

  /** Whether no transaction that was open at the mark is open any more. */
  public static boolean settled(Connection connection, PostgresOutboxSql outbox, SequenceMark mark)
      throws SQLException {
    return outbox.settled(mark.barrier()).query(connection, row -> row.getBoolean(1)).get(0);
  }
}
