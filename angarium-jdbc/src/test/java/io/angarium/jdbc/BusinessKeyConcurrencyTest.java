package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.BusinessKey;
import io.angarium.BusinessKey.Uniqueness;
import io.angarium.DuplicateBusinessKeyException;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.intake.NewMessage;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
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
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Transactions that write some unique business keys at once, many of them new to all. */
final class BusinessKeyConcurrencyTest {
  private static final int PRODUCERS = 12;
  private static final int ROUNDS = 100;
  private static final int MESSAGES = 3;

  @Nested
  final class OnH2 implements Claiming {
    private final DataSource database = PatientDatabase.of(EmptyDatabase.h2InMemory());

    @Override
    public DataSource database() {
      return database;
    }
  }

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres implements Claiming {
    private final DataSource database = PatientDatabase.of(EmptyDatabase.postgres());

    @Override
    public DataSource database() {
      return database;
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMariaDb
  final class OnMariaDb implements Claiming {
    private final DataSource database = PatientDatabase.of(EmptyDatabase.mariaDb());

    @Override
    public DataSource database() {
      return database;
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMySql
  final class OnMySql implements Claiming {
    private final DataSource database = PatientDatabase.of(EmptyDatabase.mySql());

    @Override
    public DataSource database() {
      return database;
    }
  }

  interface Claiming {
    DataSource database();

    private JdbcDatabase open() {
      return JdbcDatabase.open(database(), JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
    }

    private long number(String sql) {
      return EmptyDatabase.number(database(), sql);
    }

    /** A deadlock is an error of some call, and fails. */
    @Test
    default void transactionsWithCommonKeysDoNotDeadlockAndSendEachKeyOnce() throws Exception {
      try (Producers producers = new Producers(database(), open())) {
        int written = 0;
        for (int i = 0; i < ROUNDS; i++) {
          written += producers.round(i, List.of());
        }

        assertThat(written).isGreaterThan(ROUNDS);
        assertThat(number("SELECT COUNT(*) FROM outbox")).isEqualTo(written);
        assertThat(number("SELECT COUNT(DISTINCT business_key) FROM outbox")).isEqualTo(written);
      }
    }

    @Test
    default void forgettingKeysDoesNotDeadlockWithThoseWhoSendThem() throws Exception {
      JdbcDatabase database = open();
      try (Producers producers = new Producers(database(), database)) {
        for (int i = 0; i < ROUNDS; i++) {
          producers.round(i, List.of(() -> forget(database)));
        }

        assertThat(number("SELECT COUNT(*) FROM outbox")).isGreaterThan(ROUNDS);
      }
    }

    private static int forget(JdbcDatabase database) {
      database.retention().forgetBusinessKeys(Duration.ZERO);
      return 0;
    }
  }

  /** Some connections, each in a thread of its own. */
  private static final class Producers implements AutoCloseable {
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Producer> producers = new ArrayList<>();

    Producers(DataSource dataSource, JdbcDatabase database) throws SQLException {
      for (int i = 0; i < PRODUCERS; i++) {
        Connection connection = dataSource.getConnection();
        connection.setAutoCommit(false);
        producers.add(new Producer(connection, database, new Random(i)));
      }
    }

    /** One transaction of each, and others, at once; returns how many messages were committed. */
    int round(int round, List<Callable<Integer>> others) throws Exception {
      List<Callable<Integer>> all = new ArrayList<>();
      producers.forEach(producer -> all.add(() -> producer.transact(round)));
      all.addAll(others);
      int written = 0;
      for (Future<Integer> end : threads.invokeAll(all, 2, TimeUnit.MINUTES)) {
        written += end.get();
      }
      return written;
    }

    @Override
    public void close() throws SQLException {
      threads.shutdownNow();
      for (Producer producer : producers) {
        producer.connection.close();
      }
    }
  }

  private record Producer(Connection connection, JdbcDatabase database, Random random) {
    int transact(int round) throws SQLException {
      int written = write(messages(round));
      if (random.nextBoolean()) {
        connection.rollback();
        return 0;
      }
      connection.commit();
      return written;
    }

    private int write(List<NewMessage> messages) throws SQLException {
      try {
        return StoredRows.write(database, connection, messages).size();
      } catch (DuplicateBusinessKeyException e) {
        return 0; // and the transaction goes on
      }
    }

    /** Keys of which many are new, and wanted by several in the same round. */
    private List<NewMessage> messages(int round) {
      return IntStream.range(0, MESSAGES).mapToObj(i -> message(4 * round)).toList();
    }

    private NewMessage message(int keyMin) {
      Uniqueness uniqueness = random.nextInt(8) == 0 ? Uniqueness.REFUSE : Uniqueness.IGNORE;
      BusinessKey business =
          new BusinessKey("order", "o" + (keyMin + random.nextInt(8)), uniqueness);
      Message message = Message.of("kafka:orders", new byte[10]).business(business);
      return new NewMessage(new MessageId(UUID.randomUUID()), 0, message);
    }
  }
}
