package io.angarium.jdbc;

import io.angarium.store.NewMessage;
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
 * Writes an insert of rows of values, with only those columns that any of the messages has a value
 * for: the drivers of MySQL and MariaDB send such rows as text, and half of what the server does
 * for a row is to parse it.
 */
final class RowInsert {
  private RowInsert() {}

  /**
   * The statement.
   *
   * @param template {@code %s} stands for the columns and then for the question marks of a row
   * @param messages at least one
   */
  static Sql of(String template, List<NewMessage> messages) {
    List<MessageColumn> used = MessageColumn.used(messages);
    List<@Nullable Object> parameters = new ArrayList<>(messages.size() * used.size());
    messages.forEach(message -> parameters.addAll(values(used, message)));
    return new Sql(Repeated.times(text(template, used), messages.size()), parameters);
  }

  /**
   * True if MariaDB's driver sends a batch of these in one: it begins a new one where a value is
   * null, or is streamed, that was not in the row before.
   */
  static boolean staysInOne(List<NewMessage> messages) {
    List<MessageColumn> used = MessageColumn.used(messages);
    return messages.stream()
        .allMatch(
            message ->
                !Sql.streams(message.message().payload())
                    && used.stream().allMatch(column -> column.of(message) != null));
  }

  /** Runs the statement for each message, as one batch; gives the number of rows. */
  static int batch(Connection connection, String template, List<NewMessage> messages)
      throws SQLException {
    List<MessageColumn> used = MessageColumn.used(messages);
    String text = text(template, used);
    try (PreparedStatement statement = connection.prepareStatement(text)) {
      for (NewMessage message : messages) {
        new Sql(text, values(used, message)).bind(statement);
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

  private static String text(String template, List<MessageColumn> used) {
    String marks = String.join(", ", Collections.nCopies(used.size(), "?"));
    return String.format(template, MessageColumn.list(used), marks);
  }

  private static List<@Nullable Object> values(List<MessageColumn> used, NewMessage message) {
    List<@Nullable Object> values = new ArrayList<>(used.size());
    used.forEach(column -> values.add(MySqlFamily.value(column, message)));
    return values;
  }
}
