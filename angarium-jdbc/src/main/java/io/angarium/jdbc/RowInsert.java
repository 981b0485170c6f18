package io.angarium.jdbc;

import io.angarium.store.NewMessage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * An insert of rows of values, with only those columns that any of the messages has a value for:
 * the drivers of MySQL and MariaDB send such rows as text, and half of what the server does for a
 * row is to parse it. Immutable.
 */
final class RowInsert {
  /** With a part to be {@link Repeated}. */
  private final String text;

  private final Set<MessageColumn> used = EnumSet.noneOf(MessageColumn.class);

  /** What each message has a value for. */
  private final List<Map<MessageColumn, Object>> rows;

  /**
   * Nothing is run yet.
   *
   * @param template {@code %s} stands for the columns and then for the question marks of a row
   * @param messages at least one
   */
  RowInsert(String template, List<NewMessage> messages) {
    rows = messages.stream().map(RowInsert::row).toList();
    rows.forEach(row -> used.addAll(row.keySet()));
    String marks = String.join(", ", Collections.nCopies(used.size(), "?"));
    text = String.format(template, MessageColumn.list(used), marks);
  }

  private static Map<MessageColumn, Object> row(NewMessage message) {
    Map<MessageColumn, Object> row = new EnumMap<>(MessageColumn.class);
    for (MessageColumn column : MessageColumn.ALL) {
      Object value = MySqlFamily.value(column, message);
      if (value != null) {
        row.put(column, value);
      }
    }
    return row;
  }

  /** One statement for all rows. */
  Sql statement() {
    List<@Nullable Object> parameters = new ArrayList<>(rows.size() * used.size());
    rows.forEach(row -> parameters.addAll(values(row)));
    return new Sql(Repeated.times(text, rows.size()), parameters);
  }

  /**
   * True if MariaDB's driver sends a batch of these in one: it begins a new one where a value is
   * null, or is streamed, that was not in the row before.
   */
  boolean staysInOne() {
    return rows.stream().allMatch(row -> row.size() == used.size() && !streams(row));
  }

  private static boolean streams(Map<MessageColumn, Object> row) {
    return row.get(MessageColumn.PAYLOAD) instanceof byte[] payload && Sql.streams(payload);
  }

  /** Runs the statement of one row for each of them, as one batch; gives the number of rows. */
  int batch(Connection connection) throws SQLException {
    String one = Repeated.times(text, 1);
    try (PreparedStatement statement = connection.prepareStatement(one)) {
      for (Map<MessageColumn, Object> row : rows) {
        new Sql(one, values(row)).bind(statement);
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

  private List<@Nullable Object> values(Map<MessageColumn, Object> row) {
    List<@Nullable Object> values = new ArrayList<>(used.size());
    used.forEach(column -> values.add(row.get(column)));
    return values;
  }
}
