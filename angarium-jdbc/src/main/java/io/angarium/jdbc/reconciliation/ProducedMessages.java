package io.angarium.jdbc.reconciliation;

import io.angarium.MessageId;
import io.angarium.TimeSource;
import io.angarium.intake.Position;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.reconciliation.KeyQuery;
import io.angarium.jdbc.internal.reconciliation.ReconciliationDialect;
import io.angarium.jdbc.internal.session.OpenDatabase;
import io.angarium.jdbc.internal.session.Session;
import io.angarium.jdbc.internal.session.Transaction;
import io.angarium.jdbc.internal.sql.SessionRole;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.reconciliation.ReconciledSide;
import io.angarium.reconciliation.Window;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * The messages that were produced for one destination, by their ids, whatever has become of them:
 * sent, waiting, delayed or dead letters. Goes by the time in the id, which is that of the send.
 * What was sent is known only where a history is kept, and as long as it is not cut. Thread-safe.
 */
public final class ProducedMessages implements ReconciledSide {
  /** How much clocks of applications and the database may differ. */
  private static final Duration CLOCKS_DIFFER_MAX = Duration.ofHours(1);

  private final OpenDatabase database;
  private final Dialect server;
  private final ReconciliationDialect dialect;
  private final String destination;
  private final TimeSource time;

  /** Made by {@code JdbcDatabase}. */
  public ProducedMessages(OpenDatabase database, String destination) {
    this.database = database;
    this.server = database.dialect();
    this.dialect = new ReconciliationDialect(server, server.names());
    this.destination = destination;
    this.time = database.time();
  }

  @Override
  public String name() {
    return destination;
  }

  @Override
  public void keys(Window window, Consumer<String> each) {
    KeyQuery.read(
        database.dataSource(),
        database.source()::check,
        "messages for " + destination,
        dialect.produced(destination, window, age(window.from())),
        row -> server.uuid(row, 1).toString(),
        each);
  }

  private Duration age(Instant begin) {
    Duration age = Duration.between(begin, time.instant()).plus(CLOCKS_DIFFER_MAX);
    return age.isNegative() ? Duration.ZERO : age;
  }

  /**
   * Sends messages again that the history holds, at the end of their keys. Those that wait to be
   * sent anyway, are dead letters or are not in the history are passed over. Blocks; commits some
   * hundred at a time, so that after a failure it can be called with all of them once more while
   * they wait.
   *
   * @param ids as a report of {@link io.angarium.reconciliation.Reconciliation} names them missing;
   *     of messages so young that an inbox which has processed them after all remembers it
   * @param by who decided, kept with the messages as "updated by"
   * @return how many are sent again
   */
  public int sendAgain(Collection<String> ids, String by) {
    List<UUID> sorted = ids.stream().map(UUID::fromString).distinct().sorted().toList();
    int sent = 0;
    try (Session session = database.session(SessionRole.WRITE)) {
      for (int from = 0; from < sorted.size(); from += ReconciliationDialect.IDS_MAX) {
        int to = Math.min(from + ReconciliationDialect.IDS_MAX, sorted.size());
        List<UUID> some = sorted.subList(from, to);
        sent +=
            session.transaction(
                "sending messages again", connection -> sendAgain(connection, some, by));
      }
    }
    return sent;
  }

  private record Held(UUID id, Position at) {}

  /** The ids are ascending, and so are their times. */
  private int sendAgain(Connection connection, List<UUID> ids, String by) throws SQLException {
    Duration age = age(ReconciliationDialect.time(new MessageId(ids.get(0))));
    Map<UUID, Position> held = new HashMap<>();
    dialect
        .held(ids, age)
        .query(connection, this::held)
        .forEach(row -> held.merge(row.id(), row.at(), ProducedMessages::later));
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
