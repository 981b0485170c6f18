package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.intake.NewMessage;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.store.ReadLimit;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two nodes may delete the same rows at once, whichever way each of them takes. */
@RequiresServer(Server.POSTGRESQL)
final class PostgresDeleteOrderTest {
  private static final String WAITING =
      "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
          + " AND wait_event_type = 'Lock'";

  private final PostgresScene scene = new PostgresScene();

  @AfterEach
  void close() {
    scene.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void deletesOfTheSameRowsDoNotBlockEachOtherForEver(boolean inPlace) throws Exception {
    for (int partition : new int[] {2, 1, 0}) { // in the table in the opposite order of the key
      write(partition);
    }
    List<Position> placed = read();
    List<Position> bare =
        placed.stream().map(p -> new Position(p.partition(), p.sequence())).toList();

    try (JdbcOutboxStore other = scene.database.store();
        Connection blocker = scene.begin()) {
      long middle = placed.get(1).sequence();
      Sql.of("SELECT 1 FROM outbox WHERE id = ? FOR UPDATE", middle).run(blocker);
      CompletableFuture<Void> first = delete(scene.store, inPlace ? placed : bare);
      awaitWaiting(1);
      CompletableFuture<Void> second = delete(other, bare);
      awaitWaiting(2);
      blocker.rollback();

      first.get(30, TimeUnit.SECONDS); // fails if the database has to end a deadlock
      second.get(30, TimeUnit.SECONDS);
    }
    assertThat(read()).isEmpty();
  }

  // each on a thread of its own: the common pool may have only one
  private static CompletableFuture<Void> delete(JdbcOutboxStore store, List<Position> rows) {
    return CompletableFuture.runAsync(() -> store.delete(rows), task -> new Thread(task).start());
  }

  private void awaitWaiting(int sessions) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (EmptyDatabase.number(scene.dataSource, WAITING) < sessions) {
      assertThat(System.nanoTime()).as("%d sessions wait", sessions).isLessThan(deadline);
      LockSupport.parkNanos(10_000_000);
    }
  }

  private void write(int partition) throws SQLException {
    try (Connection connection = scene.begin()) {
      Message message = Message.of("kafka:orders", new byte[200]).key("k");
      MessageId id = new MessageId(UUID.randomUUID());
      scene.database.writer().write(connection, List.of(new NewMessage(id, partition, message)));
      connection.commit();
    }
  }

  private List<Position> read() {
    return scene.store.read(PostgresScene.everythingAfter(0), ReadLimit.rows(10)).rows().stream()
        .map(StoredMessage::position)
        .sorted(Comparator.comparingLong(Position::sequence))
        .toList();
  }
}
