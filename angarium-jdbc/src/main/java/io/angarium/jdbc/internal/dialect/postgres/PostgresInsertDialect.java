package io.angarium.jdbc.internal.dialect.postgres;

import io.angarium.intake.NewMessage;
import io.angarium.jdbc.internal.sql.MessageColumn;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.Sql.ArrayValue;
import io.angarium.jdbc.internal.sql.TableNames;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The insert of rows into the outbox of PostgreSQL, with only those columns that any of the
 * messages has a value for. What all of them have in common is sent once. Thread-safe.
 */
public final class PostgresInsertDialect {
  /** The columns that are used, then their question marks. Parameters: one per column. */
  private static final String ONE =
      """
      INSERT INTO outbox (
        %s)
      VALUES (%s)
      """;

  /**
   * Arrays side by side are rows in their order; in the FROM clause, they would be stored and
   * sorted to have one. The columns that are used, then their arrays or the value of all rows.
   * Parameters: one per column.
   */
  private static final String MANY =
      """
      INSERT INTO outbox (
        %s)
      SELECT
        %s
      """;

  private final TableNames names;

  /** A few in every application. */
  private final Map<Shape, String> texts = new ConcurrentHashMap<>();

  PostgresInsertDialect(TableNames names) {
    this.names = names;
  }

  /**
   * What a text is made of.
   *
   * @param common the columns that hold the same in all rows
   */
  private record Shape(boolean one, List<MessageColumn> used, List<MessageColumn> common) {}

  /**
   * One statement for all of them, in their order.
   *
   * @param messages at least one
   */
  Sql of(List<NewMessage> messages) {
    List<MessageColumn> used = MessageColumn.used(messages);
    boolean one = messages.size() == 1;
    List<MessageColumn> common = one ? List.of() : MessageColumn.common(messages);
    List<@Nullable Object> parameters = new ArrayList<>(used.size());
    for (MessageColumn column : used) {
      boolean scalar = one || common.contains(column);
      parameters.add(scalar ? column.of(messages.get(0)) : array(column, messages));
    }
    return new Sql(texts.computeIfAbsent(new Shape(one, used, common), this::text), parameters);
  }

  private String text(Shape shape) {
    List<MessageColumn> used = shape.used();
    String values =
        shape.one()
            ? String.join(", ", Collections.nCopies(used.size(), "?"))
            : used.stream().map(column -> rows(column, shape)).collect(Collectors.joining(", "));
    String template = shape.one() ? ONE : MANY;
    return String.format(names.in(template), MessageColumn.list(used), values);
  }

  private static String rows(MessageColumn column, Shape shape) {
    String type = type(column);
    return shape.common().contains(column) ? "?::" + type : "unnest(?::" + type + "[])";
  }

  /** What a column holds, as an array. */
  static ArrayValue array(MessageColumn column, List<NewMessage> messages) {
    List<@Nullable Object> elements = new ArrayList<>(messages.size());
    for (NewMessage message : messages) {
      boolean isPartition = column == MessageColumn.PARTITION_NO;
      elements.add(isPartition ? (Object) (short) message.partition() : column.of(message));
    }
    return new ArrayValue(type(column), elements);
  }

  /** The type of a column. */
  public static String type(MessageColumn column) {
    return switch (column) {
      case PARTITION_NO -> "int2";
      case MESSAGE_ID -> "uuid";
      case PAYLOAD -> "bytea";
      default -> "text";
    };
  }
}
