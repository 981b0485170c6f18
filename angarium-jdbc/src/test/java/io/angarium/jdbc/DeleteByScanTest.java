package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.intake.NewMessage;
import io.angarium.intake.Partitioning;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.jdbc.internal.dialect.OutboxSql.Scan;
import io.angarium.jdbc.internal.dialect.mysql.MySqlFamily;
import io.angarium.jdbc.internal.session.Transaction;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.store.SequenceMark;
import io.angarium.testkit.ManualClock;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresMySql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that lie close together are deleted by one scan: those named, and no others. */
@OnOneJdk
final class DeleteByScanTest {
  private static final int PARTITIONS = Partitioning.DEFAULTS.all().length;

  /** What a delete consists of; a session whose statement had to wait keeps its connection. */
  private static final String SCAN = "FROM outbox FORCE INDEX (PRIMARY)\n";

  private static final String BY_KEY = "STRAIGHT_JOIN outbox FORCE";
  private static final String CONNECT = "CONNECT";

  /** Above what a number with a fraction can tell apart. */
  private static final long PAST_EXACT_FRACTIONS = (1L << 53) + 1;

  private static final long LARGEST = Long.MAX_VALUE - 1_000;

  private static final Comparator<Position> BY_SEQUENCE =
      Comparator.comparingLong(Position::sequence);

  @Nested
  @RequiresMySql
  final class OnMySql {
    /** A scan would have to wait for rows that others hold, for a second at least. */
    @Test
    void allRowsAreFoundByKey() throws SQLException {
      try (Table table = new Table(EmptyDatabase.mySql())) {
        List<Position> rows = table.write(10 * PARTITIONS);
        List<Position> named = some(rows, i -> i % 2 == 0);
        table.decide();

        table.store.delete(named);

        assertThat(table.steps()).containsExactly(BY_KEY);
        assertThat(table.left()).containsExactlyElementsOf(without(rows, named));
      }
    }
  }

  @Nested
  @RequiresMariaDb
  final class OnMariaDb {
    private final DataSource database = EmptyDatabase.mariaDb();

    @Test
    void rowsBetweenThoseNamedStay() throws SQLException {
      try (Table table = new Table(database)) {
        // of each partition, and of each of the table, every other row in turn
        List<Position> rows = table.write(10 * PARTITIONS);
        List<Position> named = some(rows, i -> (i + i / PARTITIONS) % 2 == 0);
        table.decide();

        table.store.delete(named);

        assertThat(table.steps()).containsExactly(SCAN, BY_KEY);
        assertThat(table.left()).containsExactlyElementsOf(without(rows, named));
      }
    }

    /** Sequences are given again when a replica takes over that lacks the last writes. */
    @Test
    void rowOfAnotherPartitionWithASequenceThatIsNamedStays() throws SQLException {
      try (Table table = new Table(database)) {
        List<Position> named = table.write(PARTITIONS);
        table.decide();
        Position first = named.get(0);
        Position second = named.get(1);
        Position other = new Position(second.partition(), first.sequence());
        table.copy(first, other);

        table.store.delete(named);

        assertThat(table.steps()).containsExactly(SCAN, BY_KEY);
        assertThat(table.left()).containsExactly(other);
      }
    }

    @ParameterizedTest
    @ValueSource(longs = {PAST_EXACT_FRACTIONS, LARGEST})
    void neighboursOfLargeSequencesStay(long sequence) throws SQLException {
      try (Table table = new Table(database);
          Connection relay = table.begin()) {
        Position small = table.write(1).get(0);
        List<Position> rows =
            IntStream.range(0, 100).mapToObj(i -> new Position(i % 3 - 1, sequence + i)).toList();
        rows.forEach(row -> table.copy(small, row));
        List<Position> named = some(rows, i -> i % 2 == 0);

        Scan scan = scan(table, named);
        scan.delete().run(relay);
        Transaction.runAll(relay, table.dialect.outbox().delete(scan.others(), false));
        relay.commit();

        assertThat(scan.others()).hasSizeLessThan(5);
        assertThat(table.left())
            .containsExactlyElementsOf(join(List.of(small), without(rows, named)));
      }
    }

    @Test
    void rowsUpToThreeSequencesApartAreScanned() throws SQLException {
      try (Table table = new Table(database)) {
        List<Position> rows = table.write(400);
        List<Position> named = some(rows, i -> i % 3 == 0);
        table.decide();

        table.store.delete(named);

        assertThat(table.steps()).containsExactly(SCAN, BY_KEY);
        assertThat(table.left()).containsExactlyElementsOf(without(rows, named));
      }
    }

    @Test
    void rowsFurtherApartAreFoundByKey() throws SQLException {
      try (Table table = new Table(database)) {
        List<Position> rows = table.write(400);
        List<Position> named = some(rows, i -> i % 4 == 0);
        table.decide();

        table.store.delete(named);

        assertThat(table.steps()).containsExactly(BY_KEY);
        assertThat(table.left()).containsExactlyElementsOf(without(rows, named));
      }
    }

    @Test
    void rowsWhoseNeighboursMayStillBeOpenAreFoundByKey() throws SQLException {
      try (Table table = new Table(database);
          Connection open = table.begin()) {
        List<Position> before = table.write(PARTITIONS);
        table.decide();
        table.insert(open, PARTITIONS);
        List<Position> after = table.write(1);
        table.decide();

        table.store.delete(join(before, after));

        assertThat(table.steps()).containsExactly(BY_KEY);
        assertThat(table.left()).isEmpty();
      }
    }

    @Test
    void manyRowsAreScannedThoughNobodyKnowsYetThatTheyAreDecided() throws SQLException {
      try (Table table = new Table(database)) {
        List<Position> rows = table.write(600);

        table.store.delete(rows);

        assertThat(table.steps()).containsExactly(CONNECT, SCAN, BY_KEY);
        assertThat(table.left()).isEmpty();
      }
    }

    @Test
    void manyRowsWithAnOpenOneAmongThemAreFoundByKey() throws SQLException {
      try (Table table = new Table(database);
          Connection open = table.begin()) {
        List<Position> before = table.write(300);
        List<Position> undecided = table.insert(open, PARTITIONS);
        List<Position> after = table.write(300);
        long waits = lockWaits();

        table.store.delete(join(before, after));

        assertThat(table.steps()).containsExactly(CONNECT, SCAN, BY_KEY);
        assertThat(lockWaits()).isEqualTo(waits);
        open.commit();
        assertThat(table.left()).containsExactlyElementsOf(undecided);
      }
    }

    @Test
    void noneIsLeftToBeFoundByKeyIfEnoughIsDecidedBehindThem() throws SQLException {
      try (Table table = new Table(database)) {
        List<Position> rows = table.write(600);
        List<Position> behind = table.write(1_100);
        table.decide();

        table.store.delete(rows);

        assertThat(table.steps()).containsExactly(SCAN);
        assertThat(table.left()).containsExactlyElementsOf(behind);
      }
    }

    /** All decided rows behind the last are of one partition; in the others an open one follows. */
    @Test
    void openRowsBehindTheLastOneMakeThemBeFoundByKey() throws SQLException {
      try (Table table = new Table(database);
          Connection open = table.begin()) {
        List<Position> rows = table.write(600);
        Position last = rows.get(rows.size() - 1);
        table.copy(last, new Position(last.partition(), last.sequence() + 1_200));
        table.decide();
        List<Position> undecided = table.insert(open, PARTITIONS);

        table.store.delete(rows);

        assertThat(table.steps()).containsExactly(SCAN, BY_KEY);
        open.commit();
        assertThat(table.left()).hasSize(1 + undecided.size()).doesNotContainAnyElementsOf(rows);
      }
    }

    @Test
    void rowsWrittenRightBehindDoNotHoldUpTheScan() throws SQLException {
      try (Table table = new Table(database);
          Connection open = table.begin()) {
        List<Position> rows = table.write(PARTITIONS);
        table.decide();
        table.insert(open, PARTITIONS); // the next row in each partition of the table

        table.store.delete(rows);

        assertThat(table.steps()).containsExactly(SCAN, BY_KEY);
        assertThat(table.left()).isEmpty();
      }
    }

    @Test
    void historyIsKeptByKey() throws SQLException {
      try (Table table = new Table(database, JdbcConfig.DEFAULTS.history(true))) {
        List<Position> rows = table.write(PARTITIONS);
        table.decide();

        table.store.delete(rows);

        assertThat(table.steps()).containsExactly(BY_KEY);
        assertThat(EmptyDatabase.number(database, "SELECT COUNT(*) FROM outbox_sent"))
            .isEqualTo(PARTITIONS);
      }
    }

    @Test
    void rowHeldBetweenThemMakesThemBeFoundByKeyForAWhile() throws SQLException {
      try (Table table = new Table(database);
          Connection holder = table.begin()) {
        List<Position> rows = table.write(3 * PARTITIONS);
        table.decide();
        Position held = rows.get(PARTITIONS / 2);
        Sql.of("SELECT id FROM outbox WHERE id = ? FOR UPDATE", held.sequence()).run(holder);
        long waits = lockWaits();
        List<Position> first = without(rows.subList(0, PARTITIONS), List.of(held));

        table.store.delete(first);

        assertThat(table.steps()).containsExactly(SCAN, BY_KEY);
        assertThat(lockWaits()).isEqualTo(waits);
        assertThat(table.left()).containsExactlyElementsOf(without(rows, first));

        holder.rollback();
        table.clock.advance(Duration.ofMillis(4_900));
        table.store.delete(rows.subList(PARTITIONS, 2 * PARTITIONS));
        assertThat(table.steps()).containsExactly(BY_KEY);

        table.clock.advance(Duration.ofSeconds(1));
        table.store.delete(rows.subList(2 * PARTITIONS, 3 * PARTITIONS));
        assertThat(table.steps()).containsExactly(SCAN, BY_KEY);
        assertThat(table.left()).containsExactly(held);
      }
    }

    /** Of all sessions of the server. */
    private long lockWaits() throws SQLException {
      try (Connection connection = database.getConnection()) {
        return Sql.of("SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_waits'")
            .query(connection, row -> row.getLong(2))
            .get(0);
      }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void eachRowIsReadOnceWhateverTheStatisticsSay(boolean ofTheEmptyTable) throws SQLException {
      try (Table table = new Table(database)) {
        if (ofTheEmptyTable) {
          EmptyDatabase.execute(database, "ANALYZE TABLE outbox");
        }
        table.write(20_000);
        List<Position> rows = table.write(1_000);
        table.write(20_000);
        if (!ofTheEmptyTable) {
          EmptyDatabase.execute(database, "ANALYZE TABLE outbox");
        }
        table.decide();
        long before = table.reads("Handler_read_%");
        long again = table.reads("Handler_read_rnd");

        table.store.delete(rows);

        long reads = table.reads("Handler_read_%") - before;
        System.out.printf("MariaDB: %d reads to delete 1 000 rows by a scan%n", reads);
        assertThat(table.steps()).containsExactly(SCAN);
        assertThat(reads).isLessThanOrEqualTo(1_100);
        assertThat(table.reads("Handler_read_rnd") - again).as("found again").isZero();
      }
    }

    private static Scan scan(Table table, List<Position> rows) {
      return Objects.requireNonNull(table.dialect.outbox().deleteByScan(rows, 0));
    }
  }

  /** An outbox whose time stands still, and what is deleted from it. */
  private static final class Table implements AutoCloseable {
    final ManualClock clock = ManualClock.create();
    final MySqlFamily dialect;
    final JdbcOutboxStore store;
    private final MySqlScene scene;
    private final List<Connection> sessions = new ArrayList<>();
    private final List<String> executed = new ArrayList<>();

    Table(DataSource database) {
      this(database, JdbcConfig.DEFAULTS);
    }

    Table(DataSource database, JdbcConfig config) {
      this.scene = new MySqlScene(database);
      this.dialect = scene.dialect;
      ConnectionSource noted =
          new ConnectionSource(
              () -> {
                Connection session = database.getConnection();
                sessions.add(session);
                executed.add(CONNECT);
                return Counted.of(session, executed::add);
              });
      this.store = JdbcDatabase.open(noted, config, clock).store();
      executed.clear();
      sessions.clear();
    }

    Connection begin() throws SQLException {
      return scene.begin();
    }

    /** Writes rows to all partitions in turn; gives where they are, by sequence. */
    List<Position> write(int count) throws SQLException {
      try (Connection connection = begin()) {
        List<Position> written = insert(connection, count);
        connection.commit();
        return written;
      }
    }

    List<Position> insert(Connection connection, int count) throws SQLException {
      int[] partitions = Partitioning.DEFAULTS.all();
      Message message = Message.of("kafka:orders", new byte[200]);
      List<NewMessage> messages =
          IntStream.range(0, count)
              .mapToObj(i -> partitions[i % PARTITIONS])
              .map(p -> new NewMessage(new MessageId(UUID.randomUUID()), p, message))
              .toList();
      return StoredRows.write(scene.database, connection, messages).stream()
          .map(StoredMessage::position)
          .sorted(BY_SEQUENCE)
          .toList();
    }

    /** Puts a row like another one where it is wanted. */
    void copy(Position row, Position to) {
      EmptyDatabase.execute(
          scene.dataSource,
          """
          INSERT INTO outbox (id, partition_no, created_at, message_id, destination, payload)
          SELECT %d, %d, created_at, message_id, destination, payload
          FROM outbox
          WHERE id = %d
          """
              .formatted(to.sequence(), to.partition(), row.sequence()));
    }

    /** Lets what was written become older than any transaction that is open no more. */
    void decide() {
      store.mark();
      clock.advance(JdbcConfig.DEFAULTS.settleLag());
      long before = -1;
      for (SequenceMark mark = store.mark(); mark.lastSequence() > before; mark = store.mark()) {
        before = store.settled(mark) ? mark.lastSequence() : Long.MAX_VALUE;
      }
      store.delete(List.of(new Position(0, Long.MAX_VALUE))); // connects
      executed.clear();
    }

    /** How rows were deleted since the last call. */
    List<String> steps() {
      List<String> steps =
          executed.stream()
              .filter(sql -> sql.contains("DELETE") || sql.equals(CONNECT))
              .flatMap(sql -> Stream.of(SCAN, BY_KEY, CONNECT).filter(sql::contains))
              .toList();
      executed.clear();
      return steps;
    }

    /** What the sessions of the store read up to now. */
    long reads(String counters) throws SQLException {
      Sql sql = Sql.of("SHOW SESSION STATUS LIKE '" + counters + "'");
      long reads = 0;
      for (Connection session : sessions) {
        reads += sql.query(session, row -> row.getLong(2)).stream().mapToLong(n -> n).sum();
      }
      return reads;
    }

    /** Where rows are, by sequence. */
    List<Position> left() throws SQLException {
      try (Connection connection = scene.dataSource.getConnection()) {
        return Sql.of("SELECT partition_no, id FROM outbox ORDER BY id")
            .query(connection, row -> new Position(row.getInt(1), row.getLong(2)));
      }
    }

    @Override
    public void close() {
      store.close();
      scene.close();
    }
  }

  private static List<Position> some(List<Position> rows, IntPredicate index) {
    return IntStream.range(0, rows.size()).filter(index).mapToObj(rows::get).toList();
  }

  private static List<Position> join(List<Position> rows, List<Position> others) {
    return Stream.concat(rows.stream(), others.stream()).toList();
  }

  private static List<Position> without(List<Position> rows, Collection<Position> others) {
    Set<Position> left = new LinkedHashSet<>(rows);
    left.removeAll(Set.copyOf(others));
    return List.copyOf(left);
  }
}
