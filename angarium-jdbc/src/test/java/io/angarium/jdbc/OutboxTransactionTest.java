package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.BusinessKey;
import io.angarium.BusinessKey.Uniqueness;
import io.angarium.DuplicateBusinessKeyException;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.Outbox;
import io.angarium.StoreException;
import io.angarium.intake.CommittedMessages;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.testkit.RecordingHandover;
import io.angarium.testkit.tck.OutboxFixture;
import io.angarium.testkit.tck.OutboxTck;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresMySql;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Rival;
import io.angarium.testservers.Server;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A message exists exactly when its transaction does, whichever way it was sent. */
@OnOneJdk
final class OutboxTransactionTest {
  @Nested
  final class OnAConnectionOfH2 implements OutboxTck {
    private final JdbcFixture fixture = new OnConnection(EmptyDatabase.h2InMemory());

    @Override
    public JdbcFixture fixture() {
      return fixture;
    }
  }

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnAConnectionOfPostgres implements OutboxTck {
    private final JdbcFixture fixture = new OnConnection(EmptyDatabase.postgres());

    @Override
    public JdbcFixture fixture() {
      return fixture;
    }
  }

  @Nested
  @RequiresMariaDb
  final class OnAConnectionOfMariaDb implements OutboxTck {
    private final JdbcFixture fixture = new OnConnection(EmptyDatabase.mariaDb());

    @Override
    public JdbcFixture fixture() {
      return fixture;
    }
  }

  @Nested
  @RequiresMySql
  final class OnAConnectionOfMySql implements OutboxTck {
    private final JdbcFixture fixture = new OnConnection(EmptyDatabase.mySql());

    @Override
    public JdbcFixture fixture() {
      return fixture;
    }
  }

  @Nested
  final class InATransactionOfH2 implements ByItself {
    private final JdbcFixture fixture = new InTransaction(EmptyDatabase.h2InMemory());

    @Override
    public JdbcFixture fixture() {
      return fixture;
    }
  }

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class InATransactionOfPostgres implements ByItself {
    private final JdbcFixture fixture = new InTransaction(EmptyDatabase.silentPostgres());

    @Override
    public JdbcFixture fixture() {
      return fixture;
    }
  }

  @Nested
  @RequiresMariaDb
  final class InATransactionOfMariaDb implements ByItself {
    private final JdbcFixture fixture = new InTransaction(EmptyDatabase.mariaDb());

    @Override
    public JdbcFixture fixture() {
      return fixture;
    }
  }

  @Nested
  @RequiresMySql
  final class InATransactionOfMySql implements ByItself {
    private final JdbcFixture fixture = new InTransaction(EmptyDatabase.mySql());

    @Override
    public JdbcFixture fixture() {
      return fixture;
    }
  }

  /** Savepoints by other ways than the method for them. */
  interface ByItself extends OutboxTck {
    @Override
    JdbcFixture fixture();

    @ParameterizedTest
    @ValueSource(strings = {"text", "prepared", "unwrapped", "called", "other"})
    default void savepointOfAnyKindTakesItsMessagesAlong(String kind) throws Exception {
      List<MessageId> kept = new ArrayList<>();
      Message message = Message.of("kafka:orders", new byte[] {1});

      fixture()
          .outbox
          .inTransaction(
              (connection, outbox) -> {
                kept.add(outbox.send(message));
                Sql.of("INSERT INTO line VALUES ('line')").run(connection);
                Callable<?> back = savepoint(kind, connection);
                outbox.send(message);
                Sql.of("INSERT INTO line VALUES ('lost')").run(connection);
                back.call();
                return kept.add(outbox.send(message));
              });

      assertThat(fixture().lines()).containsExactly("line");
      assertThat(fixture().sent()).containsExactlyInAnyOrderElementsOf(kept);
    }

    /** Sets one; what is returned rolls back to it. */
    private static Callable<?> savepoint(String kind, Connection connection) throws SQLException {
      switch (kind) {
        case "text" -> {
          try (var statement = connection.createStatement()) {
            statement.execute("/* mine */ savepoint mine");
          }
          return () -> connection.createStatement().execute("ROLLBACK TO SAVEPOINT mine");
        }
        case "prepared" -> {
          Sql.of("SAVEPOINT mine").run(connection);
          return () -> Sql.of("ROLLBACK TO SAVEPOINT mine").run(connection);
        }
        case "unwrapped" -> {
          Connection unwrapped = connection.unwrap(Connection.class);
          Savepoint set = unwrapped.setSavepoint();
          return () -> {
            unwrapped.rollback(set);
            return set;
          };
        }
        case "called" -> {
          try (var call = connection.prepareCall("{call abs(1)}")) {
            Savepoint set = call.getConnection().setSavepoint();
            return () -> {
              connection.rollback(set);
              return set;
            };
          }
        }
        default -> {
          try (var statement = connection.createStatement()) {
            Connection back = statement.getConnection();
            Savepoint set = back.setSavepoint("mine");
            return () -> {
              connection.rollback(set);
              return set;
            };
          }
        }
      }
    }
  }

  @Test
  void outboxOnTheConnectionLeavesTheOtherMessagesGathered() {
    DataSource database = EmptyDatabase.h2InMemory();
    List<String> executed = new ArrayList<>();
    JdbcOutbox outbox =
        JdbcDatabase.open(
                new ConnectionSource(() -> Counted.of(database.getConnection(), executed::add)),
                JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE))
            .outbox(MessageIntake.of(null), Handover.NONE);
    Message message = Message.of("kafka:orders", new byte[] {1});
    executed.clear();

    outbox.inTransaction(
        (connection, gathering) -> {
          outbox.on(connection).send(message);
          gathering.send(message);
          return gathering.send(message);
        });

    assertThat(executed).filteredOn(text -> text.contains("INSERT INTO outbox")).hasSize(2);
  }

  /** What was to be written before a savepoint, and was taken for sent. */
  @Test
  void failureOfMessagesWrittenBeforeTheEndFailsTheTransactionThoughTheWorkSwallowsIt()
      throws SQLException {
    InTransaction fixture = new InTransaction(EmptyDatabase.h2InMemory());
    Message unique =
        Message.of("kafka:orders", new byte[] {1})
            .business(new BusinessKey("order", "1", Uniqueness.REFUSE));
    try (Connection other = fixture.dataSource.getConnection()) {
      other.setAutoCommit(false);
      fixture.outbox.on(other).send(unique);

      assertThatThrownBy(
              () ->
                  fixture.outbox.inTransaction(
                      (connection, outbox) -> {
                        Sql.of("SET LOCK_TIMEOUT 50").run(connection);
                        Sql.of("INSERT INTO line VALUES ('line')").run(connection);
                        outbox.send(unique);
                        assertThatThrownBy(connection::setSavepoint)
                            .isInstanceOf(StoreException.class);
                        other.rollback();
                        return outbox.send(Message.of("kafka:orders", new byte[] {2}));
                      }))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("Failed writing 1 messages");
    }

    assertThat(fixture.lines()).isEmpty();
    assertThat(fixture.sent()).isEmpty();
    fixture.close();
  }

  @Test
  void failureOfAMessageWrittenAtOnceFailsTheTransactionThoughTheWorkSwallowsIt() {
    InTransaction fixture = new InTransaction(EmptyDatabase.h2InMemory());
    EmptyDatabase.execute(
        fixture.dataSource,
        "ALTER TABLE outbox ADD CONSTRAINT planned CHECK (destination <> 'kafka:refused')");

    assertThatThrownBy(
            () ->
                fixture.outbox.inTransaction(
                    (connection, outbox) -> {
                      Savepoint unused = connection.setSavepoint();
                      Message refused = Message.of("kafka:refused", new byte[] {1});
                      assertThatThrownBy(() -> outbox.send(refused))
                          .isInstanceOf(StoreException.class);
                      outbox.send(Message.of("kafka:orders", new byte[] {2}));
                      return unused;
                    }))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("Failed writing 1 messages");

    assertThat(fixture.sent()).isEmpty();
    fixture.close();
  }

  @Test
  void repeatThatIsRefusedAtOnceMayBeSwallowed() throws SQLException {
    InTransaction fixture = new InTransaction(EmptyDatabase.h2InMemory());
    Message unique =
        Message.of("kafka:orders", new byte[] {1})
            .business(new BusinessKey("order", "1", Uniqueness.REFUSE));

    fixture.outbox.inTransaction(
        (connection, outbox) -> {
          Savepoint unused = connection.setSavepoint();
          outbox.send(unique);
          assertThatThrownBy(() -> outbox.send(unique))
              .isInstanceOf(DuplicateBusinessKeyException.class);
          return unused;
        });

    assertThat(fixture.sent()).hasSize(1);
    fixture.close();
  }

  /** Some wrappers refuse even the question. */
  @Test
  @RequiresServer(Server.POSTGRESQL)
  void connectionThatRefusesToBeUnwrappedCommits() {
    DataSource database = EmptyDatabase.postgres();
    InTransaction fixture =
        new InTransaction(
            new ConnectionSource(
                () -> {
                  Connection connection = database.getConnection();
                  return Counted.proxy(
                      Connection.class,
                      (proxy, method, arguments) -> {
                        if (method.getName().equals("isWrapperFor")) {
                          throw new SQLException("not supported");
                        }
                        return Counted.invoke(method, connection, arguments);
                      });
                }));

    MessageId sent =
        fixture.outbox.inTransaction(
            (connection, outbox) -> outbox.send(Message.of("kafka:orders", new byte[] {1})));

    assertThat(fixture.sent()).containsExactly(sent);
    fixture.close();
  }

  /** A business with a table of its own, and a relay that only listens. */
  abstract static class JdbcFixture implements OutboxFixture {
    final DataSource dataSource;
    final JdbcOutbox outbox;
    private final JdbcOutboxStore store;
    private final List<CommittedMessages> handedOver = new ArrayList<>();

    JdbcFixture(DataSource dataSource) {
      this.dataSource = dataSource;
      JdbcDatabase database =
          JdbcDatabase.open(dataSource, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
      this.outbox = database.outbox(OutboxTck.intake(), new RecordingHandover(handedOver));
      this.store = database.store();
      Rival.createTable(dataSource);
      EmptyDatabase.execute(dataSource, "CREATE TABLE line (text VARCHAR(100))");
    }

    @Override
    public List<String> lines() {
      try (Connection connection = dataSource.getConnection()) {
        return Sql.of("SELECT text FROM line").query(connection, row -> row.getString(1));
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public JdbcOutboxStore store() {
      return store;
    }

    @Override
    public List<CommittedMessages> handedOver() {
      return handedOver;
    }

    @Override
    public void close() {
      store.close();
    }

    @Override
    public final void run(Work work) throws Exception {
      try (Rival rival = Rival.begin(dataSource)) {
        run(work, rival);
      }
    }

    abstract void run(Work work, Rival rival) throws Exception;
  }

  private record OnDatabase(Rival rival, Connection connection, Outbox outbox)
      implements OutboxFixture.Transaction {
    @Override
    public void write(String line) {
      unchecked(() -> Sql.of("INSERT INTO line VALUES (?)", line).run(connection));
    }

    @Override
    public Object savepoint() {
      return unchecked(connection::setSavepoint);
    }

    @Override
    public void rollBackTo(Object savepoint) {
      unchecked(
          () -> {
            connection.rollback((Savepoint) savepoint);
            return savepoint;
          });
    }

    @Override
    public void swallowError() {
      Swallowed.error(connection);
    }

    @Override
    public void swallowDeadlock() {
      unchecked(
          () -> {
            if (connection.getMetaData().getDatabaseProductName().equals("PostgreSQL")) {
              Swallowed.error(connection);
            } else {
              rival.beat(sql -> Sql.of(sql).run(connection));
            }
            return connection;
          });
    }

    private static <T> T unchecked(Callable<T> call) {
      try {
        return call.call();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** A transaction of the application. */
  private static final class OnConnection extends JdbcFixture {
    OnConnection(DataSource dataSource) {
      super(dataSource);
    }

    @Override
    void run(Work work, Rival rival) throws Exception {
      try (Connection connection = dataSource.getConnection()) {
        connection.setAutoCommit(false);
        try {
          ConnectionOutbox messages = outbox.on(connection);
          work.in(new OnDatabase(rival, connection, messages));
          connection.commit();
          messages.committed();
        } catch (Exception e) {
          connection.rollback();
          throw e;
        }
      }
    }

    @Override
    public boolean watchesAll() {
      return false;
    }
  }

  /** A transaction of the outbox. */
  private static final class InTransaction extends JdbcFixture {
    InTransaction(DataSource dataSource) {
      super(dataSource);
    }

    @Override
    void run(Work work, Rival rival) throws Exception {
      outbox.inTransaction(
          (connection, messages) -> {
            work.in(new OnDatabase(rival, connection, messages));
            return true;
          });
    }
  }
}
