package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.StoreException;
import io.angarium.intake.NewMessage;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A database that inserts fewer rows than it was given, e.g. because of somebody's trigger. */
@RequiresServer(Server.POSTGRESQL)
final class LostRowsTest {
  private static final String REFUSE =
      """
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RETURN CASE WHEN NEW.message_type = 'refused' THEN NULL ELSE NEW END; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION refuse();
      CREATE TRIGGER refuse BEFORE INSERT ON outbox_delayed
        FOR EACH ROW EXECUTE FUNCTION refuse();
      """;

  private final PostgresScene scene = new PostgresScene();

  @BeforeEach
  void refuse() throws SQLException {
    EmptyDatabase.execute(scene.dataSource, REFUSE);
  }

  @AfterEach
  void close() {
    scene.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {3, -1})
  void isRefusedItself(int partition) throws SQLException {
    assertRefused(List.of(message(partition, "taken"), message(partition, "refused")));
  }

  @Test
  void isRefusedItselfWhenMessagesAreDelayed() throws SQLException {
    assertRefused(List.of(delayed("taken"), delayed("refused")));
  }

  private void assertRefused(List<NewMessage> messages) throws SQLException {
    try (Connection connection = scene.begin()) {
      assertThatThrownBy(() -> scene.database.writer().write(connection, messages))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("1 rows inserted (expected: 2)");
    }
  }

  private static NewMessage message(int partition, String type) {
    return message(partition, Message.of("kafka:orders", new byte[] {1}).type(type));
  }

  private static NewMessage delayed(String type) {
    Message message = Message.of("kafka:orders", new byte[] {1}).type(type);
    return message(3, message.notBefore(Instant.EPOCH));
  }

  private static NewMessage message(int partition, Message message) {
    return new NewMessage(new MessageId(UUID.randomUUID()), partition, message);
  }
}
