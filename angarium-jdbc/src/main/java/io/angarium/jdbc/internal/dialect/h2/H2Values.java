package io.angarium.jdbc.internal.dialect.h2;

import io.angarium.intake.Position;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.Sql.ArrayValue;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Parameters for statements on H2, and values of their results. */
final class H2Values {
  /** SQLState of a broken unique key. */
  static final String DUPLICATE = "23505";

  private H2Values() {}

  static Sql bounded(int inline, Sql sql) {
    List<@Nullable Object> parameters = new ArrayList<>(List.of(inline));
    parameters.addAll(sql.parameters());
    return new Sql(sql.text(), parameters);
  }

  static Sql atPositions(String text, List<Position> positions) {
    return Sql.of(
        text,
        array("BIGINT", positions, Position::sequence),
        array("SMALLINT", positions, Position::partition));
  }

  static ArrayValue partitionArray(Collection<Integer> partitions) {
    return array("SMALLINT", partitions, partition -> partition);
  }

  static ArrayValue uuidArray(Collection<UUID> ids) {
    return array("UUID", ids, id -> id);
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
    return Objects.requireNonNull(row.getObject(column, OffsetDateTime.class)).toInstant();
  }
}
