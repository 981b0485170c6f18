package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.confirmation.ConfirmationConfig;
import io.angarium.intake.NewMessage;
import io.angarium.intake.StoredMessage;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** What a confirmation costs the database, by statements and bytes of its log. */
@OnOneJdk
@RequiresServer(Server.POSTGRESQL)
final class ConfirmationCostTest {
  private static final int MESSAGES = 5_000;
  private static final int BATCH = 500;

  private static final ConfirmationConfig ORDERS =
      ConfirmationConfig.NONE.destinations("kafka:orders");
  private static final JdbcConfig OFF = EmptyDatabase.WITH_ALL_TABLES;
  private static final JdbcConfig ON = OFF.confirmation(ORDERS);

  private static List<StoredMessage> write(JdbcDatabase database, DataSource at, String destination)
      throws SQLException {
    List<NewMessage> messages =
        IntStream.range(0, MESSAGES)
            .mapToObj(
                i ->
                    new NewMessage(
                        new MessageId(new UUID((long) i << 16 | 0x7000, Long.MIN_VALUE | i)),
                        i % 64,
                        Message.of(destination, new byte[100]).key("k" + i)))
            .toList();
    try (Connection connection = at.getConnection()) {
      connection.setAutoCommit(false);
      List<StoredMessage> written = StoredRows.write(database, connection, messages);
      connection.commit();
      return written;
    }
  }

  private static void delete(JdbcOutboxStore store, List<StoredMessage> sent) {
    for (int from = 0; from < sent.size(); from += BATCH) {
      store.delete(sent.subList(from, from + BATCH).stream().map(StoredMessage::position).toList());
    }
  }

  /** First lines of what is executed to note a batch as sent, and to confirm it. */
  private static List<String> executed(JdbcConfig config, String destination) throws SQLException {
    DataSource plain = EmptyDatabase.postgres();
    List<String> executed = new ArrayList<>();
    DataSource counted =
        new ConnectionSource(() -> Counted.of(plain.getConnection(), executed::add));
    JdbcDatabase database = JdbcDatabase.open(counted, config);
    List<StoredMessage> sent = write(database, plain, destination).subList(0, 2 * BATCH);
    try (JdbcOutboxStore store = database.store()) {
      store.delete(List.of(sent.get(0).position())); // the session's settings
      executed.clear();
      delete(store, sent.subList(BATCH, 2 * BATCH));
      return executed.stream().map(text -> text.lines().findFirst().orElse("")).toList();
    }
  }

  @Test
  void withoutConfirmationNothingIsExecutedMore() throws SQLException {
    assertThat(executed(OFF, "kafka:orders")).containsExactly("DELETE FROM outbox");
  }

  @Test
  void batchIsLookedAtOnceMoreAndCopiedIfItDemandsConfirmation() throws SQLException {
    assertThat(executed(ON, "kafka:others"))
        .containsExactly(
            "SELECT o.message_id, o.partition_no, o.id", "DELETE FROM outbox", "COMMIT");
    assertThat(executed(ON, "kafka:orders"))
        .containsExactly(
            "SELECT o.message_id, o.partition_no, o.id",
            "UPDATE outbox_unconfirmed",
            "INSERT INTO outbox_unconfirmed (",
            "DELETE FROM outbox",
            "COMMIT");
  }

  /** A copy of the row with the entries of its three indexes, and its delete. */
  @Test
  void confirmationWritesTheMessageOnceMore() throws SQLException {
    try (QuietPostgres server = new QuietPostgres()) {
      double off = bytesOfSent(server, OFF);
      double on = bytesOfSent(server, ON);

      System.out.printf(
          "PostgreSQL, sent and confirmed: %.0f bytes of WAL per message, without confirmation"
              + " %.0f%n",
          on, off);
      assertThat(off).isBetween(20.0, 70.0);
      assertThat(on - off).isBetween(250.0, 700.0);
    }
  }

  private static double bytesOfSent(QuietPostgres server, JdbcConfig config) throws SQLException {
    DataSource at = server.emptyDatabase();
    JdbcDatabase database = JdbcDatabase.open(at, config);
    List<StoredMessage> sent = write(database, at, "kafka:orders");
    long before = QuietPostgres.logPosition(at);
    try (JdbcOutboxStore store = database.store()) {
      delete(store, sent);
    }
    if (config.confirmation().required()) {
      database.confirmations().confirm(sent.stream().map(StoredMessage::id).toList());
      assertThat(database.confirmations().unconfirmed()).isZero();
    }
    return (QuietPostgres.logPosition(at) - before) / (double) MESSAGES;
  }
}
