package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.store.LateRows;
import io.angarium.store.ReadLimit;
import io.angarium.store.Snapshot;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Looks for late rows while transactions stay open through thousands of others. */
@RequiresServer(Server.POSTGRESQL)
final class OpenTransactionTest {
  private static final int OTHERS = 4_000;
  private static final int QUICK_WRITERS = 3;
  private static final int SLOW_WRITERS = 3;

  /** The server's own transactions, such as ANALYZE, widen the look that they end before. */
  private static final int LOOKS = 5;

  /** Transactions of one message each, all of which are sent. */
  private static final String OTHER_TRANSACTIONS =
      """
      DO $$
      BEGIN
        FOR i IN 1..%d LOOP
          INSERT INTO outbox (partition_no, message_id, destination, message_key, payload)
          VALUES (0, gen_random_uuid(), 'kafka:orders', 'k', repeat('x', 500)::bytea);
          COMMIT;
        END LOOP;
        DELETE FROM outbox;
      END $$
      """;

  private final PostgresScene scene = new PostgresScene();
  private final AtomicInteger committed = new AtomicInteger();

  @AfterEach
  void close() {
    scene.close();
  }

  private static LateRows look(JdbcOutboxStore store, @Nullable Snapshot since) {
    return store.readLate(PostgresScene.everythingAfter(0), since, ReadLimit.rows(100_000));
  }

  private static Snapshot snapshot(JdbcOutboxStore store) {
    return store.readLate(List.of(), null, ReadLimit.rows(1)).snapshot();
  }

  private static List<Long> sequences(LateRows found) {
    return found.rows().stream().map(row -> row.position().sequence()).toList();
  }

  @Test
  void whatWasSentMeanwhileIsNotPassedOverAgainAndAgain() throws SQLException {
    List<Connection> sessions = new ArrayList<>();
    try (Connection open = scene.begin();
        JdbcOutboxStore store = noting(sessions).store()) {
      scene.database.writer().write(open, PostgresScene.messages(1));
      EmptyDatabase.execute(scene.dataSource, OTHER_TRANSACTIONS.formatted(OTHERS));
      long before = pagesOfOutbox(sessions);
      Snapshot since = look(store, null).snapshot();
      long everything = pagesOfOutbox(sessions) - before;

      long some = everything;
      for (int i = 0; i < LOOKS; i++) {
        before = pagesOfOutbox(sessions);
        LateRows narrowed = look(store, since);
        some = Math.min(some, pagesOfOutbox(sessions) - before);
        assertThat(narrowed.rows()).isEmpty();
        since = narrowed.snapshot();
      }

      System.out.printf(
          "PostgreSQL, late rows among %d sent ones, a transaction open: %d pages, then %d%n",
          OTHERS, everything, some);
      assertThat(some).isLessThan(everything / 2);
      open.commit();
      assertThat(sequences(look(store, since))).containsExactly(1L);
    } finally {
      for (Connection used : sessions) {
        used.close();
      }
    }
  }

  private JdbcDatabase noting(List<Connection> sessions) {
    return JdbcDatabase.open(
        new ConnectionSource(
            () -> {
              Connection session = scene.dataSource.getConnection();
              sessions.add(session);
              return Unclosable.of(session);
            }),
        JdbcConfig.DEFAULTS.schemaMode(SchemaMode.NONE));
  }

  private long pagesOfOutbox(List<Connection> sessions) throws SQLException {
    for (Connection session : sessions) {
      Sql.of("SELECT pg_stat_force_next_flush()").run(session);
    }
    return EmptyDatabase.number(
        scene.dataSource,
        """
        SELECT heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit
        FROM pg_statio_user_tables
        WHERE relname = 'outbox'
        """);
  }

  @Test
  void everyRowIsFoundWhateverItsTransactionWaitedFor() throws Exception {
    Snapshot since = snapshot(scene.store);
    CompletableFuture<Void> quick = all(QUICK_WRITERS, seed -> quick());
    CompletableFuture<Void> slow = all(SLOW_WRITERS, seed -> slow(new Random(seed), quick));
    Set<Long> found = new TreeSet<>();

    boolean writing = true;
    while (writing) {
      writing = !slow.isDone() || !quick.isDone();
      LateRows look = look(scene.store, since);
      found.addAll(sequences(look));
      since = look.snapshot();
    }

    quick.get(1, TimeUnit.MINUTES);
    slow.get(1, TimeUnit.MINUTES);
    try (Connection connection = scene.dataSource.getConnection()) {
      List<Long> all = Sql.of("SELECT id FROM outbox").query(connection, row -> row.getLong(1));
      assertThat(found).as("of %d transactions", committed.get()).containsAll(all);
    }
  }

  private static CompletableFuture<Void> all(int writers, IntConsumer writing) {
    return CompletableFuture.allOf(
        IntStream.range(0, writers)
            .mapToObj(seed -> CompletableFuture.runAsync(() -> writing.accept(seed)))
            .toArray(CompletableFuture[]::new));
  }

  private Connection quickToCommit() throws SQLException {
    Connection connection = scene.begin();
    Sql.of("SET synchronous_commit = off").run(connection);
    return connection;
  }

  private void quick() {
    try (Connection connection = quickToCommit()) {
      for (int i = 0; i < OTHERS; i++) {
        scene.database.writer().write(connection, PostgresScene.messages(1));
        connection.commit();
        committed.incrementAndGet();
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Some last for a few transactions of others, some for thousands. */
  private void slow(Random random, CompletableFuture<Void> others) {
    try (Connection connection = quickToCommit()) {
      while (!others.isDone()) {
        scene.database.writer().write(connection, PostgresScene.messages(1));
        int until = committed.get() + random.nextInt(1 << random.nextInt(13));
        while (committed.get() < until && !others.isDone()) {
          Thread.onSpinWait();
        }
        scene.database.writer().write(connection, PostgresScene.messages(1));
        connection.commit();
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
