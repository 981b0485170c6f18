package io.angarium.jdbc;

import io.angarium.store.Glance;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.function.LongUnaryOperator;

/** Answers the question of an idle relay, see {@link io.angarium.store.OutboxStore#glance}. */
interface GlanceLook {
  Glance look(Connection connection, Collection<Integer> partitions) throws SQLException;

  /** Told when the last sequence was asked for in another way. */
  default void forget() {}

  /** What the rows of {@link Dialect#glance} say together. */
  static Glance ask(Connection connection, Sql sql, LongUnaryOperator reached) throws SQLException {
    List<Glance> parts =
        sql.query(connection, row -> new Glance(row.getLong(1), row.getBoolean(2)));
    long last = parts.stream().mapToLong(Glance::lastSequence).max().orElse(0);
    return new Glance(reached.applyAsLong(last), parts.stream().anyMatch(Glance::due));
  }
}
