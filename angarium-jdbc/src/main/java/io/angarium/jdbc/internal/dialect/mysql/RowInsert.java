package io.angarium.jdbc.internal.dialect.mysql;

import io.angarium.intake.NewMessage;
import io.angarium.jdbc.internal.sql.MessageColumn;
import io.angarium.jdbc.internal.sql.Repeated;
import io.angarium.jdbc.internal.sql.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * An insert of rows of values, with only those columns that any of the messages has a value for:
 * the drivers of MySQL and MariaDB send such rows as text, and half of what the server does for a
 * row is to parse it. Immutable.
 */
public final class RowInsert {
  private static final int COLUMNS = MessageColumn.ALL.size();

  /** With a part to be {@link Repeated}. */
  private final String text;

  /** Which of all columns any message has a value for. */
  private final int[] used;

  /** What each message has for each of all columns. */
  private final List<@Nullable Object[]> rows;

  /** True if a row has no value for a column that is used, or one that is streamed. */
  private final boolean uneven;

  /**
   * Nothing is run yet.
   *
   * @param template {@code %s} stands for the columns and then for the question marks of a row
   * @param messages at least one
   */
  RowInsert(String template, List<NewMessage> messages) {
    rows = new ArrayList<>(messages.size());
    int[] values = new int[COLUMNS];
    boolean streams = false;
    for (NewMessage message : messages) {
      rows.add(row(message, values));
      streams |= Sql.streams(message.message().payload());
    }
    used = IntStream.range(0, COLUMNS).filter(i -> values[i] > 0).toArray();
    uneven = streams || IntStream.of(used).anyMatch(i -> values[i] < messages.size());
    String marks = String.join(", ", Collections.nCopies(used.length, "?"));
    String columns =
        MessageColumn.list(IntStream.of(used).mapToObj(MessageColumn.ALL::get).toList());
    text = String.format(template, columns, marks);
  }

  /** Counts the values of each column. */
  private static @Nullable Object[] row(NewMessage message, int[] values) {
    @Nullable Object[] row = new Object[COLUMNS];
    for (int i = 0; i < COLUMNS; i++) {
      row[i] = MySqlValues.value(MessageColumn.ALL.get(i), message);
      values[i] += row[i] == null ? 0 : 1;
    }
    return row;
  }

  /** One statement for all rows. */
  public Sql statement() {
    List<@Nullable Object> parameters = new ArrayList<>(rows.size() * used.length);
    for (@Nullable Object[] row : rows) {
      for (int column : used) {
        parameters.add(row[column]);
      }
    }
    return new Sql(Repeated.times(text, rows.size()), parameters);
  }

  /**
   * True if MariaDB's driver sends a batch of these in one: it begins a new one where a value is
   * null, or is streamed, that was not in the row before.
   */
  boolean staysInOne() {
    return !uneven;
  }

  /** Runs the statement of one row for each of them, as one batch; gives the number of rows. */
  int batch(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(Repeated.times(text, 1))) {
      for (@Nullable Object[] row : rows) {
        for (int i = 0; i < used.length; i++) {
          Sql.bind(statement, i + 1, row[used[i]]);
        }
        statement.addBatch();
      }
      int[] counts = statement.executeBatch();
      return (int) IntStream.of(counts).filter(RowInsert::isOneRow).count();
    }
  }

  /** A batch that is sent in one has no count for each row. */
  private static boolean isOneRow(int count) {
    return count == 1 || count == Statement.SUCCESS_NO_INFO;
  }
}
