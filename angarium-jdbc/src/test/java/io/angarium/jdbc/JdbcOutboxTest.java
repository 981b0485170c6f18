package io.angarium.jdbc;

import static java.util.stream.Collectors.partitioningBy;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.angarium.BusinessKey;
import io.angarium.BusinessKey.Uniqueness;
import io.angarium.DuplicateBusinessKeyException;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.MessageLimits;
import io.angarium.NoTransactionException;
import io.angarium.OutboxException;
import io.angarium.TimeSource;
import io.angarium.intake.CommittedMessages;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.intake.Partitioning;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.store.ReadLimit;
import io.angarium.store.SequenceRange;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresMySql;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What applications do with the outbox, on every database. */
final class JdbcOutboxTest {
  @Nested
  final class OnH2 implements Sending {
    private final Application application = new Application(EmptyDatabase.h2InMemory());

    @Override
    public Application application() {
      return application;
    }
  }

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres implements Sending {
    private final Application application = new Application(EmptyDatabase.postgres());

    @Override
    public Application application() {
      return application;
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMariaDb
  final class OnMariaDb implements Sending {
    private final Application application = new Application(EmptiedDatabase.mariaDb());

    @Override
    public Application application() {
      return application;
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMySql
  final class OnMySql implements Sending {
    private final Application application = new Application(EmptiedDatabase.mySql());

    @Override
    public Application application() {
      return application;
    }
  }

  interface Sending {
    Application application();

    @AfterEach
    default void close() {
      application().store.close();
    }

    @Test
    default void messageAndBusinessRowCommitTogether() throws SQLException {
      try (Connection connection = application().begin()) {
        ConnectionOutbox outbox = application().outbox.on(connection);
        Sql.of("INSERT INTO orders VALUES (1)").run(connection);
        MessageId id = outbox.send(message("paid"));
        assertThat(application().unsent()).isEmpty();

        connection.commit();
        outbox.committed();

        assertThat(application().unsent()).extracting(StoredMessage::id).containsExactly(id);
        assertThat(application().toRead).containsExactly(application().unsent().get(0).position());
        assertThat(application().handedOver).as("without a look").isEmpty();
        assertThat(application().orders()).isEqualTo(1);
      }
    }

    @Test
    default void rolledBackTransactionLeavesNeither() throws SQLException {
      try (Connection connection = application().begin()) {
        Sql.of("INSERT INTO orders VALUES (1)").run(connection);
        application().outbox.on(connection).send(message("paid"));

        connection.rollback();

        assertThat(application().unsent()).isEmpty();
        assertThat(application().orders()).isZero();
      }
    }

    @Test
    default void sendWithoutATransactionIsRefusedAndWritesNothing() throws SQLException {
      try (Connection connection = application().dataSource.getConnection()) {
        ConnectionOutbox outbox = application().outbox.on(connection);

        assertThatThrownBy(() -> outbox.send(message("paid")))
            .isInstanceOf(NoTransactionException.class)
            .hasMessageContaining("setAutoCommit(false)");

        assertThat(application().unsent()).isEmpty();
      }
    }

    @Test
    default void sequencesFollowTheOrderOfTheList() throws SQLException {
      List<Message> messages =
          IntStream.range(0, 2_500).mapToObj(i -> message("n" + i).key("k")).toList();
      try (Connection connection = application().begin()) {
        List<MessageId> ids = application().outbox.on(connection).sendAll(messages);
        connection.commit();

        assertThat(application().unsent()).extracting(StoredMessage::id).isEqualTo(ids);
      }
    }

    @Test
    default void rowsHandedOverAreThoseStored() throws SQLException {
      List<Message> messages =
          IntStream.range(0, 2_500)
              .mapToObj(i -> i % 2 == 0 ? message("n" + i) : message("n" + i).key("k" + i))
              .toList();
      application().outbox.inTransaction((c, outbox) -> outbox.sendAll(messages));

      Map<Boolean, List<StoredMessage>> unsent =
          application().unsent().stream().collect(partitioningBy(StoredMessage::isKeyed));
      assertThat(application().handedOver)
          .extracting(StoredMessage::id, StoredMessage::position)
          .containsExactlyElementsOf(
              unsent.get(false).stream().map(row -> tuple(row.id(), row.position())).toList());
      assertThat(application().woken)
          .isEqualTo(
              unsent.get(true).stream().map(row -> row.position().partition()).collect(toSet()));
    }

    @Test
    default void messagesWithAndWithoutAPartShareAStatement() {
      Message all =
          message("all").key("k").type("t").header("h", "v").createdBy("c").business("b", "1");
      List<Message> messages =
          List.of(message("none"), all, message("key").key("k"), message("type").type("t"));

      application().outbox.inTransaction((c, outbox) -> outbox.sendAll(messages.subList(0, 3)));
      application().outbox.inTransaction((c, outbox) -> outbox.send(messages.get(3)));

      assertThat(application().unsent())
          .extracting(StoredMessage::message)
          .usingRecursiveComparison()
          .ignoringFields("business.uniqueness")
          .isEqualTo(messages);
    }

    @Test
    default void workIsCommittedAndHandedOver() {
      MessageId id =
          application()
              .outbox
              .inTransaction(
                  (connection, outbox) -> {
                    MessageId sent = outbox.send(message("paid"));
                    run(connection, "INSERT INTO orders VALUES (1)");
                    assertThat(application().handedOver).isEmpty();
                    return sent;
                  });

      assertThat(application().unsent()).extracting(StoredMessage::id).containsExactly(id);
      assertThat(application().handedOver)
          .extracting(StoredMessage::position)
          .containsExactly(application().unsent().get(0).position());
      assertThat(application().orders()).isEqualTo(1);
    }

    @Test
    default void failedWorkIsRolledBackAndNeverHandedOver() {
      IllegalStateException failure = new IllegalStateException("no money");

      assertThatThrownBy(
              () ->
                  application()
                      .outbox
                      .inTransaction(
                          (connection, outbox) -> {
                            run(connection, "INSERT INTO orders VALUES (1)");
                            outbox.send(message("paid"));
                            throw failure;
                          }))
          .isSameAs(failure);

      assertThat(application().unsent()).isEmpty();
      assertThat(application().handedOver).isEmpty();
      assertThat(application().orders()).isZero();
    }

    @Test
    default void outboxOfAnEndedTransactionRefuses() {
      List<io.angarium.Outbox> kept = new ArrayList<>();
      application().outbox.inTransaction((connection, outbox) -> kept.add(outbox));

      assertThatThrownBy(() -> kept.get(0).send(message("late")))
          .isInstanceOf(NoTransactionException.class);
    }

    @Test
    default void refusedDuplicateWritesNothingAndTheTransactionGoesOn() throws SQLException {
      BusinessKey once = new BusinessKey("order-paid", "1", Uniqueness.REFUSE);
      BusinessKey other = new BusinessKey("order-paid", "2", Uniqueness.REFUSE);
      application().outbox.inTransaction((c, outbox) -> outbox.send(message("a").business(once)));
      try (Connection connection = application().begin()) {
        ConnectionOutbox outbox = application().outbox.on(connection);

        assertThatThrownBy(
                () ->
                    outbox.sendAll(
                        List.of(message("b").business(other), message("c").business(once))))
            .isInstanceOf(DuplicateBusinessKeyException.class)
            .hasMessageContaining("order-paid, 1");
        outbox.send(message("b").business(other));
        connection.commit();
      }

      assertThat(application().unsent()).hasSize(2);
    }

    @Test
    default void ignoredDuplicateIsDroppedEvenWithinOneCall() {
      BusinessKey once = new BusinessKey("order-paid", "1", Uniqueness.IGNORE);

      application()
          .outbox
          .inTransaction(
              (c, outbox) ->
                  outbox.sendAll(
                      List.of(message("a").business(once), message("b").business(once))));
      application().outbox.inTransaction((c, outbox) -> outbox.send(message("c").business(once)));

      assertThat(application().unsent())
          .extracting(row -> new String(row.message().payload(), StandardCharsets.UTF_8))
          .containsExactly("a");
      assertThat(application().handedOver).hasSize(1);
    }

    @Test
    default void largePayloadAndStrangeTextSurvive() {
      byte[] payload = new byte[3 << 20];
      Arrays.fill(payload, (byte) 0xfe);
      Message message =
          Message.of("kafka:orders", payload)
              .key("ключ 🗝 '\"\\")
              .type("t")
              .header("h", "line 1\nline 2 ✓")
              .createdBy("o'neil")
              .business("type", "键");

      application().outbox.inTransaction((c, outbox) -> outbox.send(message));

      Message read = application().unsent().get(0).message();
      assertThat(read.payload()).isEqualTo(payload);
      assertThat(read.key()).isEqualTo(message.key());
      assertThat(read.headers()).isEqualTo(message.headers());
      assertThat(read.createdBy()).isEqualTo("o'neil");
      assertThat(read.business()).isEqualTo(new BusinessKey("type", "键", Uniqueness.NONE));
    }

    @Test
    default void keyedMessagesWithAndWithoutAPartKeepOrderAndContent() {
      Message all =
          message("all").key("k").type("t").header("h", "v").createdBy("c").business("b", "1");
      byte[] large = new byte[(1 << 20) + 1];
      Arrays.fill(large, (byte) '\'');
      List<Message> messages =
          List.of(
              message("none").key("ключ 🗝 '\"\\"),
              all,
              Message.of("kafka:orders", large).key("k"),
              message("").key(""),
              message("last").key("k").type("t"));

      application().outbox.inTransaction((c, outbox) -> outbox.sendAll(messages));

      assertThat(application().unsent())
          .extracting(StoredMessage::message)
          .usingRecursiveComparison()
          .withEqualsForType(Arrays::equals, byte[].class) // else byte by byte, which takes seconds
          .ignoringFields("business.uniqueness")
          .isEqualTo(messages);
    }

    @Test
    default void whatMessagesHaveInCommonIsThatOfEach() {
      List<Message> messages = new ArrayList<>();
      for (String destination : List.of("kafka:orders", "kafka:stock")) {
        List<Message> alike =
            Stream.of("a", "b")
                .map(text -> Message.of(destination, text.getBytes(StandardCharsets.UTF_8)))
                .map(message -> message.key("k").type("paid").createdBy("shop"))
                .toList();
        application().outbox.inTransaction((c, outbox) -> outbox.sendAll(alike));
        messages.addAll(alike);
      }
      List<Message> mixed = List.of(messages.get(3), messages.get(0), messages.get(1).type("t"));
      application().outbox.inTransaction((c, outbox) -> outbox.sendAll(mixed));
      messages.addAll(mixed);

      assertThat(application().unsent())
          .extracting(StoredMessage::message)
          .usingRecursiveComparison()
          .isEqualTo(messages);
    }

    @Test
    default void unreachableDatabaseIsAClearError() {
      DataSource unreachable =
          new ConnectionSource(
              () -> {
                throw new SQLException("connection refused", "08001");
              });

      assertThatThrownBy(() -> JdbcDatabase.open(unreachable, JdbcConfig.DEFAULTS))
          .isInstanceOf(OutboxException.class)
          .hasMessageContaining("connection refused")
          .hasMessageContaining("check that it runs");
    }

    private static Message message(String payload) {
      return Message.of("kafka:orders", payload.getBytes(StandardCharsets.UTF_8));
    }

    private static void run(Connection connection, String sql) {
      try {
        Sql.of(sql).run(connection);
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** An application with a table of its own, and a relay that only listens. */
  static final class Application {
    final DataSource dataSource;
    final JdbcOutbox outbox;
    final JdbcOutboxStore store;
    final List<StoredMessage> handedOver = new ArrayList<>();
    final Set<Position> toRead = new HashSet<>();
    final Set<Integer> woken = new HashSet<>();

    Application(DataSource dataSource) {
      this.dataSource = dataSource;
      JdbcDatabase database =
          JdbcDatabase.open(dataSource, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
      this.outbox = database.outbox(intake(), new Listener(handedOver, toRead, woken));
      this.store = database.store();
      EmptyDatabase.execute(dataSource, "CREATE TABLE orders (n INTEGER)");
    }

    private static MessageIntake intake() {
      AtomicLong random = new AtomicLong(7);
      return new MessageIntake(
          new MessageLimits(64 << 20, 512, 16_384),
          Partitioning.DEFAULTS,
          null,
          List.of(),
          TimeSource.SYSTEM,
          () -> random.getAndAdd(0x9e3779b97f4a7c15L));
    }

    Connection begin() throws SQLException {
      Connection connection = dataSource.getConnection();
      connection.setAutoCommit(false);
      return connection;
    }

    List<StoredMessage> unsent() {
      List<SequenceRange> all =
          Arrays.stream(Partitioning.DEFAULTS.all())
              .mapToObj(p -> SequenceRange.after(p, 0))
              .toList();
      return store.read(all, ReadLimit.rows(10_000)).rows().stream()
          .sorted((a, b) -> Long.compare(a.position().sequence(), b.position().sequence()))
          .toList();
    }

    long orders() {
      return EmptyDatabase.number(dataSource, "SELECT COUNT(*) FROM orders");
    }
  }

  private record Listener(List<StoredMessage> handedOver, Set<Position> toRead, Set<Integer> woken)
      implements Handover {
    @Override
    public void committed(CommittedMessages written, Duration sinceWritten) {
      handedOver.addAll(written.keyless());
      toRead.addAll(written.keylessToRead());
      woken.addAll(written.keyedPartitions());
    }

    @Override
    public int keylessPartition(Partitioning partitioning, long random) {
      return partitioning.ofKeyless(random);
    }
  }
}
