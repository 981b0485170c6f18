package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.intake.StoredMessage;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.store.ReadLimit;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.SharedServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A batch of MariaDB takes numbers ahead of its rows, and gives back what is left over. */
@OnOneJdk
@RequiresMariaDb
final class WrittenSequenceTest {
  private static final int ROWS = 1_000;

  /** Where the batch stops for a while. */
  private static final int STOP = 600;

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final MySqlScene scene =
      new MySqlScene(new ConnectionSource(SharedServers.mariaDb().freshDatabase()::connect));
  private final ExecutorService writer = Executors.newSingleThreadExecutor();

  @AfterEach
  void close() {
    writer.shutdownNow();
    scene.close();
  }

  @Test
  void runsNotAheadOfTheRowsOfABatch() throws Exception {
    try (Connection holder = scene.dataSource.getConnection()) {
      Future<List<StoredMessage>> written = writeUpToTheStop(holder);
      long toldAtTheStop = told();
      long atTheStop = scene.store.lastSequence();
      long marked = scene.store.mark().lastSequence();
      long glanced = scene.store.glance(List.of(0)).lastSequence();

      release(holder);
      written.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);

      assertThat(toldAtTheStop).isGreaterThan(ROWS); // or there is nothing to be tested
      assertThat(told()).isEqualTo(ROWS);
      assertThat(List.of(atTheStop, marked, glanced)).containsOnly((long) STOP);
      assertThat(scene.store.lastSequence()).isEqualTo(ROWS);
    }
  }

  @Test
  void isKnownToAQuietRelayThatReadARow() throws SQLException {
    for (int i = 0; i < 3; i++) { // now it asks the short question
      scene.store.glance(List.of(0));
    }
    List<StoredMessage> rows = scene.write(10);

    scene.store.read(PostgresScene.everythingAfter(0), ReadLimit.rows(100));
    scene.store.delete(rows.stream().map(StoredMessage::position).toList());

    assertThat(scene.store.glance(List.of(0)).lastSequence()).isEqualTo(10);
  }

  @Test
  void isToldWhereNoRowIsLeft() throws SQLException {
    List<StoredMessage> rows = scene.write(10);
    scene.store.delete(rows.stream().map(StoredMessage::position).toList());

    assertThat(scene.store.lastSequence()).isEqualTo(10);
  }

  @Test
  void goesBackBehindARowThatWasThere() throws SQLException {
    scene.write(10);
    assertThat(scene.store.lastSequence()).isEqualTo(10);

    try (Connection connection = scene.dataSource.getConnection()) {
      Sql.of("DELETE FROM outbox").run(connection);
      Sql.of("ALTER TABLE outbox AUTO_INCREMENT = 5").run(connection);
    }

    assertThat(scene.store.lastSequence()).isEqualTo(4);
  }

  private Future<List<StoredMessage>> writeUpToTheStop(Connection holder) throws SQLException {
    Sql.of("SELECT GET_LOCK('stop', 0)").query(holder, row -> row.getInt(1));
    Sql.of(
            "CREATE TRIGGER stop BEFORE INSERT ON outbox FOR EACH ROW"
                + " IF NEW.message_key = 'k"
                + STOP
                + "' THEN DO GET_LOCK('stop', 60); END IF")
        .run(holder);
    Future<List<StoredMessage>> written = writer.submit(() -> scene.write(ROWS));
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!isStopped(holder)) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      LockSupport.parkNanos(10_000_000); // each look asks the database
    }
    return written;
  }

  private static boolean isStopped(Connection connection) throws SQLException {
    String waiting =
        "SELECT COUNT(*) FROM INFORMATION_SCHEMA.PROCESSLIST"
            + " WHERE DB = DATABASE() AND STATE = 'User lock'";
    return Sql.of(waiting).query(connection, row -> row.getInt(1)).get(0) > 0;
  }

  private static void release(Connection holder) throws SQLException {
    Sql.of("SELECT RELEASE_LOCK('stop')").query(holder, row -> row.getInt(1));
  }

  private long told() throws SQLException {
    try (Connection connection = scene.dataSource.getConnection()) {
      return scene.dialect.outbox().lastSequence().query(connection, row -> row.getLong(1)).get(0);
    }
  }
}
