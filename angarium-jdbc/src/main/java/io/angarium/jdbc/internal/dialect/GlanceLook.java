package io.angarium.jdbc.internal.dialect;

import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.store.WorkHint;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.LongUnaryOperator;

/** Answers the question of an idle relay, see {@link io.angarium.store.OutboxStore#glance}. */
public interface GlanceLook {
  WorkHint look(Connection connection, Collection<Integer> partitions, Duration ahead)
      throws SQLException;

  /** Told when the last sequence was asked for in another way. */
  default void forget() {}

  /** What the rows of {@link WorkSql#glance} say together. */
  static WorkHint ask(Connection connection, Sql sql, LongUnaryOperator reached)
      throws SQLException {
    List<WorkHint> parts = sql.query(connection, GlanceLook::part);
    long last = parts.stream().mapToLong(WorkHint::lastSequence).max().orElse(0);
    Duration untilDue =
        parts.stream().map(WorkHint::untilDue).filter(Objects::nonNull).findFirst().orElse(null);
    boolean due = parts.stream().anyMatch(WorkHint::due);
    return new WorkHint(reached.applyAsLong(last), due, untilDue);
  }

  /** Last sequence, whether a head is due, microseconds until a delayed message is. */
  private static WorkHint part(ResultSet row) throws SQLException {
    long micros = row.getLong(3);
    boolean delayed = !row.wasNull();
    boolean due = row.getBoolean(2) || (delayed && micros <= 0);
    Duration untilDue = delayed && micros > 0 ? Duration.of(micros, ChronoUnit.MICROS) : null;
    return new WorkHint(LastSequence.read(row, 1), due, untilDue);
  }
}
