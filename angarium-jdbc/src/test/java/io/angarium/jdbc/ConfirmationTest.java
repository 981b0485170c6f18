package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.confirmation.ConfirmationConfig;
import io.angarium.confirmation.ConfirmationDesk;
import io.angarium.confirmation.ConfirmationDesk.Unconfirmed;
import io.angarium.confirmation.Confirmations.Overdue;
import io.angarium.deadletter.DeadLetter;
import io.angarium.desk.ActBy;
import io.angarium.desk.ActResult;
import io.angarium.desk.AuditQuery;
import io.angarium.intake.NewMessage;
import io.angarium.intake.Partitioning;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.relay.settings.RelayListener;
import io.angarium.store.ParkedEntry;
import io.angarium.store.ParkedOutcome;
import io.angarium.store.ReadLimit;
import io.angarium.store.SequenceRange;
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
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Sent messages are kept until they are confirmed, if, and only if, their destination demands it.
 */
final class ConfirmationTest {
  private static final ConfirmationConfig ORDERS =
      ConfirmationConfig.NONE.destinations("kafka:orders", "rabbitmq:or_der*");

  @Nested
  final class OnH2 extends OnDatabase {
    OnH2() {
      super(EmptyDatabase.h2InMemory());
    }
  }

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres extends OnDatabase {
    OnPostgres() {
      super(EmptyDatabase.postgres());
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMariaDb
  final class OnMariaDb extends OnDatabase {
    OnMariaDb() {
      super(EmptiedDatabase.mariaDb());
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMySql
  final class OnMySql extends OnDatabase {
    OnMySql() {
      super(EmptiedDatabase.mySql());
    }
  }

  abstract static class OnDatabase {
    private final DataSource database;
    private final JdbcDatabase opened;
    private final JdbcConfirmations confirmations;
    private final List<String> heard = new ArrayList<>();
    private final List<Integer> resent = new ArrayList<>();
    private final List<Integer> confirmed = new ArrayList<>();
    private final RelayListener hearing =
        new RelayListener() {
          @Override
          public void dead(StoredMessage message, String reason) {
            heard.add(message.id() + " " + message.message().destination() + " " + reason);
          }

          @Override
          public void confirmed(int messages) {
            confirmed.add(messages);
          }

          @Override
          public void resent(int messages) {
            resent.add(messages);
          }
        };

    OnDatabase(DataSource database) {
      this.database = PatientDatabase.of(database);
      JdbcConfig config = EmptyDatabase.WITH_ALL_TABLES.confirmation(ORDERS);
      opened = JdbcDatabase.open(this.database, config);
      confirmations = opened.confirmations(hearing);
    }

    private List<StoredMessage> write(String destination, int count) throws SQLException {
      List<NewMessage> messages =
          IntStream.range(0, count)
              .mapToObj(
                  i ->
                      new NewMessage(
                          new MessageId(UUID.randomUUID()),
                          i % 2,
                          Message.of(destination, new byte[] {7}).key("k").type("paid")))
              .toList();
      try (Connection connection = database.getConnection()) {
        connection.setAutoCommit(false);
        List<StoredMessage> written = StoredRows.write(opened, connection, messages);
        connection.commit();
        return written;
      }
    }

    private void sent(List<StoredMessage> messages) {
      try (JdbcOutboxStore store = opened.store()) {
        store.delete(messages.stream().map(StoredMessage::position).toList());
      }
    }

    private List<StoredMessage> unsent() {
      List<SequenceRange> all =
          List.of(new SequenceRange(0, 0, Long.MAX_VALUE), new SequenceRange(1, 0, Long.MAX_VALUE));
      try (JdbcOutboxStore store = opened.store()) {
        return store.read(all, new ReadLimit(1_000, 1 << 20)).rows();
      }
    }

    private void timeIsOver() {
      String past = "TIMESTAMP '2001-01-01 00:00:00'";
      EmptyDatabase.execute(
          database, "UPDATE outbox_unconfirmed SET due_at = " + past + " WHERE due_at IS NOT NULL");
    }

    /** All that was noted happened earlier, by the clock of the database. */
    private void advance(Duration duration) {
      String ago = " - INTERVAL '" + duration.toMinutes() + "' MINUTE";
      EmptyDatabase.execute(
          database,
          "UPDATE outbox_unconfirmed SET due_at = due_at" + ago + ", sent_at = sent_at" + ago,
          "UPDATE outbox_receipt SET received_at = received_at" + ago);
    }

    private static List<MessageId> ids(List<StoredMessage> messages) {
      return messages.stream().map(StoredMessage::id).toList();
    }

    private long receipts() {
      return EmptyDatabase.number(database, "SELECT COUNT(*) FROM outbox_receipt");
    }

    @Test
    void sentMessageWaitsForItsReceipt() throws SQLException {
      List<StoredMessage> orders = write("kafka:orders", 3);
      sent(orders);

      assertThat(unsent()).isEmpty();
      assertThat(confirmations.unconfirmed()).isEqualTo(3);

      confirmations.confirm(ids(orders.subList(0, 2)));

      assertThat(confirmations.unconfirmed()).isEqualTo(1);
      assertThat(confirmed).containsExactly(2);
      assertThat(receipts()).isZero();
      assertThat(confirmations.settleOverdue()).isEqualTo(Overdue.NONE);
    }

    @Test
    void copiesOfAMessageThatAreSentTogetherWaitForOneReceipt() throws SQLException {
      List<StoredMessage> sent = new ArrayList<>(write("kafka:orders", 1));
      NewMessage copy =
          new NewMessage(sent.get(0).id(), 1, Message.of("kafka:orders", new byte[] {7}));
      try (Connection connection = database.getConnection()) {
        connection.setAutoCommit(false);
        sent.addAll(StoredRows.write(opened, connection, List.of(copy)));
        connection.commit();
      }

      sent(sent);

      assertThat(unsent()).isEmpty();
      assertThat(confirmations.unconfirmed()).isEqualTo(1);
    }

    @Test
    void otherDestinationsWaitForNothing() throws SQLException {
      sent(write("kafka:orders2", 1));
      sent(write("rabbitmq:or-der/paid", 1)); // the underscore is no wildcard

      assertThat(confirmations.unconfirmed()).isZero();

      sent(write("rabbitmq:or_der/paid", 1));

      assertThat(confirmations.unconfirmed()).isEqualTo(1);
    }

    @Test
    void unconfirmedMessageIsSentAgainAsItWas() throws SQLException {
      StoredMessage order = write("kafka:orders", 1).get(0);
      sent(List.of(order));
      timeIsOver();

      assertThat(confirmations.settleOverdue()).isEqualTo(new Overdue(0, 1, 0));
      assertThat(resent).containsExactly(1);

      StoredMessage again = unsent().get(0);
      assertThat(again.id()).isEqualTo(order.id());
      assertThat(again.message().key()).isEqualTo("k");
      assertThat(again.message().type()).isEqualTo("paid");
      assertThat(again.message().payload()).containsExactly(7);
      assertThat(again.position().partition()).isEqualTo(order.position().partition());
      assertThat(confirmations.settleOverdue())
          .as("it waits in the outbox, however long")
          .isEqualTo(Overdue.NONE);
      assertThat(confirmations.unconfirmed()).isEqualTo(1);

      sent(List.of(again));
      confirmations.confirm(List.of(order.id()));
      assertThat(confirmations.unconfirmed()).isZero();
    }

    @Test
    void personsSeeUnconfirmedMessagesByDestination() throws SQLException {
      ConfirmationDesk desk = opened.confirmationDesk();
      assertThat(desk.byDestination()).isEmpty();
      sent(write("kafka:orders", 3));
      timeIsOver();
      confirmations.settleOverdue();
      sent(unsent().subList(0, 1));
      sent(write("rabbitmq:or_der/paid", 1));

      List<Unconfirmed> seen = desk.byDestination();
      assertThat(confirmations.byDestination()).isEqualTo(seen);

      Unconfirmed orders = seen.get(0);
      assertThat(seen).hasSize(2);
      assertThat(orders.destination()).isEqualTo("kafka:orders");
      assertThat(orders.count()).isEqualTo(3);
      assertThat(orders.sentAgain()).isEqualTo(3);
      assertThat(orders.waiting()).isEqualTo(2);
      assertThat(orders.sendsMax()).isEqualTo(2);
      assertThat(orders.nextDue()).isAfter(orders.oldest());
      assertThat(orders.overdue()).isZero();
      assertThat(seen.get(1).sentAgain()).isZero();
      timeIsOver();
      assertThat(desk.byDestination().get(0).overdue()).isEqualTo(1);
    }

    @Test
    void personSendsUnconfirmedMessagesAgainOnceWithTheAudit() throws SQLException {
      List<StoredMessage> orders = write("kafka:orders", 3);
      sent(orders);
      confirmations.confirm(ids(orders.subList(2, 3)));
      ActBy ada = ActBy.of("ada", "the consumer lost them", ActBy.Via.PAGE);

      ActResult first = opened.confirmationDesk().sendAgain(ids(orders), ada);
      ActResult second = opened.confirmationDesk().sendAgain(ids(orders), ada);

      assertThat(first.done()).containsExactlyElementsOf(ids(orders.subList(0, 2)));
      assertThat(first.notFound()).containsExactlyElementsOf(ids(orders.subList(2, 3)));
      assertThat(second.done()).isEmpty();
      assertThat(ids(unsent())).containsExactlyInAnyOrderElementsOf(ids(orders.subList(0, 2)));
      assertThat(opened.desk().audit().page(AuditQuery.newest(10)))
          .hasSize(2)
          .allMatch(entry -> entry.act().equals("sendAgain"))
          .allMatch(entry -> entry.by().decision().by().equals("ada"));
      sent(unsent());
      assertThat(opened.confirmationDesk().byDestination().get(0).sendsMax()).isEqualTo(2);
    }

    @Test
    void whatIsLeftWhenItIsSwitchedOffIsSentOnceMoreAndForgotten() throws SQLException {
      sent(write("kafka:orders", 2));
      timeIsOver();
      JdbcDatabase off = JdbcDatabase.open(database, JdbcConfig.DEFAULTS);
      assertThat(off.confirmations().unconfirmed()).isEqualTo(2);

      assertThat(off.confirmations().settleOverdue()).isEqualTo(new Overdue(0, 2, 0));

      try (JdbcOutboxStore store = off.store()) {
        store.delete(unsent().stream().map(StoredMessage::position).toList());
      }
      EmptyDatabase.execute(
          database, "UPDATE outbox_unconfirmed SET sent_at = TIMESTAMP '2001-01-01 00:00:00'");
      off.confirmations().forgetReceipts();
      assertThat(off.confirmations().unconfirmed()).isZero();
    }

    @Test
    void messageThatNobodyConfirmsBecomesADeadLetter() throws SQLException {
      StoredMessage order = write("kafka:orders", 1).get(0);
      sent(List.of(order));
      for (int sends = 1; sends < ORDERS.sendsMax(); sends++) {
        timeIsOver();
        assertThat(confirmations.settleOverdue()).isEqualTo(new Overdue(0, 1, 0));
        sent(unsent());
      }
      timeIsOver();

      assertThat(heard).isEmpty();
      assertThat(confirmations.settleOverdue()).isEqualTo(new Overdue(0, 0, 1));

      assertThat(confirmations.unconfirmed()).isZero();
      assertThat(heard)
          .singleElement()
          .asString()
          .contains(order.id() + " kafka:orders unconfirmed: sent 5 times");
      try (JdbcOutboxStore store = opened.store()) {
        DeadLetter dead = store.deadLetters().page(null, null, 10).get(0);
        assertThat(dead.message().id()).isEqualTo(order.id());
        assertThat(dead.reason()).contains("unconfirmed: sent 5 times", "within 10m");
        assertThat(dead.message().attempts()).isEqualTo(5);
        assertThat(store.deadLetters().requeue(List.of(order.id()), "test")).isEqualTo(1);
      }
      assertThat(ids(unsent())).containsExactly(order.id());
    }

    @Test
    void timesAndLimitAreThoseOfTheConfiguration() throws SQLException {
      Duration timeout = Duration.ofHours(2);
      JdbcConfig config =
          JdbcConfig.DEFAULTS.confirmation(
              new ConfirmationConfig(
                  ORDERS.destinations(), timeout, 2, Duration.ofHours(3), ORDERS.interval()));
      JdbcConfirmations two = JdbcDatabase.open(database, config).confirmations();
      StoredMessage order = write("kafka:orders", 1).get(0);

      sent(config, List.of(order));
      advance(timeout.minusMinutes(5));
      assertThat(two.settleOverdue()).isEqualTo(Overdue.NONE);
      advance(Duration.ofMinutes(5));
      assertThat(two.settleOverdue()).isEqualTo(new Overdue(0, 1, 0));

      sent(config, unsent());
      advance(timeout.minusMinutes(5));
      assertThat(two.settleOverdue()).isEqualTo(Overdue.NONE);
      advance(Duration.ofMinutes(5));
      assertThat(two.settleOverdue()).isEqualTo(new Overdue(0, 0, 1));

      two.confirm(List.of(new MessageId(new UUID(0, 1)))); // of nobody
      advance(Duration.ofMinutes(175));
      assertThat(two.forgetReceipts()).isZero();
      advance(Duration.ofMinutes(5));
      assertThat(two.forgetReceipts()).isOne();
    }

    private void sent(JdbcConfig config, List<StoredMessage> messages) {
      try (JdbcOutboxStore store = JdbcDatabase.open(database, config).store()) {
        store.delete(messages.stream().map(StoredMessage::position).toList());
      }
    }

    @Test
    void receiptThatIsFasterThanTheNoteCounts() throws SQLException {
      List<StoredMessage> orders = write("kafka:orders", 2);
      confirmations.confirm(ids(orders));
      confirmations.confirm(ids(orders)); // a repeat

      sent(orders);

      assertThat(confirmations.unconfirmed()).isZero();
      assertThat(confirmed).isEmpty();
      assertThat(receipts()).isEqualTo(2);
      assertThat(confirmations.forgetReceipts()).isZero();
      EmptyDatabase.execute(
          database, "UPDATE outbox_receipt SET received_at = TIMESTAMP '2001-01-01 00:00:00'");
      assertThat(confirmations.forgetReceipts()).isEqualTo(2);
    }

    @Test
    void receiptThatMissedTheNoteIsFoundBeforeTheMessageIsSentAgain() throws SQLException {
      List<StoredMessage> orders = write("kafka:orders", 3);
      sent(orders);
      // the two crossed: neither saw the other
      EmptyDatabase.execute(
          database,
          "INSERT INTO outbox_receipt (message_id, received_at)"
              + " SELECT message_id, sent_at FROM outbox_unconfirmed WHERE partition_no = 0");
      timeIsOver();

      assertThat(confirmations.settleOverdue()).isEqualTo(new Overdue(2, 1, 0));
    }

    @Test
    void receiptForACopyThatWaitsToBeSentConfirmsItWhenItWasSent() throws SQLException {
      StoredMessage order = write("kafka:orders", 1).get(0);
      sent(List.of(order));
      timeIsOver();
      confirmations.settleOverdue();
      confirmations.confirm(List.of(order.id()));

      sent(unsent());

      assertThat(confirmations.unconfirmed()).isZero();
    }

    @Test
    void copyThatNeverCameBackIsForgotten() throws SQLException {
      sent(write("kafka:orders", 600)); // more than one statement takes
      timeIsOver();
      confirmations.settleOverdue();
      confirmations.forgetReceipts();
      assertThat(confirmations.unconfirmed()).isEqualTo(600);
      EmptyDatabase.execute(
          database, "UPDATE outbox_unconfirmed SET sent_at = TIMESTAMP '2001-01-01 00:00:00'");

      confirmations.forgetReceipts();

      assertThat(confirmations.unconfirmed()).isZero();
    }

    @Test
    void messageThatWasParkedWaitsForItsReceiptToo() throws SQLException {
      NodeId node = new NodeId("node-1", new UUID(0, 1));
      StoredMessage order = write("kafka:orders", 1).get(0);
      try (JdbcOutboxStore store = opened.store();
          JdbcLeaseStore leases = opened.leases()) {
        leases.prepare(Partitioning.DEFAULTS);
        Lease lease = leases.acquire(node, List.of(0), Duration.ZERO).get(0);
        store.park(List.of(lease), List.of(ParkedEntry.head(order, 1, Duration.ZERO, "down")));
        Position parked = order.position();
        store.settleParked(
            List.of(new ParkedOutcome(lease, order.keyHash(), List.of(parked), List.of())));
      }

      assertThat(confirmations.unconfirmed()).isEqualTo(1);
    }

    @Test
    void ofNodesThatLookAtOnceOneSendsAgain() throws Exception {
      sent(write("kafka:orders", 40));
      timeIsOver();
      ExecutorService nodes = Executors.newFixedThreadPool(4);
      try {
        List<Future<Overdue>> rounds = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
          rounds.add(nodes.submit(() -> opened.confirmations().settleOverdue()));
        }
        Overdue all = Overdue.NONE;
        for (Future<Overdue> round : rounds) {
          all = all.plus(round.get(60, TimeUnit.SECONDS));
        }
        assertThat(all).isEqualTo(new Overdue(0, 40, 0));
      } finally {
        nodes.shutdownNow();
      }
      assertThat(unsent()).hasSize(40);
    }
  }
}
