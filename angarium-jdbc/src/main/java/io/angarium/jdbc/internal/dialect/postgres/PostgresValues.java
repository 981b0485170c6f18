package io.angarium.jdbc.internal.dialect.postgres;

import io.angarium.intake.Position;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.Sql.ArrayValue;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Parameters for statements on PostgreSQL, and values of their results. */
final class PostgresValues {
  private PostgresValues() {}

  static Sql atPositions(String text, List<Position> positions, int inline) {
    return Sql.of(
        text,
        inline,
        array("int2", positions, p -> (short) p.partition()),
        array("int8", positions, Position::sequence));
  }

  static Sql atPositions(String text, List<Position> positions) {
    return Sql.of(
        text,
        array("int2", positions, p -> (short) p.partition()),
        array("int8", positions, Position::sequence));
  }

  static ArrayValue partitionArray(Collection<Integer> partitions) {
    return array("int2", partitions, Integer::shortValue);
  }

  static ArrayValue uuidArray(Collection<UUID> ids) {
    return array("uuid", ids, id -> id);
  }

  static <T> ArrayValue array(
      String type, Collection<T> rows, Function<T, @Nullable Object> column) {
    List<@Nullable Object> elements = new ArrayList<>(rows.size());
    for (T row : rows) {
      elements.add(column.apply(row));
    }
    return new ArrayValue(type, elements);
  }

  static UUID uuid(ResultSet row, int column) throws SQLException {
    return Objects.requireNonNull(row.getObject(column, UUID.class));
  }

  static Instant instant(ResultSet row, int column) throws SQLException {
    return row.getTimestamp(column).toInstant(); // an OffsetDateTime costs the driver far more
  }
}
