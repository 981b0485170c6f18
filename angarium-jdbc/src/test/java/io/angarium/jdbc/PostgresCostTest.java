package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.MessageLimits;
import io.angarium.TimeSource;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.intake.Partitioning;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.jdbc.internal.dialect.BacklogLook;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.relay.Relay;
import io.angarium.store.ReadLimit;
import io.angarium.store.SequenceRange;
import io.angarium.testkit.ManualClock;
import io.angarium.testkit.fake.FakeBroker;
import io.angarium.testkit.fake.FakeTransport;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.transport.KeyOrder;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a message costs the database, by the database's own counters. */
@OnOneJdk
@RequiresServer(Server.POSTGRESQL)
final class PostgresCostTest {
  private static final int BATCH = 1_000;
  private static final int RELAYED = 50_000;

  /** The way down the index and a look into the table, for the oldest row and for the count. */
  private static final long PAGES_PER_PARTITION = 8;

  // A million takes a minute on a small machine: -Dangarium.test.dead-rows=1000000
  private static final int DEAD_ROWS = Integer.getInteger("angarium.test.dead-rows", 200_000);

  /** More than a look brings, so that others follow before a floor could rise in its own time. */
  private static final int STARTED_WITH = 10_000;

  private static final String FILL =
      """
      INSERT INTO outbox (partition_no, message_id, destination, message_key, payload)
      SELECT n %% 64, gen_random_uuid(), 'kafka:orders', 'k' || n, '\\x00'
      FROM generate_series(1, %d) AS n
      """;

  private final PostgresScene scene = new PostgresScene(EmptyDatabase.postgresSessions());

  /** Its pages would count as those of a message. */
  @BeforeEach
  void leaveOutAutovacuum() {
    EmptyDatabase.execute(scene.dataSource, "ALTER TABLE outbox SET (autovacuum_enabled = false)");
  }

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void transactionCostsOneInsertHoweverManyMessages() {
    List<String> executed = new ArrayList<>();
    DataSource counted =
        new ConnectionSource(() -> Counted.of(scene.dataSource.getConnection(), executed::add));
    MessageIntake intake =
        new MessageIntake(
            MessageLimits.DEFAULTS,
            Partitioning.DEFAULTS,
            null,
            List.of(),
            TimeSource.SYSTEM,
            new Random(7)::nextLong);
    JdbcOutbox outbox =
        JdbcDatabase.open(counted, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.NONE))
            .outbox(intake, Handover.NONE);
    List<Message> messages =
        IntStream.range(0, 5_000).mapToObj(i -> Message.of("kafka:orders", new byte[10])).toList();

    outbox.inTransaction((connection, out) -> messages.stream().map(out::send).toList());

    assertThat(executed.remove(0)).isEqualTo("SELECT version()"); // which server it is
    assertThat(executed.remove(0)).contains("FROM pg_catalog.pg_extension"); // its writers
    assertThat(executed.remove(0)).contains("FROM pg_class"); // where the tables are
    assertThat(executed.remove(0)).contains("FROM outbox_schema"); // at the start
    assertThat(executed.remove(0)).contains("FROM outbox_schema"); // as the connection is new
    assertThat(executed).hasSize(2).first().asString().startsWith("INSERT INTO outbox (");
    assertThat(executed.get(1)).isEqualTo("COMMIT");
    assertThat(EmptyDatabase.number(scene.dataSource, "SELECT count(*) FROM outbox"))
        .isEqualTo(5_000);
  }

  @Test
  void drainingCostsTwoStatementsPerBatch() throws SQLException {
    scene.write(10 * BATCH);
    List<String> executed = new ArrayList<>();
    DataSource counted =
        new ConnectionSource(() -> Counted.of(scene.dataSource.getConnection(), executed::add));
    int messages = 0;
    try (JdbcOutboxStore store =
        JdbcDatabase.open(counted, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.NONE)).store()) {
      List<StoredMessage> rows = read(store);
      executed.clear(); // the settings of the sessions, once per connection
      while (!rows.isEmpty()) {
        messages += rows.size();
        store.delete(rows.stream().map(StoredMessage::position).toList());
        rows = read(store);
      }
    }

    double perMessage = executed.size() / (double) messages;
    System.out.printf("PostgreSQL, draining: %.4f statements per message%n", perMessage);
    assertThat(messages).isEqualTo(10 * BATCH);
    assertThat(perMessage).isLessThanOrEqualTo(0.01);
  }

  /** With all that a relay asks besides: leases, the last sequence, late rows, retries. */
  @Test
  void relayDrainsABacklogWithFewStatements() throws SQLException {
    scene.write(RELAYED);
    List<String> executed = Collections.synchronizedList(new ArrayList<>());
    DataSource counted =
        new ConnectionSource(() -> Counted.of(scene.dataSource.getConnection(), executed::add));
    JdbcDatabase database =
        JdbcDatabase.open(counted, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.NONE));
    FakeTransport transport = FakeTransport.to(new FakeBroker(), "kafka", KeyOrder.PIPELINED);
    try (JdbcOutboxStore store = database.store();
        JdbcLeaseStore leases = database.leases();
        Relay relay = Relay.builder(store, leases).transport(transport).build()) {
      while (EmptyDatabase.number(scene.dataSource, "SELECT count(*) FROM outbox") > 0) {
        relay.runOnce();
      }
    }

    double perMessage = executed.size() / (double) RELAYED;
    System.out.printf("PostgreSQL, relay draining: %.4f statements per message%n", perMessage);
    assertThat(transport.stored("kafka:orders")).hasSize(RELAYED);
    assertThat(perMessage).isLessThanOrEqualTo(0.01);
  }

  private static List<StoredMessage> read(JdbcOutboxStore store) {
    return store
        .read(
            PostgresScene.everythingAfter(0),
            ReadLimit.rows(BATCH / Partitioning.DEFAULTS.keyed() + 1))
        .rows();
  }

  @Test
  void deleteWritesAtMostSixtyBytesOfLogPerMessage() throws SQLException {
    // pages written since the server's last checkpoint are in the log: no page images here
    try (QuietPostgres server = new QuietPostgres();
        PostgresScene quiet = new PostgresScene(server.emptyDatabase())) {
      List<Position> positions =
          quiet.write(10 * BATCH).stream().map(StoredMessage::position).toList();
      quiet.store.delete(List.of(new Position(0, Long.MAX_VALUE)));

      long before = QuietPostgres.logPosition(quiet.dataSource);
      for (int start = 0; start < positions.size(); start += BATCH) {
        quiet.store.delete(positions.subList(start, start + BATCH));
      }
      long after = QuietPostgres.logPosition(quiet.dataSource);
      double bytes = (after - before) / (double) positions.size();

      System.out.printf("PostgreSQL, delete of %d: %.1f bytes of WAL per message%n", BATCH, bytes);
      assertThat(EmptyDatabase.number(quiet.dataSource, "SELECT count(*) FROM outbox")).isZero();
      assertThat(bytes).isBetween(20.0, 60.0);
    }
  }

  @Test
  void pollDoesNotFeelDeadRowsUnderAPinnedSnapshot() throws SQLException {
    fill();
    long last = scene.store.lastSequence();
    Sql poll = scene.dialect.outbox().read(PostgresScene.everythingAfter(last), 100, 1_000);
    Sql pollFromTheStart =
        scene.dialect.outbox().read(List.of(SequenceRange.after(0, 0)), 100, 1_000);

    try (Connection relay = scene.relayConnection();
        Connection pin = scene.begin()) {
      pages(relay, poll);
      long clean = pages(relay, poll);
      pin.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      Sql.of("SELECT count(*) FROM outbox").run(pin);
      EmptyDatabase.execute(scene.dataSource, "DELETE FROM outbox");

      long among = pages(relay, poll);
      long fromTheStart = pages(relay, pollFromTheStart);

      System.out.printf(
          "PostgreSQL, poll: %d pages clean, %d with %d dead rows (without a cursor: %d)%n",
          clean, among, DEAD_ROWS, fromTheStart);
      assertThat(among).isLessThanOrEqualTo(clean * 3 / 2);
      assertThat(fromTheStart).as("what the cursor saves, of one partition").isGreaterThan(clean);
    }
  }

  @Test
  void backlogDoesNotFeelDeadRowsUnderAPinnedSnapshot() throws SQLException {
    try (JdbcLeaseStore leases = scene.database.leases()) {
      leases.prepare(Partitioning.DEFAULTS);
    }
    fill();
    BacklogLook look = scene.dialect.work().backlogLook(TimeSource.SYSTEM);

    try (Connection relay = scene.relayConnection();
        Connection pin = scene.begin()) {
      assertThat(look.look(relay).depth()).isEqualTo(DEAD_ROWS);
      pin.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      Sql.of("SELECT count(*) FROM outbox").run(pin);
      EmptyDatabase.execute(scene.dataSource, "DELETE FROM outbox");
      look.look(relay); // sees what is gone
      long before = pagesOfOutbox(relay);
      assertThat(scene.dialect.work().backlogLook(TimeSource.SYSTEM).look(relay).depth()).isZero();
      long everywhere = pagesOfOutbox(relay) - before;

      assertThat(look.look(relay).depth()).isZero();
      long among = pagesOfOutbox(relay) - before - everywhere;

      System.out.printf(
          "PostgreSQL, backlog: %d pages with %d dead rows, %d when it looks everywhere%n",
          among, DEAD_ROWS, everywhere);
      assertThat(among)
          .isLessThanOrEqualTo(PAGES_PER_PARTITION * Partitioning.DEFAULTS.all().length);
      assertThat(everywhere).as("what memory saves").isGreaterThan(4 * among);
    }
  }

  /** The first look passes over them to the first row; then the floors lie behind them. */
  @Test
  void relayThatStartsAmongDeadRowsPassesOverThemOnce() throws SQLException {
    List<Connection> sessions = new ArrayList<>();
    DataSource noting =
        new ConnectionSource(() -> noted(scene.dataSource.getConnection(), sessions));
    Sql fromTheStart = scene.dialect.outbox().read(PostgresScene.everythingAfter(0), 100, 1_000);
    try (Connection session = scene.relayConnection();
        Connection pin = scene.begin()) {
      Sql.of(FILL.formatted(DEAD_ROWS)).run(session);
      pin.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      Sql.of("SELECT count(*) FROM outbox").run(pin);
      Sql.of("DELETE FROM outbox").run(session);
      Sql.of(FILL.formatted(STARTED_WITH)).run(session);
      long once = pages(session, fromTheStart);
      long before = pagesOfOutbox(session);

      drain(noting, STARTED_WITH);
      for (Connection used : sessions) {
        Sql.of("SELECT pg_stat_force_next_flush()").run(used);
      }
      long among = pagesOfOutbox(session) - before;

      System.out.printf(
          "PostgreSQL, relay that starts: %d pages with %d dead rows, a read from the start: %d%n",
          among, DEAD_ROWS, once);
      assertThat(among).isLessThan(2 * once);
    } finally {
      for (Connection used : sessions) {
        used.close();
      }
    }
  }

  private static Connection noted(Connection session, List<Connection> sessions) {
    sessions.add(session);
    return Unclosable.of(session);
  }

  /** Under a clock that stands still but for the pauses of the relay. */
  private static void drain(DataSource dataSource, int messages) {
    ManualClock clock = ManualClock.create();
    JdbcDatabase database =
        JdbcDatabase.open(dataSource, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.NONE));
    AcknowledgingTransport transport = new AcknowledgingTransport();
    try (JdbcOutboxStore store = database.store();
        JdbcLeaseStore leases = database.leases();
        Relay relay = Relay.builder(store, leases).transport(transport).time(clock).build()) {
      while (transport.acknowledged() < messages) {
        relay.runOnce();
        clock.advance(Duration.ofMillis(10));
      }
    }
  }

  /** Pages of the outbox and its index that sessions have touched; this one up to now. */
  private long pagesOfOutbox(Connection session) throws SQLException {
    Sql.of("SELECT pg_stat_force_next_flush()").run(session);
    return EmptyDatabase.number(
        scene.dataSource,
        """
        SELECT heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit
        FROM pg_statio_user_tables
        WHERE relname = 'outbox'
        """);
  }

  private void fill() {
    EmptyDatabase.execute(scene.dataSource, FILL.formatted(DEAD_ROWS));
  }

  /** Pages that the statement touches. */
  private long pages(Connection connection, Sql sql) throws SQLException {
    String plan = scene.explain(connection, "(ANALYZE, BUFFERS, FORMAT JSON)", sql);
    return first(plan, "Shared Hit Blocks") + first(plan, "Shared Read Blocks");
  }

  private static long first(String plan, String counter) {
    Matcher value = Pattern.compile("\"" + counter + "\": (\\d+)").matcher(plan);
    assertThat(value.find()).as("%s in %s", counter, plan).isTrue();
    return Long.parseLong(value.group(1));
  }
}
