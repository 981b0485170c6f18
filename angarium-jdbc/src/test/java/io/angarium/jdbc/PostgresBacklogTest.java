package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.intake.NewMessage;
import io.angarium.intake.Partitioning;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A backlog that remembers what is gone hides nothing that is there. */
@RequiresServer(Server.POSTGRESQL)
final class PostgresBacklogTest {
  private final PostgresScene scene = new PostgresScene();

  @BeforeEach
  void prepare() {
    try (JdbcLeaseStore leases = scene.database.leases()) {
      leases.prepare(Partitioning.DEFAULTS);
    }
  }

  @AfterEach
  void close() {
    scene.close();
  }

  /** Enough looks for a mark to be taken, settled, and used. */
  private void lookOften() {
    for (int i = 0; i < 5; i++) {
      scene.store.backlog();
    }
  }

  private void sendAndForget(int count) throws SQLException {
    List<Position> sent = scene.write(count).stream().map(StoredMessage::position).toList();
    scene.store.delete(sent);
    lookOften();
  }

  private static NewMessage message(int partition) {
    Message message = Message.of("kafka:orders", new byte[10]).key("k");
    return new NewMessage(new MessageId(UUID.randomUUID()), partition, message);
  }

  private void write(Connection connection, int partition) throws SQLException {
    scene.database.writer().write(connection, List.of(message(partition)));
  }

  @Test
  void rowCommittedLateBelowAllThatIsGoneIsSeenAtOnce() throws SQLException {
    try (Connection late = scene.begin()) {
      write(late, 3);
      for (int i = 0; i < 4; i++) {
        sendAndForget(200);
      }
      assertThat(scene.store.backlog().depth()).isZero();

      late.commit();

      assertThat(scene.store.backlog().depth()).isEqualTo(1);
      assertThat(scene.store.backlog().oldestAge()).isGreaterThan(Duration.ZERO);
    }
  }

  @Test
  void oldRowIsCountedAtEveryLookHoweverManyYoungerAreSent() throws SQLException {
    try (Connection connection = scene.begin()) {
      write(connection, 3);
      connection.commit();
    }
    for (int i = 0; i < 4; i++) {
      sendAndForget(200);

      assertThat(scene.store.backlog().depth()).isEqualTo(1);
    }
  }

  @Test
  void rowsAreSeenAfterTheSequenceWasSetBack() throws SQLException {
    sendAndForget(200);
    EmptyDatabase.execute(scene.dataSource, "TRUNCATE outbox RESTART IDENTITY");

    scene.write(3);

    assertThat(scene.store.backlog().depth()).isEqualTo(3);
    lookOften();
    assertThat(scene.store.backlog().depth()).isEqualTo(3);
  }

  @Test
  void rowsOfAPartitionThatNoRelayKnowsAreCounted() throws SQLException {
    try (Connection connection = scene.begin()) {
      write(connection, 1_000);
      connection.commit();
    }
    sendAndForget(200);

    assertThat(scene.store.backlog().depth()).isEqualTo(1);
  }
}
