package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.deadletter.DeadLetterQuery.Order;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.WhenUnknown;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.jdbc.internal.dialect.postgres.PostgresDialect;
import io.angarium.jdbc.internal.half.CheckDialect;
import io.angarium.jdbc.internal.sql.ParkedKey;
import io.angarium.jdbc.internal.sql.SessionRole;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.write.DeadDialect;
import io.angarium.store.DeadEntry;
import io.angarium.store.ParkedEntry;
import io.angarium.store.ReadLimit;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Every statement of the relay finds its rows by an index, whatever the statistics say. */
@OnOneJdk
@RequiresServer(Server.POSTGRESQL)
final class PostgresPlanTest {
  private final PostgresScene scene = new PostgresScene();

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void statisticsOfTheEmptyTablesDoNotLeadToFullScans() throws SQLException {
    EmptyDatabase.execute(scene.dataSource, "ANALYZE");
    List<StoredMessage> rows = scene.write(5_000);

    try (Connection relay = scene.relayConnection()) {
      for (Map.Entry<String, Sql> statement : statements(rows).entrySet()) {
        assertThat(scene.explain(relay, "", statement.getValue()))
            .as(statement.getKey())
            .containsPattern("Index (Only )?Scan")
            .doesNotContainPattern("Seq Scan on outbox(?!_id_seq)")
            .doesNotContain("Bitmap", "Hash Join", "Merge Join", "Gather");
      }
    }
  }

  @Test
  void stretchOfABacklogIsReadPageByPageWhateverTheStatisticsSay() throws SQLException {
    EmptyDatabase.execute(scene.dataSource, "ANALYZE");
    scene.write(5_000);

    try (Connection relay = scene.relayConnection(SessionRole.READ_STRETCH)) {
      assertThat(
              scene.explain(
                  relay, "", scene.dialect.outbox().readStretch(List.of(0, 1), 0, 5_000, 1_000)))
          .contains("Bitmap Heap Scan on outbox", "Bitmap Index Scan on outbox_pkey")
          .doesNotContain("Seq Scan", "Sort");
    }
  }

  @Test
  void messagesOfATransactionAreInsertedAsTheyStandInTheArrays() throws SQLException {
    try (Connection connection = scene.begin()) {
      assertThat(
              scene.explain(
                  connection, "", scene.dialect.sending().insert(PostgresScene.messages(100))))
          .contains("ProjectSet")
          .doesNotContain("Sort", "Function Scan");
    }
  }

  // EXPLAIN shows plans for given values; the server's counters tell about those kept for any value
  @Test
  void drainingNeverScansTheTable() throws SQLException {
    EmptyDatabase.execute(scene.dataSource, "ANALYZE");
    for (int round = 0; round < 12; round++) {
      List<Position> written = scene.write(500).stream().map(StoredMessage::position).toList();
      assertThat(scene.store.read(PostgresScene.everythingAfter(0), ReadLimit.rows(1_000)).rows())
          .hasSize(500);
      scene.store.readLate(PostgresScene.everythingAfter(0), null, ReadLimit.rows(1_000));
      scene.store.delete(written);
    }
    scene.store.close(); // a session reports its counts when it ends, if not before

    await(() -> counter("n_tup_del") >= 6_000);
    assertThat(counter("n_tup_del")).isEqualTo(6_000);
    assertThat(counter("idx_scan")).isPositive();
    assertThat(counter("seq_scan")).as("one to build the primary key").isLessThanOrEqualTo(1);
  }

  /** Also by a statement whose plan is kept, and before anybody looks at the filled table. */
  @Test
  void halfMessagesAreFoundByTheirKeys() throws SQLException {
    EmptyDatabase.execute(scene.dataSource, "ANALYZE");
    try (JdbcHalfMessages half =
        scene.database.halfMessages(MessageIntake.of(null), Handover.NONE)) {
      for (int round = 0; round < 12; round++) {
        List<HalfKey> keys = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
          keys.add(new HalfKey("order", round + "-" + i));
        }
        half.callAll(keys.stream().map(PostgresPlanTest::prepare).toList());
        half.callAll(
            keys.stream()
                .map(key -> (HalfCall) new HalfCall.Commit(key, WhenUnknown.REFUSE))
                .toList());
        half.prepare(HalfMessage.of(new HalfKey("lone", "" + round), MESSAGE));
        half.commit(new HalfKey("lone", "" + round));
      }
    }

    long committed = 12 * 501;
    await(() -> half("n_tup_upd") >= committed);
    assertThat(half("n_tup_upd")).isEqualTo(committed);
    assertThat(half("seq_scan")).as("one to build each index").isLessThanOrEqualTo(2);
    assertThat(half("idx_tup_fetch")).as("one to change, one to copy").isEqualTo(2 * committed);
  }

  /** And not by a look at all that wait. */
  @Test
  void dueCheckBacksAreFoundByTheirTime() throws SQLException {
    EmptyDatabase.execute(scene.dataSource, "ANALYZE");
    EmptyDatabase.execute(
        scene.dataSource,
        """
        INSERT INTO outbox_half_check (id, next_at, checks, unreachable, version)
        SELECT n, now() + (n - 10) * interval '1 minute', 0, 0, 0 FROM generate_series(1, 5000) n
        """);

    try (Connection asking = scene.relayConnection(SessionRole.WRITE_TOGETHER)) {
      assertThat(scene.explain(asking, "", new CheckDialect(scene.dialect).due(100)))
          .contains("Index Scan using outbox_half_check_next on outbox_half_check")
          .contains("Index Cond: (next_at <= ")
          .doesNotContain("Seq Scan", "Sort");
    }
  }

  private static final Message MESSAGE = Message.of("kafka:orders", new byte[200]);

  private static HalfCall prepare(HalfKey key) {
    return new HalfCall.Prepare(HalfMessage.of(key, MESSAGE));
  }

  private long half(String counter) {
    return counter("outbox_half", counter);
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!condition.getAsBoolean() && System.nanoTime() < deadline) {
      LockSupport.parkNanos(10_000_000);
    }
  }

  private long counter(String name) {
    return counter("outbox", name);
  }

  private long counter(String table, String name) {
    return EmptyDatabase.number(
        scene.dataSource,
        "SELECT " + name + " FROM pg_stat_user_tables WHERE relname = '" + table + "'");
  }

  @Test
  void withoutTheSessionSettingsTheDeleteWouldScanTheWholeTable() throws SQLException {
    EmptyDatabase.execute(scene.dataSource, "ANALYZE");
    List<StoredMessage> rows = scene.write(5_000);

    try (Connection plain = scene.dataSource.getConnection()) {
      assertThat(scene.explain(plain, "", statements(rows).get("delete")))
          .containsPattern("Seq Scan on outbox|Bitmap|Hash Join");
    }
  }

  // without the backlog, whose counts stop after 10 001 rows of each table however they find them
  private Map<String, Sql> statements(List<StoredMessage> rows) {
    PostgresDialect dialect = scene.dialect;
    List<Position> positions =
        rows.subList(0, 1_000).stream().map(StoredMessage::position).toList();
    StoredMessage row = rows.get(0);
    List<Integer> partitions = List.of(0, 1, 2);
    Map<String, Sql> statements = new LinkedHashMap<>();
    statements.put("read", dialect.outbox().read(PostgresScene.everythingAfter(0), 100, 1_000));
    statements.put(
        "readLate",
        dialect.outbox().readLate(PostgresScene.everythingAfter(0), "1:1:", 100, 1_000));
    statements.put("read at", dialect.outbox().readAt(positions, 1_000));
    statements.put("parked at", dialect.parked().parkedAt(positions, 1_000));
    statements.put("delete", dialect.outbox().delete(positions, false).get(0));
    statements.put("delete to history", dialect.outbox().delete(positions, true).get(0));
    statements.put(
        "park",
        dialect.parked().park(List.of(ParkedEntry.head(row, 1, Duration.ZERO, "e"))).get(0));
    statements.put(
        "bury", dialect.deadLetters().bury(List.of(DeadEntry.of(row, 1, "r", true))).get(0));
    statements.put("due heads", dialect.parked().dueHeads(partitions, List.of("a"), 10, 1_000));
    statements.put("parked of key", dialect.parked().parkedOfKey(0, 1, 10, 1_000));
    statements.put("delete parked", dialect.parked().deleteParked(positions, false).get(0));
    List<ParkedKey> keys = List.of(ParkedKey.of(0, 1), ParkedKey.of(1, 2));
    statements.put(
        "reschedule",
        dialect.parked().reschedule(List.of(ParkedEntry.head(row, 1, Duration.ZERO, "e"))).get(0));
    statements.put("demote", dialect.parked().demote(keys).get(0));
    statements.put("promote", dialect.parked().promote(keys).get(0));
    statements.put("still blocked", dialect.parked().stillBlocked(keys));
    statements.put("blocked keys", dialect.parked().blockedKeys(partitions));
    statements.put("any due", dialect.work().anyDue(partitions));
    statements.put("glance", dialect.work().glance(partitions, Duration.ofSeconds(2)));
    statements.put("members", dialect.leases().members(Duration.ofMinutes(1)));
    DeadDialect dead = new DeadDialect(dialect);
    statements.put("dead sizes", dead.sizes("a", row.position(), 10));
    statements.put("oldest dead", dead.rows(Order.OLDEST, row.position(), 10));
    statements.put("newest dead", dead.rows(Order.NEWEST, row.position(), 10));
    statements.put("newest dead of all", dead.rows(Order.NEWEST, null, 10));
    statements.put("dead rows of ids", dead.rowsOf(List.of(row.id())));
    statements.put("dead keys", dialect.deadLetters().deadKeysOf(List.of(row.id().value())));
    statements.put("dead of", dialect.deadLetters().deadOf(List.of(new UUID(0, 1))));
    return statements;
  }
}
