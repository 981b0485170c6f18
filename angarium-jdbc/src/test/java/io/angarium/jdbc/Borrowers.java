package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Message;
import io.angarium.StoreException;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.Marker;
import io.angarium.inbox.InboxKey;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.relay.Relay;
import io.angarium.relay.settings.RelayListener;
import io.angarium.store.lease.NodeId;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/** All that takes connections from a data source. */
record Borrowers(DataSource pool) {
  private static final HalfKey KEY = new HalfKey("order", "1");

  private JdbcDatabase open() {
    return JdbcDatabase.open(pool, EmptyDatabase.WITH_ALL_TABLES.history(true));
  }

  private JdbcInbox inbox() {
    return JdbcInbox.open(pool, InboxConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
  }

  private static Message message(String text) {
    return Message.of("fake:orders", text.getBytes(StandardCharsets.UTF_8)).key("k");
  }

  void useAll() throws Exception {
    JdbcDatabase database = open();
    relay(database);
    retention(database);
    halfMessages(database);
    readers(database);
    inbox(inbox());
    database.localTransactions().run(new Marker("order", "" + UUID.randomUUID()), c -> true);
    assertThat(database.markers().check(new Marker("order", "unknown"))).isNotNull();
  }

  private void relay(JdbcDatabase database) throws Exception {
    RelayScene scene = new RelayScene();
    scene.failWhile(RelayScene.onceEvery(3));
    try (JdbcOutboxStore store = database.store();
        JdbcLeaseStore leases = database.leases();
        Relay relay =
            scene.relay("node", Duration.ofSeconds(5), store, leases, RelayListener.NONE)) {
      JdbcOutbox outbox = database.outbox(MessageIntake.of(null), relay);
      new NumberedMessages("fake:orders", database).write(20);
      outbox.inTransaction((connection, messages) -> messages.send(message(":1")));
      relay.start();
      scene.awaitArrivals(21);
      assertThat(store.backlog()).isNotNull();
    }
  }

  private static void retention(JdbcDatabase database) {
    Retention retention = database.retention();
    retention.deleteSent(Duration.ZERO);
    retention.forgetBusinessKeys(Duration.ZERO);
    retention.forgetMarkers(Retention.MARKERS_KEPT);
    retention.forgetHalfMessages(Retention.HALF_MESSAGES_KEPT);
  }

  private static void halfMessages(JdbcDatabase database) {
    HalfKey key = new HalfKey("order", "" + UUID.randomUUID());
    try (JdbcHalfMessages half = database.halfMessages(MessageIntake.of(null), Handover.NONE);
        JdbcCheckStore checks = database.checkStore()) {
      half.prepare(HalfMessage.of(key, message("1")));
      checks.enter(0, Duration.ZERO);
      checks.claim(10, Duration.ofSeconds(1));
      half.commit(key);
      assertThat(half.state(key)).isNotNull();
      assertThat(database.halfMessageDesk(Handover.NONE).unresolved(0, 10)).isEmpty();
      assertThat(database.halfMessageDesk(Handover.NONE).backlog()).isNotNull();
    }
  }

  private static void readers(JdbcDatabase database) {
    try (JdbcOutboxStore store = database.store()) {
      assertThat(store.deadLetters().page(null, null, 10)).isEmpty();
      assertThat(store.deadLetters().requeue(List.of(), "test")).isZero();
    }
    database.confirmations().settleOverdue();
    database.confirmations().forgetReceipts();
    database
        .produced("fake:orders")
        .keys(
            new io.angarium.reconciliation.Window(Instant.EPOCH, Instant.now().plusSeconds(3600)),
            key -> {});
    var turn = database.taskProgress().begin("task " + UUID.randomUUID(), Duration.ofMinutes(1));
    assertThat(turn).isNotNull();
    assertThat(database.intakeTopics().all()).isEmpty();
  }

  private static void inbox(JdbcInbox inbox) {
    InboxKey key = InboxKey.of("stock", "" + UUID.randomUUID());
    List<InboxKey> keys =
        IntStream.range(0, 20).mapToObj(i -> InboxKey.of("stock", "" + UUID.randomUUID())).toList();
    for (int round = 0; round < 2; round++) {
      inbox.process(key, connection -> {});
      inbox.processAll(keys, (connection, fresh) -> {});
    }
    assertThat(inbox.rotationFault()).isEmpty();
    inbox.rotate();
    inbox
        .consumed("stock")
        .keys(
            new io.angarium.reconciliation.Window(Instant.EPOCH, Instant.now().plusSeconds(3600)),
            each -> {});
  }

  /**
   * @param database past the pool
   */
  void failAll(DataSource database) {
    JdbcDatabase opened = open();
    JdbcInbox inbox = inbox();
    assertThatThrownBy(
            () ->
                opened
                    .outbox(MessageIntake.of(null), Handover.NONE)
                    .inTransaction((connection, messages) -> fail(connection)))
        .isInstanceOf(SQLException.class);
    InboxKey key = InboxKey.of("stock", "" + UUID.randomUUID());
    assertThatThrownBy(() -> inbox.process(key, Borrowers::fail)).isInstanceOf(SQLException.class);
    assertThatThrownBy(
            () -> inbox.processAll(List.of(key), (connection, fresh) -> fail(connection)))
        .isInstanceOf(SQLException.class);
    EmptyDatabase.execute(
        database,
        "ALTER TABLE outbox RENAME TO gone",
        "ALTER TABLE outbox_node RENAME TO gone_node",
        "ALTER TABLE outbox_half RENAME TO gone_half",
        "ALTER TABLE inbox_schema RENAME TO gone_schema");
    try (JdbcOutboxStore store = opened.store();
        JdbcLeaseStore leases = opened.leases();
        JdbcHalfMessages half = opened.halfMessages(MessageIntake.of(null), Handover.NONE)) {
      assertThatThrownBy(store::backlog).isInstanceOf(RuntimeException.class);
      assertThatThrownBy(
              () ->
                  leases.heartbeat(new NodeId("n", UUID.randomUUID()), true, Duration.ofMinutes(1)))
          .isInstanceOf(RuntimeException.class);
      assertThatThrownBy(() -> half.prepare(HalfMessage.of(KEY, message("1"))))
          .isInstanceOf(RuntimeException.class);
      assertThatThrownBy(() -> opened.retention().forgetHalfMessages(Duration.ofDays(1)))
          .isInstanceOf(RuntimeException.class);
      rotate(inbox);
    } finally {
      EmptyDatabase.execute(
          database,
          "ALTER TABLE gone RENAME TO outbox",
          "ALTER TABLE gone_node RENAME TO outbox_node",
          "ALTER TABLE gone_half RENAME TO outbox_half",
          "ALTER TABLE gone_schema RENAME TO inbox_schema");
    }
  }

  /** H2 does without the table that is gone. */
  private static void rotate(JdbcInbox inbox) {
    try {
      inbox.rotate();
    } catch (StoreException e) {
      assertThat(e).hasMessageContaining("rotating the inbox");
    }
  }

  private static Object fail(Connection connection) throws SQLException {
    Sql.of("SELECT nothing FROM nowhere").run(connection);
    throw new AssertionError();
  }
}
