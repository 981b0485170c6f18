package io.angarium.jdbc;

import io.angarium.store.Glance;
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
interface GlanceLook {
  Glance look(Connection connection, Collection<Integer> partitions, Duration ahead)
      throws SQLException;

  /** Told when the last sequence was asked for in another way. */
  default void forget() {}

  /** What the rows of {@link Dialect#glance} say together. */
  static Glance ask(Connection connection, Sql sql, LongUnaryOperator reached) throws SQLException {
    List<Glance> parts = sql.query(connection, GlanceLook::part);
    long last = parts.stream().mapToLong(Glance::lastSequence).max().orElse(0);
    Duration untilDue =
        parts.stream().map(Glance::untilDue).filter(Objects::nonNull).findFirst().orElse(null);
    boolean due = parts.stream().anyMatch(Glance::due);
    return new Glance(reached.applyAsLong(last), due, untilDue);
  }

  /** Last sequence, whether a head is due, microseconds until a delayed message is. */
  private static Glance part(ResultSet row) throws SQLException {
    long micros = row.getLong(3);
    boolean delayed = !row.wasNull();
    boolean due = row.getBoolean(2) || (delayed && micros <= 0);
    Duration untilDue = delayed && micros > 0 ? Duration.of(micros, ChronoUnit.MICROS) : null;
    return new Glance(LastSequence.read(row, 1), due, untilDue);
  }
}
