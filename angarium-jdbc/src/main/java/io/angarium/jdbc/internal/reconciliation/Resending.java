package io.angarium.jdbc.internal.reconciliation;

import io.angarium.MessageId;
import io.angarium.TimeSource;
import io.angarium.intake.Position;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.session.Transaction;
import io.angarium.jdbc.internal.sql.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** Sends messages of the history again, in a transaction of its caller. Thread-safe. */
public final class Resending {
  /** How much clocks of applications and the database may differ. */
  private static final Duration CLOCKS_DIFFER_MAX = Duration.ofHours(1);

  private final Dialect server;
  private final ReconciliationDialect dialect;
  private final TimeSource time;

  public Resending(Dialect server, TimeSource time) {
    this.server = server;
    this.dialect = new ReconciliationDialect(server, server.names());
    this.time = time;
  }

  /** How long ago something began, with something to spare for clocks that differ. */
  public Duration age(Instant begin) {
    Duration age = Duration.between(begin, time.instant()).plus(CLOCKS_DIFFER_MAX);
    return age.isNegative() ? Duration.ZERO : age;
  }

  private record Held(UUID id, Position at) {}

  /**
   * Sends messages again that the history holds, at the end of their keys. Those that wait anyway
   * or are dead letters are passed over.
   *
   * @param ids 1..{@link ReconciliationDialect#IDS_MAX}; ascending, and so are their times
   * @return how many are sent again
   */
  public int sendAgain(Connection connection, List<UUID> ids, String by) throws SQLException {
    Duration age = age(ReconciliationDialect.time(new MessageId(ids.get(0))));
    Map<UUID, Position> held = new HashMap<>();
    dialect
        .held(ids, age)
        .query(connection, this::held)
        .forEach(row -> held.merge(row.id(), row.at(), Resending::later));
    dialect.unsent(ids).query(connection, row -> server.uuid(row, 1)).forEach(held::remove);
    Map<Integer, List<Long>> rows = new TreeMap<>();
    held.values()
        .forEach(
            at -> rows.computeIfAbsent(at.partition(), p -> new ArrayList<>()).add(at.sequence()));
    List<Sql> inserts = new ArrayList<>();
    rows.forEach((partition, of) -> inserts.add(dialect.sendAgain(partition, of, by, age)));
    return Transaction.runEach(connection, inserts);
  }

  private Held held(ResultSet row) throws SQLException {
    return new Held(server.uuid(row, 1), new Position(row.getInt(2), row.getLong(3)));
  }

  /** A message that was sent before is in the history more than once. */
  private static Position later(Position one, Position other) {
    return one.sequence() > other.sequence() ? one : other;
  }
}
