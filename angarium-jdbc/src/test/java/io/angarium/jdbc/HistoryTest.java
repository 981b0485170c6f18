package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.BusinessKey;
import io.angarium.BusinessKey.Uniqueness;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.desk.ActBy;
import io.angarium.desk.MessageActs;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.intake.NewMessage;
import io.angarium.intake.Partitioning;
import io.angarium.intake.StoredMessage;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.store.ParkedEntry;
import io.angarium.store.ParkedOutcome;
import io.angarium.store.lease.Lease;
import io.angarium.store.lease.NodeId;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresMySql;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Sent messages are kept if, and only if, it is switched on. */
final class HistoryTest {
  @Nested
  final class OnH2 implements Keeping {
    private final DataSource database = EmptyDatabase.h2InMemory();

    @Override
    public DataSource database() {
      return database;
    }
  }

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres implements Keeping {
    private final DataSource database = EmptyDatabase.postgres();

    @Override
    public DataSource database() {
      return database;
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMariaDb
  final class OnMariaDb implements Keeping {
    private final DataSource database = EmptyDatabase.mariaDb();

    @Override
    public DataSource database() {
      return database;
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMySql
  final class OnMySql implements Keeping {
    private final DataSource database = EmptyDatabase.mySql();

    @Override
    public DataSource database() {
      return database;
    }
  }

  interface Keeping {
    DataSource database();

    private JdbcDatabase open(boolean history) {
      return JdbcDatabase.open(
          database(), JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE).history(history));
    }

    /** More than one statement deletes. */
    int DISCARDED = 600;

    private long sent() {
      return EmptyDatabase.number(database(), "SELECT COUNT(*) FROM outbox_sent");
    }

    private long unsent() {
      return EmptyDatabase.number(database(), "SELECT COUNT(*) FROM outbox");
    }

    private List<StoredMessage> write(JdbcDatabase opened, int count) throws SQLException {
      List<NewMessage> messages =
          IntStream.range(0, count)
              .mapToObj(
                  i ->
                      new NewMessage(
                          new MessageId(UUID.randomUUID()),
                          0,
                          Message.of("kafka:orders", new byte[] {1}).key("k" + i)))
              .toList();
      try (Connection connection = database().getConnection()) {
        connection.setAutoCommit(false);
        List<StoredMessage> written = StoredRows.write(opened, connection, messages);
        connection.commit();
        return written;
      }
    }

    @Test
    default void sentMessagesAreDeletedByDefault() throws SQLException {
      JdbcDatabase opened = open(false);
      try (JdbcOutboxStore store = opened.store()) {
        store.delete(write(opened, 2).stream().map(StoredMessage::position).toList());
      }

      assertThat(unsent()).isZero();
      assertThat(sent()).isZero();
    }

    @Test
    default void sentMessagesMoveToTheHistoryOnce() throws SQLException {
      JdbcDatabase opened = open(true);
      try (JdbcOutboxStore store = opened.store()) {
        List<StoredMessage> rows = write(opened, 3);

        store.delete(rows.subList(0, 2).stream().map(StoredMessage::position).toList());
        store.delete(rows.subList(0, 2).stream().map(StoredMessage::position).toList());
      }

      assertThat(unsent()).isEqualTo(1);
      assertThat(sent()).isEqualTo(2);
    }

    @Test
    default void historyIsCutByAge() throws SQLException {
      JdbcDatabase opened = open(true);
      try (JdbcOutboxStore store = opened.store()) {
        store.delete(write(opened, 3).stream().map(StoredMessage::position).toList());
      }

      assertThat(opened.retention().deleteSent(Duration.ofHours(1))).isZero();
      assertThat(sent()).isEqualTo(3);
      assertThat(opened.retention().deleteSent(Duration.ZERO)).isEqualTo(3);
      assertThat(sent()).isZero();
    }

    @Test
    default void businessKeysAreForgottenByAge() throws SQLException {
      JdbcDatabase opened = open(false);
      Message unique =
          Message.of("kafka:orders", new byte[] {1})
              .business(new BusinessKey("order-paid", "1", Uniqueness.REFUSE));
      try (Connection connection = database().getConnection()) {
        connection.setAutoCommit(false);
        opened
            .writer()
            .write(connection, List.of(new NewMessage(new MessageId(new UUID(0, 1)), 0, unique)));
        connection.commit();
      }

      assertThat(opened.retention().forgetBusinessKeys(Duration.ofHours(1))).isZero();
      assertThat(opened.retention().forgetBusinessKeys(Duration.ZERO)).isEqualTo(1);
    }

    @Test
    default void discardedMessagesAreDeletedByAge() throws SQLException {
      JdbcDatabase opened = JdbcDatabase.open(database(), EmptyDatabase.WITH_ALL_TABLES);
      MessageActs acts = opened.desk().acts();
      ActBy ann = ActBy.of("ann", "not wanted", ActBy.Via.API);
      List<MessageId> ids = new ArrayList<>();
      try (Connection connection = database().getConnection()) {
        connection.setAutoCommit(false);
        for (int i = 0; i < DISCARDED; i++) {
          Message later =
              Message.of("kafka:orders", new byte[] {1})
                  .notBefore(Instant.now().plus(Duration.ofDays(20)));
          ids.add(opened.outbox(MessageIntake.of(null), Handover.NONE).on(connection).send(later));
        }
        connection.commit();
      }
      acts.cancel(ids.subList(0, DISCARDED / 2), ann);
      acts.cancel(ids.subList(DISCARDED / 2, DISCARDED - 1), ann);
      String week = opened.product().startsWith("M") ? "INTERVAL 8 DAY" : "8 * INTERVAL '1' DAY";
      EmptyDatabase.execute(
          database(), "UPDATE outbox_discarded SET discarded_at = discarded_at - " + week);
      acts.cancel(ids.subList(DISCARDED - 1, DISCARDED), ann);

      RetentionRounds rounds = RetentionRounds.start(opened.retention(), RetentionConfig.DEFAULTS);
      rounds.cut();
      rounds.close();

      assertThat(EmptyDatabase.number(database(), "SELECT COUNT(*) FROM outbox_discarded"))
          .isEqualTo(1);
      assertThat(acts.restore(ids.subList(DISCARDED - 2, DISCARDED), ann).done())
          .containsExactly(ids.get(DISCARDED - 1));
    }

    @Test
    default void discardedMessagesAreKeptForADayAtLeast() {
      Retention retention =
          JdbcDatabase.open(database(), EmptyDatabase.WITH_ALL_TABLES).retention();

      assertThatThrownBy(() -> retention.forgetDiscarded(Duration.ofHours(23)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("age: 23h (expected: at least 1d)");
    }

    @Test
    default void parkedMessageMovesToTheHistoryWithItsAttempts() throws SQLException {
      JdbcDatabase opened = open(true);
      NodeId node = new NodeId("node-1", new UUID(0, 1));
      try (JdbcOutboxStore store = opened.store();
          JdbcLeaseStore leases = opened.leases()) {
        leases.prepare(Partitioning.DEFAULTS);
        Lease lease = leases.acquire(node, List.of(0), Duration.ZERO).get(0);
        StoredMessage row = write(opened, 1).get(0);
        store.park(List.of(lease), List.of(ParkedEntry.head(row, 4, Duration.ZERO, "down")));

        store.settleParked(
            List.of(new ParkedOutcome(lease, row.keyHash(), List.of(row.position()), List.of())));
      }

      assertThat(EmptyDatabase.number(database(), "SELECT attempts FROM outbox_sent")).isEqualTo(4);
      assertThat(EmptyDatabase.number(database(), "SELECT COUNT(*) FROM outbox_parked")).isZero();
    }
  }
}
