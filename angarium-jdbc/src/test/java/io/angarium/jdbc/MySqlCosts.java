package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.BusinessKey;
import io.angarium.BusinessKey.Uniqueness;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.MessageLimits;
import io.angarium.TimeSource;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.intake.NewMessage;
import io.angarium.intake.Partitioning;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.jdbc.internal.dialect.BacklogLook;
import io.angarium.jdbc.internal.dialect.mysql.MySqlGlanceLook;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.store.LateRows;
import io.angarium.store.ReadLimit;
import io.angarium.store.SequenceMark;
import io.angarium.store.SequenceRange;
import io.angarium.store.WorkHint;
import io.angarium.testkit.ManualClock;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** How many statements a message costs. */
interface MySqlCosts {
  int BATCH = 1_000;
  int DEAD = 100_000;

  /** Three ways down an index that has grown, in 16 partitions. */
  long WAYS_DOWN = 3 * 6 * 16;

  String DEAD_ROWS =
      """
      INSERT INTO outbox (created_at, partition_no, message_id, destination, payload)
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %1$d)
      SELECT UTC_TIMESTAMP(6), a.i %% 64, REPEAT('0', 16), 'kafka:orders', REPEAT('x', 100)
      FROM n AS a CROSS JOIN n AS b
      WHERE b.i <= %2$d / %1$d
      """;

  String LARGE_ROWS =
      """
      INSERT INTO outbox (created_at, partition_no, message_id, destination, payload)
      WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 15)
      SELECT UTC_TIMESTAMP(6), MOD(i, 4) * 16, REPEAT('0', 16), 'kafka:orders', REPEAT('x', 1000000)
      FROM n
      """;

  int PAGES_OF_A_LARGE_ROW = 1_000_000 / (16 << 10);

  String DUE_ELSEWHERE =
      """
      INSERT INTO outbox_delayed (
        created_at, due_at, partition_no, message_id, destination, payload)
      VALUES (UTC_TIMESTAMP(6), UTC_TIMESTAMP(6), 7, REPEAT('0', 16), 'kafka:orders', 'x')
      """;

  /**
   * For 500 rows that are taken, 2 000 tell that there are too many, and then those of four
   * partitions are read, at most 1 312, among those of four others for each.
   */
  double STEPS_TO_A_LATE_ROW = (2_000 + 5 * 1_312) / 500.0;

  DataSource database();

  @Test
  default void transactionCostsOneInsertForUpToAThousandMessages() {
    try (MySqlScene scene = new MySqlScene(database())) {
      List<String> executed = new ArrayList<>();
      MessageIntake intake =
          new MessageIntake(
              MessageLimits.DEFAULTS,
              Partitioning.DEFAULTS,
              null,
              List.of(),
              TimeSource.SYSTEM,
              new Random(7)::nextLong);
      JdbcOutbox outbox = counted(scene, executed).outbox(intake, Handover.NONE);
      List<Message> messages =
          IntStream.range(0, BATCH).mapToObj(i -> Message.of("kafka:a", new byte[10])).toList();
      executed.clear(); // what finding out the server's version took

      outbox.inTransaction((connection, out) -> messages.stream().map(out::send).toList());

      assertThat(executed.remove(0)).contains("FROM outbox_schema"); // as the connection is new
      assertThat(executed).hasSize(2).first().asString().startsWith("INSERT INTO outbox (");
      assertThat(executed.get(1)).isEqualTo("COMMIT");
      assertThat(EmptyDatabase.number(scene.dataSource, "SELECT COUNT(*) FROM outbox"))
          .isEqualTo(BATCH);
    }
  }

  @Test
  default void uniqueBusinessKeysCostOneStatementMoreAndAnotherIfOneIsNew() throws SQLException {
    try (MySqlScene scene = new MySqlScene(database());
        Connection plain = scene.begin()) {
      List<String> executed = new ArrayList<>();
      Connection connection = Counted.of(plain, executed::add);

      scene.database.writer().write(connection, unique("a", "b", "c"));
      assertThat(executed.remove(0)).contains("FROM outbox_schema"); // as the connection is new
      assertThat(executed).hasSize(3);
      executed.clear();
      scene.database.writer().write(connection, unique("a", "c"));

      assertThat(executed).hasSize(1).first().asString().contains("FOR UPDATE");
    }
  }

  private static List<NewMessage> unique(String... keys) {
    return Arrays.stream(keys)
        .map(key -> new BusinessKey("order", key, Uniqueness.IGNORE))
        .map(business -> Message.of("kafka:a", new byte[10]).business(business))
        .map(message -> new NewMessage(new MessageId(UUID.randomUUID()), 0, message))
        .toList();
  }

  /** Of four partitions that share one of the table, which InnoDB reads from end to end. */
  @Test
  default void largePayloadsThatAreNotTakenAreNotLoaded() throws SQLException {
    try (MySqlScene scene = new MySqlScene(database());
        JdbcOutboxStore store = scene.database.store()) {
      EmptyDatabase.execute(scene.dataSource, LARGE_ROWS);
      List<SequenceRange> spans =
          Stream.of(0, 16, 32, 48).map(p -> SequenceRange.after(p, 0)).toList();
      ReadLimit two = new ReadLimit(2, 2L << 20);
      store.read(spans, two); // only now it knows how large they are

      long fewest = Long.MAX_VALUE; // the server counts its own work for other tests' rows as well
      for (int i = 0; i < 100; i++) {
        long before = pagesTouched(scene.dataSource);
        assertThat(store.read(spans, two).rows()).hasSize(2);
        fewest = Math.min(fewest, pagesTouched(scene.dataSource) - before);
      }

      assertThat(fewest).isLessThan(5 * PAGES_OF_A_LARGE_ROW);
    }
  }

  private static long pagesTouched(DataSource dataSource) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      return Sql.of("SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_read_requests'")
          .query(connection, row -> row.getLong(2))
          .get(0);
    }
  }

  @Test
  default void drainingCostsThreeStatementsPerBatch() throws SQLException {
    try (MySqlScene scene = new MySqlScene(database())) {
      scene.write(10 * BATCH);
      List<String> executed = new ArrayList<>();
      int messages = 0;
      try (JdbcOutboxStore store = counted(scene, executed).store()) {
        List<StoredMessage> rows = read(store);
        executed.clear(); // the settings of the sessions, once per connection
        while (!rows.isEmpty()) {
          messages += rows.size();
          store.delete(rows.stream().map(StoredMessage::position).toList());
          rows = read(store);
        }
      }

      double perMessage = executed.size() / (double) messages;
      System.out.printf(
          "%s, draining: %.4f statements per message%n", scene.database.product(), perMessage);
      assertThat(messages).isEqualTo(10 * BATCH);
      assertThat(perMessage).isLessThanOrEqualTo(0.01);
    }
  }

  @Test
  default void lookForNewRowsReadsOnlyPartitionsThatHaveSome() throws SQLException {
    try (MySqlScene scene = new MySqlScene(database())) {
      List<String> executed = new ArrayList<>();
      try (JdbcOutboxStore store = counted(scene, executed).store()) {
        read(store);
        executed.clear(); // the settings of the session
        assertThat(read(store)).isEmpty();
        assertThat(executed).hasSize(1).first().asString().doesNotContain("payload");
        executed.clear();
        Position sent = scene.write(1).get(0).position();

        assertThat(read(store)).extracting(StoredMessage::position).containsExactly(sent);
        assertThat(executed).hasSize(2);
        assertThat(executed.get(1)).contains("payload").doesNotContain("UNION");
      }
    }
  }

  @Test
  default void lookForNewRowsOverlooksNoneWhereSpansLieFarApart() throws SQLException {
    try (MySqlScene scene = new MySqlScene(database())) {
      List<Position> first = scene.write(64).stream().map(StoredMessage::position).toList();
      EmptyDatabase.execute(scene.dataSource, "ALTER TABLE outbox AUTO_INCREMENT = 5000000");
      List<Position> second = scene.write(64).stream().map(StoredMessage::position).toList();
      for (int apart : new int[] {1, 40_000}) {
        List<SequenceRange> spans =
            IntStream.range(0, 64).mapToObj(i -> SequenceRange.after(i, (long) i * apart)).toList();

        assertThat(scene.store.read(spans, ReadLimit.rows(100)).rows())
            .extracting(StoredMessage::position)
            .containsExactlyInAnyOrderElementsOf(
                Stream.concat(first.stream(), second.stream())
                    .filter(p -> p.sequence() > (long) p.partition() * apart)
                    .toList());
      }
    }
  }

  @Test
  default void lookForLateRowsFetchesOnlyThoseUnknown() throws SQLException {
    try (MySqlScene scene = new MySqlScene(database())) {
      List<StoredMessage> rows = scene.write(640);
      long late = rows.get(100).position().sequence();
      List<SequenceRange> all = PostgresScene.everythingAfter(0);
      List<String> executed = new ArrayList<>();
      try (JdbcOutboxStore store = counted(scene, executed).store()) {
        store.readLate(all, null, ReadLimit.rows(1), known -> true);
        executed.clear();
        assertThat(store.readLate(all, null, ReadLimit.rows(1), known -> true).complete()).isTrue();
        assertThat(executed).hasSize(1).first().asString().doesNotContain("payload");

        assertThat(
                store
                    .readLate(all, null, ReadLimit.rows(1), known -> known.sequence() != late)
                    .rows())
            .singleElement()
            .satisfies(row -> assertThat(row.position().sequence()).isEqualTo(late));
        assertThat(executed).hasSize(3);
      }
    }
  }

  @Test
  default void lookAtManyLateRowsCostsByTheirNumber() throws SQLException {
    try (MySqlScene scene = new MySqlScene(database())) {
      double some = stepsPerRow(scene, 5 * BATCH);
      double many = stepsPerRow(scene, 20 * BATCH);

      System.out.printf(
          "%s, late rows: %.2f steps in the index for one of %d, %.2f for one of %d%n",
          scene.database.product(), some, 5 * BATCH, many, 20 * BATCH);
      assertThat(many).isLessThanOrEqualTo(STEPS_TO_A_LATE_ROW);
    }
  }

  /** Steps of a look that takes few rows at a time. */
  private static double stepsPerRow(MySqlScene scene, int rows) throws SQLException {
    List<StoredMessage> written = scene.write(rows);
    long after = written.get(0).position().sequence() - 1;
    long upTo = written.get(rows - 1).position().sequence();
    List<SequenceRange> rest =
        IntStream.range(0, 64)
            .mapToObj(partition -> new SequenceRange(partition, after, upTo))
            .toList();
    Sql counter = Sql.of("SHOW GLOBAL STATUS LIKE 'Handler_read_next'");
    long before = number(scene, counter);
    int found = 0;
    while (!rest.isEmpty()) {
      LateRows part = scene.store.readLate(rest, null, ReadLimit.rows(BATCH / 2));
      found += part.rows().size();
      rest = part.rest();
    }
    assertThat(found).isEqualTo(rows);
    return (number(scene, counter) - before) / (double) rows;
  }

  @Test
  default void lookGoesPastAllKnownRowsHoweverFewItIsAskedFor() throws SQLException {
    try (MySqlScene scene = new MySqlScene(database());
        Connection connection = scene.begin()) {
      int rows = 20 * BATCH + 1;
      scene
          .database
          .writer()
          .write(
              connection,
              IntStream.range(0, rows)
                  .mapToObj(
                      i ->
                          new NewMessage(
                              new MessageId(new UUID(0, i)), 0, Message.of("kafka:a", new byte[1])))
                  .toList());
      connection.commit();

      List<SequenceRange> hot = List.of(SequenceRange.after(0, 0));

      for (ReadLimit limit : List.of(ReadLimit.rows(1), ReadLimit.rows(rows))) {
        LateRows late = scene.store.readLate(hot, null, limit, known -> true);
        assertThat(late.complete()).isTrue();
      }
    }
  }

  private static long number(MySqlScene scene, Sql status) {
    try (Connection connection = scene.dataSource.getConnection()) {
      return status.query(connection, row -> row.getLong(2)).get(0);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  default void backlogIsSettledPartByPartWithoutAnotherLag() throws SQLException {
    try (MySqlScene scene = new MySqlScene(database())) {
      scene.write(10);
      EmptyDatabase.execute(scene.dataSource, "ALTER TABLE outbox AUTO_INCREMENT = 30000");
      long last = scene.write(10).get(9).position().sequence();
      ManualClock clock = ManualClock.create();
      try (JdbcOutboxStore store =
          JdbcDatabase.open(scene.dataSource, JdbcConfig.DEFAULTS, clock).store()) {
        SequenceMark early = store.mark();
        assertThat(store.settled(early)).isFalse();
        clock.advance(JdbcConfig.DEFAULTS.settleLag());

        SequenceMark first = store.mark();
        assertThat(first.lastSequence()).isLessThan(last);
        assertThat(store.settled(first)).isTrue();
        SequenceMark second = store.mark();
        assertThat(second.lastSequence()).isEqualTo(last);
        assertThat(store.settled(second)).isTrue();
      }
    }
  }

  @Test
  default void rowsDeletedWhileAMarkIsCheckedDoNotHoldItUp() throws SQLException {
    try (MySqlScene scene = new MySqlScene(database())) {
      List<Position> sent = scene.write(100).stream().map(StoredMessage::position).toList();
      ManualClock clock = ManualClock.create();
      List<String> looks = new ArrayList<>();
      DataSource deleting =
          new ConnectionSource(
              () ->
                  Counted.of(
                      scene.dataSource.getConnection(),
                      sql -> {
                        if (sql.startsWith("SELECT id\n") && looks.add(sql) && looks.size() == 2) {
                          scene.store.delete(sent);
                        }
                      }));
      try (JdbcOutboxStore store =
          JdbcDatabase.open(deleting, JdbcConfig.DEFAULTS, clock).store()) {
        SequenceMark mark = store.mark();
        looks.clear();
        clock.advance(JdbcConfig.DEFAULTS.settleLag());

        assertThat(store.settled(mark)).isTrue();
        assertThat(looks).hasSize(2);
      }
    }
  }

  @Test
  default void backlogDoesNotFeelDeadRowsUnderAPinnedSnapshot() throws SQLException {
    try (MySqlScene scene = new MySqlScene(database());
        Connection relay = scene.relayConnection();
        Connection pin = scene.begin()) {
      ManualClock clock = ManualClock.create();
      pages(relay, scene.dialect.work().backlogLook(clock)); // fills the caches of the dictionary
      long clean = fewestPages(relay, scene.dialect.work().backlogLook(clock));
      EmptyDatabase.execute(scene.dataSource, DEAD_ROWS.formatted(BATCH, DEAD));
      BacklogLook look = scene.dialect.work().backlogLook(clock);
      assertThat(look.look(relay).depth()).isEqualTo(DEAD);
      pin.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      Sql.of("SELECT COUNT(*) FROM outbox").run(pin);
      EmptyDatabase.execute(scene.dataSource, "DELETE FROM outbox");
      clock.advance(Duration.ofMinutes(1));
      look.look(relay); // sees what is gone

      long everywhere = pages(relay, scene.dialect.work().backlogLook(clock));
      long among = fewestPages(relay, look);

      System.out.printf(
          "%s, backlog: %d pages clean, %d with %d dead rows, %d when it looks everywhere%n",
          scene.database.product(), clean, among, DEAD, everywhere);
      assertThat(among).isLessThanOrEqualTo(clean + WAYS_DOWN);
      assertThat(everywhere).as("what memory saves").isGreaterThan(clean + 4 * WAYS_DOWN);
    }
  }

  /** Without what the server did at the same time, such as removing other tests' deleted rows. */
  private static long fewestPages(Connection relay, BacklogLook look) throws SQLException {
    long fewest = pages(relay, look);
    for (int i = 1; i < 10; i++) {
      fewest = Math.min(fewest, pages(relay, look));
    }
    return fewest;
  }

  /** Pages that a look at an empty outbox touches; the server counts those of all sessions. */
  private static long pages(Connection relay, BacklogLook look) throws SQLException {
    Sql counter = Sql.of("SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_read_requests'");
    long before = counter.query(relay, row -> row.getLong(2)).get(0);
    assertThat(look.look(relay).depth()).isZero();
    return counter.query(relay, row -> row.getLong(2)).get(0) - before;
  }

  @Test
  default void rowCommittedLateIsSeenAtOnceOrWhenTheBacklogIsNextLookedAtEverywhere()
      throws SQLException {
    try (MySqlScene scene = new MySqlScene(database());
        Connection relay = scene.relayConnection();
        Connection late = scene.begin();
        Connection veryLate = scene.begin()) {
      ManualClock clock = ManualClock.create();
      BacklogLook look = scene.dialect.work().backlogLook(clock);
      scene.database.writer().write(veryLate, PostgresScene.messages(1));
      sendAndLook(scene, relay, look, clock, 9);
      scene.database.writer().write(late, PostgresScene.messages(1));
      sendAndLook(scene, relay, look, clock, 5);

      late.commit();
      assertThat(look.look(relay).depth()).as("open for less than a minute").isEqualTo(1);
      veryLate.commit();
      clock.advance(Duration.ofMinutes(5));

      assertThat(look.look(relay).depth()).isEqualTo(2);
      assertThat(look.look(relay).depth()).isEqualTo(2);
    }
  }

  private static void sendAndLook(
      MySqlScene scene, Connection relay, BacklogLook look, ManualClock clock, int times)
      throws SQLException {
    for (int i = 0; i < times; i++) {
      scene.store.delete(scene.write(100).stream().map(StoredMessage::position).toList());
      clock.advance(Duration.ofSeconds(10));
      assertThat(look.look(relay).depth()).isZero();
    }
  }

  @Test
  default void backlogIsSeenAfterTheSequenceWasSetBack() throws SQLException {
    try (MySqlScene scene = new MySqlScene(database());
        Connection relay = scene.relayConnection()) {
      ManualClock clock = ManualClock.create();
      BacklogLook look = scene.dialect.work().backlogLook(clock);
      sendAndLook(scene, relay, look, clock, 9);
      EmptyDatabase.execute(scene.dataSource, "TRUNCATE TABLE outbox");

      scene.write(3);

      assertThat(look.look(relay).depth()).isEqualTo(3);
      assertThat(look.look(relay).depth()).isEqualTo(3);
    }
  }

  @Test
  default void glanceAsksOneShortQuestionWhileNothingHappens() throws SQLException {
    try (MySqlScene scene = new MySqlScene(database())) {
      scene.write(10);
      ManualClock clock = ManualClock.create();
      List<String> executed = new ArrayList<>();
      DataSource counted =
          new ConnectionSource(() -> Counted.of(scene.dataSource.getConnection(), executed::add));
      try (JdbcOutboxStore store = JdbcDatabase.open(counted, JdbcConfig.DEFAULTS, clock).store()) {
        quieten(store, clock);
        executed.clear();

        for (int i = 0; i < 8; i++) {
          glance(store, clock);
        }

        assertThat(executed).hasSize(8).allMatch(sql -> !sql.contains("INFORMATION_SCHEMA"));
      }
    }
  }

  @Test
  default void quietGlanceSeesWhatIsWrittenAtOnceAndASequenceSetBackInTime() throws SQLException {
    try (MySqlScene scene = new MySqlScene(database())) {
      scene.write(10);
      ManualClock clock = ManualClock.create();
      try (JdbcOutboxStore store =
          JdbcDatabase.open(scene.dataSource, JdbcConfig.DEFAULTS, clock).store()) {
        long before = quieten(store, clock);
        long last = scene.write(1).get(0).position().sequence();
        assertThat(glance(store, clock)).isGreaterThan(before).isGreaterThanOrEqualTo(last);
        quieten(store, clock);
        EmptyDatabase.execute(scene.dataSource, "TRUNCATE TABLE outbox");
        clock.advance(MySqlGlanceLook.QUIET);

        assertThat(glance(store, clock)).isZero();
      }
    }
  }

  @Test
  default void glanceIsNotAskedTwiceWhileSomethingElsewhereStaysDue() throws SQLException {
    try (MySqlScene scene = new MySqlScene(database())) {
      ManualClock clock = ManualClock.create();
      List<String> executed = new ArrayList<>();
      DataSource counted =
          new ConnectionSource(() -> Counted.of(scene.dataSource.getConnection(), executed::add));
      try (JdbcOutboxStore store = JdbcDatabase.open(counted, JdbcConfig.DEFAULTS, clock).store()) {
        quieten(store, clock);
        EmptyDatabase.execute(scene.dataSource, DUE_ELSEWHERE);
        glance(store, clock);
        executed.clear();

        for (int i = 0; i < 8; i++) {
          glance(store, clock);
        }

        assertThat(executed).hasSize(8);
      }
    }
  }

  /** A second later each time; the last sequence. */
  private static long glance(JdbcOutboxStore store, ManualClock clock) {
    clock.advance(Duration.ofSeconds(1));
    WorkHint glance = store.glance(List.of(0, 1));
    assertThat(glance.due()).isFalse();
    return glance.lastSequence();
  }

  private static long quieten(JdbcOutboxStore store, ManualClock clock) {
    glance(store, clock);
    return glance(store, clock);
  }

  private static JdbcDatabase counted(MySqlScene scene, List<String> executed) {
    DataSource counted =
        new ConnectionSource(() -> Counted.of(scene.dataSource.getConnection(), executed::add));
    return JdbcDatabase.open(counted, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.NONE));
  }

  private static List<StoredMessage> read(JdbcOutboxStore store) {
    return store
        .read(
            PostgresScene.everythingAfter(0),
            ReadLimit.rows(BATCH / Partitioning.DEFAULTS.keyed() + 1))
        .rows();
  }
}
