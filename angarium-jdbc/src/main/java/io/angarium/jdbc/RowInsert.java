package io.angarium.jdbc;

import io.angarium.store.NewMessage;
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
  private static final List<String> COLUMNS =
      List.of(
          "partition_no",
          "message_id",
          "destination",
          "message_key",
          "message_type",
          "headers",
          "business_type",
          "business_key",
          "created_by",
          "payload");

  private RowInsert() {}

  /**
   * The statement.
   *
   * @param template {@code %s} stands for the columns and then for the question marks of a row
   * @param messages at least one
   */
  static Sql of(String template, List<NewMessage> messages) {
    List<List<@Nullable Object>> rows = messages.stream().map(MySqlFamily::values).toList();
    int[] used =
        IntStream.range(0, COLUMNS.size())
            .filter(column -> rows.stream().anyMatch(row -> row.get(column) != null))
            .toArray();
    List<String> names = IntStream.of(used).mapToObj(COLUMNS::get).toList();
    String marks = String.join(", ", Collections.nCopies(used.length, "?"));
    List<@Nullable Object> parameters = new ArrayList<>(rows.size() * used.length);
    for (List<@Nullable Object> row : rows) {
      for (int column : used) {
        parameters.add(row.get(column));
      }
    }
    String text = String.format(template, String.join(", ", names), marks);
    return new Sql(Repeated.times(text, rows.size()), parameters);
  }
}
