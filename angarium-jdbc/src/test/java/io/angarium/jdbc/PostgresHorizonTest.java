package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.store.SequenceMark;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The traps around "no row can appear below this sequence any more". */
@RequiresServer(Server.POSTGRESQL)
final class PostgresHorizonTest {
  private static final int WRITERS = 8;
  private static final int TRANSACTIONS_PER_WRITER = 150;

  /** Writers go on until so many have settled, for a minute at most. */
  private static final int MARKS = 20;

  private static final long MARKS_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final PostgresScene scene = new PostgresScene();

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void snapshotXmaxAsBarrierWouldSettleTooEarlyAndOursDoesNot() throws SQLException {
    // of a server of its own: whatever else writes there may be the oldest transaction
    try (QuietPostgres server = new QuietPostgres();
        PostgresScene quiet = new PostgresScene(server.emptyDatabase());
        Connection first = quiet.begin();
        Connection second = quiet.begin();
        Connection observer = quiet.dataSource.getConnection()) {
      quiet.database.writer().write(first, PostgresScene.messages(1));
      quiet.database.writer().write(second, PostgresScene.messages(1));
      String xmax = text(observer, "SELECT pg_snapshot_xmax(pg_current_snapshot())::text");
      SequenceMark mark = quiet.store.mark();

      first.commit();

      assertThat(mark.lastSequence()).isEqualTo(2);
      assertThat(isSettled(observer, xmax))
          .as("the rule with pg_snapshot_xmax, while sequence 2 is still uncommitted")
          .isTrue();
      assertThat(quiet.store.settled(mark)).isFalse();
      second.commit();
      assertThat(quiet.store.settled(mark)).isTrue();
    }
  }

  @Test
  void transactionTakesItsNumberBeforeTheRowTakesItsId() {
    assertThat(
            EmptyDatabase.number(
                scene.dataSource,
                """
                SELECT ordinal_position
                FROM information_schema.columns
                WHERE table_name = 'outbox' AND column_name = 'xid'
                """))
        .isEqualTo(1);
    assertThat(
            EmptyDatabase.number(
                scene.dataSource,
                "SELECT seqcache FROM pg_sequence WHERE seqrelid = 'outbox_id_seq'::regclass"))
        .isEqualTo(1);
  }

  @Test
  void noRowEverAppearsBelowASettledMarkWhileManyWrite() throws Exception {
    Map<SequenceMark, Set<Long>> seenAtSettling = new ConcurrentHashMap<>();
    long begun = System.nanoTime();
    BooleanSupplier enough =
        () -> seenAtSettling.size() >= MARKS || System.nanoTime() - begun > MARKS_NANOS;

    CompletableFuture<Void> writing =
        CompletableFuture.allOf(
            IntStream.range(0, WRITERS)
                .mapToObj(seed -> CompletableFuture.runAsync(() -> writeRandomly(seed, enough)))
                .toArray(CompletableFuture[]::new));
    Set<Long> all;
    try (Connection observer = scene.dataSource.getConnection()) {
      while (!writing.isDone()) {
        SequenceMark mark = scene.store.mark();
        while (!scene.store.settled(mark)) {
          Thread.onSpinWait();
        }
        seenAtSettling.put(mark, ids(observer)); // at once, before open transactions end
      }
      writing.get(1, TimeUnit.MINUTES);
      all = ids(observer);
    }
    assertThat(seenAtSettling).hasSizeGreaterThan(10);
    seenAtSettling.forEach(
        (mark, seen) ->
            assertThat(all)
                .filteredOn(id -> id <= mark.lastSequence())
                .as("rows up to %s", mark)
                .isSubsetOf(seen));
  }

  private void writeRandomly(int seed, BooleanSupplier enough) {
    Random random = new Random(seed);
    try (Connection connection = scene.begin()) {
      for (int i = 0; i < TRANSACTIONS_PER_WRITER || !enough.getAsBoolean(); i++) {
        scene.database.writer().write(connection, PostgresScene.messages(1 + random.nextInt(3)));
        for (int work = random.nextInt(8); work > 0; work--) {
          text(connection, "SELECT 'business'");
        }
        if (random.nextInt(5) == 0) {
          connection.rollback();
        } else {
          connection.commit();
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Set<Long> ids(Connection connection) throws SQLException {
    return new HashSet<>(Sql.of("SELECT id FROM outbox").query(connection, row -> row.getLong(1)));
  }

  private boolean isSettled(Connection connection, String barrier) throws SQLException {
    return scene
        .dialect
        .outbox()
        .settled(barrier)
        .query(connection, row -> row.getBoolean(1))
        .get(0);
  }

  private static String text(Connection connection, String sql) throws SQLException {
    return Sql.of(sql).query(connection, row -> row.getString(1)).get(0);
  }
}
