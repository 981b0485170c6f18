package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.BusinessKey;
import io.angarium.BusinessKey.Uniqueness;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.deadletter.DeadLetterQuery.Order;
import io.angarium.intake.NewMessage;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.jdbc.internal.dialect.mysql.MySqlFamily;
import io.angarium.jdbc.internal.half.CheckDialect;
import io.angarium.jdbc.internal.sql.ParkedKey;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.Stretch;
import io.angarium.jdbc.internal.sql.StripedKey;
import io.angarium.jdbc.internal.write.DeadDialect;
import io.angarium.store.DeadEntry;
import io.angarium.store.ParkedEntry;
import io.angarium.store.SequenceRange;
import io.angarium.store.lease.Lease;
import io.angarium.store.lease.NodeId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Every statement of the relay finds its rows by an index, whatever the statistics say. */
interface MySqlPlans {
  List<String> ANALYZED =
      List.of("", "_delayed", "_parked", "_dead", "_dedup", "_lease", "_node", "_half_check");

  DataSource database();

  /** One line of EXPLAIN. */
  record Step(String kind, String table, String access) {
    /** Not rows given as JSON, nor something made of others, nor where an insert goes to. */
    boolean isTable() {
      return !kind.equals("INSERT")
          && !table.isEmpty()
          && !table.startsWith("<")
          && !table.equals("v");
    }

    /** The information schema has plans of its own, and no index of ours. */
    boolean countsFor(String statement) {
      return isTable() && (!statement.equals("glance") || table.startsWith("outbox"));
    }
  }

  @Test
  default void statisticsOfTheEmptyTablesDoNotLeadToFullScans() throws SQLException {
    try (MySqlScene scene = new MySqlScene(database());
        Connection relay = scene.relayConnection()) {
      analyze(scene);
      List<StoredMessage> rows = scene.write(5_000);
      writeChecks(scene);
      assertNoFullScans(relay, statements(scene, rows));
    }
  }

  @Test
  default void statisticsOfTheFullTableDoNotLeadToFullScansEither() throws SQLException {
    try (MySqlScene scene = new MySqlScene(database());
        Connection relay = scene.relayConnection()) {
      List<StoredMessage> rows = scene.write(5_000);
      writeChecks(scene);
      analyze(scene);
      assertNoFullScans(relay, statements(scene, rows));
    }
  }

  /** Check-backs, of which a few are due. */
  private static void writeChecks(MySqlScene scene) {
    EmptyDatabase.execute(
        scene.dataSource,
        """
        INSERT INTO outbox_half_check (id, next_at, checks, unreachable, version)
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900)
        SELECT i, UTC_TIMESTAMP(6) + INTERVAL (i - 10) MINUTE, 0, 0, 0 FROM n
        """);
  }

  private static void analyze(MySqlScene scene) {
    for (String table : ANALYZED) {
      EmptyDatabase.execute(scene.dataSource, "ANALYZE TABLE outbox" + table);
    }
  }

  private static void assertNoFullScans(Connection relay, Map<String, Sql> statements)
      throws SQLException {
    for (Map.Entry<String, Sql> statement : statements.entrySet()) {
      List<Step> steps = steps(relay, statement.getValue());
      String name = statement.getKey();
      assertThat(steps).as(name).anyMatch(step -> step.countsFor(name));
      assertThat(steps)
          .as(name)
          .filteredOn(step -> step.countsFor(name))
          .extracting(Step::access)
          .isSubsetOf(accesses(name));
    }
  }

  @Test
  default void whetherThereIsAnythingIsKnownWhenTheStatementIsPlanned() throws SQLException {
    try (MySqlScene scene = new MySqlScene(database());
        Connection relay = scene.relayConnection()) {
      List<StoredMessage> rows = scene.write(5_000);
      scene.store.delete(rows.subList(0, 4_000).stream().map(StoredMessage::position).toList());
      Sql sql = scene.dialect.work().anything(rows.get(4_500).position().sequence(), Duration.ZERO);

      assertThat(
              new Sql("EXPLAIN FORMAT=TRADITIONAL " + sql.text(), sql.parameters())
                  .query(relay, row -> Objects.toString(row.getString("Extra"), "")))
          .filteredOn(extra -> !extra.equals("No tables used"))
          .hasSize(3)
          .containsOnly("Select tables optimized away", "No matching min/max row");
    }
  }

  // all keys of few rows, read without locks from an index that holds nothing else
  private static Set<String> accesses(String statement) {
    return statement.equals("blocked keys")
        ? Set.of("ref", "range", "index")
        : Set.of("eq_ref", "ref", "range", "const");
  }

  static List<Step> steps(Connection relay, Sql sql) throws SQLException {
    return new Sql("EXPLAIN FORMAT=TRADITIONAL " + sql.text(), sql.parameters())
        .query(
            relay,
            row ->
                new Step(
                    row.getString("select_type"),
                    Objects.toString(row.getString("table"), ""),
                    Objects.toString(row.getString("type"), "")));
  }

  private static Map<String, Sql> statements(MySqlScene scene, List<StoredMessage> rows) {
    MySqlFamily dialect = scene.dialect;
    List<Position> positions =
        rows.subList(0, 1_500).stream().map(StoredMessage::position).sorted().toList();
    StoredMessage row = rows.get(0);
    List<Integer> partitions = List.of(0, 1, 2);
    Map<String, Sql> statements = new LinkedHashMap<>();
    statements.put("read", dialect.outbox().read(PostgresScene.everythingAfter(0), 100, 1_000));
    statements.put("positions", dialect.outbox().positions(stretch(0), 100));
    statements.put("read stretch", dialect.outbox().readStretch(partitions, 0, 5_000, 1_000));
    statements.put("read at", dialect.outbox().readAt(positions, 1_000));
    statements.put("parked at", dialect.parked().parkedAt(positions, 1_000));
    statements.put("ids", dialect.outbox().ids(0, 100, 100));
    long last = rows.get(rows.size() - 1).position().sequence();
    statements.put("highest id", dialect.outbox().highestId(100));
    statements.put("highest id, none there", dialect.outbox().highestId(last + 100_000));
    statements.put("ids, none there", dialect.outbox().ids(last, last + 100, 100));
    statements.put("positions, none there", dialect.outbox().positions(stretch(last), 100));
    put(statements, "delete", dialect.outbox().delete(positions, false));
    put(statements, "delete to history", dialect.outbox().delete(positions, true));
    put(
        statements,
        "park",
        dialect.parked().park(List.of(ParkedEntry.head(row, 1, Duration.ZERO, "e"))));
    put(statements, "bury", dialect.deadLetters().bury(List.of(DeadEntry.of(row, 1, "r", true))));
    statements.put("due heads", dialect.parked().dueHeads(partitions, List.of("a"), 10, 1_000));
    statements.put("parked of key", dialect.parked().parkedOfKey(0, 1, 10, 1_000));
    put(statements, "delete parked", dialect.parked().deleteParked(positions, true));
    put(
        statements,
        "reschedule",
        dialect.parked().reschedule(List.of(ParkedEntry.head(row, 1, Duration.ZERO, "e"))));
    List<ParkedKey> keys = List.of(ParkedKey.of(0, 1), ParkedKey.of(1, 2));
    put(statements, "demote", dialect.parked().demote(keys));
    put(statements, "promote", dialect.parked().promote(keys));
    statements.put("still blocked", dialect.parked().stillBlocked(keys));
    statements.put("blocked keys", dialect.parked().blockedKeys(partitions));
    statements.put("any due", dialect.work().anyDue(partitions));
    statements.put("glance", dialect.work().glance(partitions, Duration.ofSeconds(2)));
    statements.put("due", dialect.work().due(partitions, 10));
    statements.put("due check-backs", new CheckDialect(dialect).due(100));
    put(statements, "move due", dialect.work().moveDue(List.of(1L, 2L)));
    DeadDialect dead = new DeadDialect(dialect);
    statements.put("dead sizes", dead.sizes("a", row.position(), 10));
    statements.put("oldest dead", dead.rows(Order.OLDEST, row.position(), 10));
    statements.put("newest dead", dead.rows(Order.NEWEST, row.position(), 10));
    statements.put("newest dead of all", dead.rows(Order.NEWEST, null, 10));
    statements.put("dead rows of ids", dead.rowsOf(List.of(row.id())));
    statements.put("dead keys", dialect.deadLetters().deadKeysOf(List.of(row.id().value())));
    statements.put("dead of", dialect.deadLetters().deadOf(List.of(new UUID(0, 1))));
    put(
        statements,
        "requeue blocking",
        dialect.deadLetters().requeueBlocking(List.of(new UUID(0, 1)), "a"));
    put(
        statements,
        "requeue others",
        dialect.deadLetters().requeueOthers(List.of(new UUID(0, 1)), "a"));
    statements.put("discard", dialect.deadLetters().discard(List.of(new UUID(0, 1))));
    Lease lease = new Lease(0, new NodeId("node", new UUID(0, 1)), 1);
    statements.put("fence", dialect.leases().fence(List.of(lease)));
    statements.put("lock partitions", dialect.leases().lockPartitions(partitions));
    put(statements, "release", dialect.leases().release(List.of(lease)));
    statements.put(
        "refresh node", dialect.leases().refreshNode(lease.node(), true, Duration.ZERO, 0));
    NewMessage unique =
        new NewMessage(
            new MessageId(new UUID(1, 1)),
            0,
            Message.of("kafka:a", new byte[0])
                .business(new BusinessKey("t", "k", Uniqueness.REFUSE)));
    List<StripedKey> guarded = StripedKey.guarded(List.of(unique));
    statements.put("lock business keys", dialect.sending().lockBusinessKeys(guarded));
    statements.put("release business keys", dialect.sending().releaseBusinessKeys(List.of(unique)));
    statements.put("trim history", dialect.outbox().trimSent(Duration.ofDays(1), 100));
    statements.put("old business keys", dialect.sending().oldBusinessKeys(Duration.ofDays(1), 100));
    return statements;
  }

  private static Stretch stretch(long after) {
    return Stretch.around(
        IntStream.range(0, 64).mapToObj(i -> new SequenceRange(i, after, after + 100)).toList());
  }

  private static void put(Map<String, Sql> statements, String name, List<Sql> several) {
    for (int i = 0; i < several.size(); i++) {
      statements.put(name + ", step " + i, several.get(i));
    }
  }
}
