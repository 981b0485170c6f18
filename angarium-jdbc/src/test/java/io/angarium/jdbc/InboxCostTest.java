package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.inbox.InboxKey;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresMySql;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** What the note of a message costs the database, by statements and bytes of its log. */
@OnOneJdk
final class InboxCostTest {
  private static final int MESSAGES = 400;
  private static final int BATCH = 200;

  /** A row of two columns, its entry in the index, and what a transaction has of it. */
  private static final double LOG_BYTES_MAX = 260;

  /** Less than a row and its entry take: something else was measured. */
  private static final double LOG_BYTES_MIN = 100;

  private static final String WORK = "INSERT INTO work (id) VALUES (?)";
  private static final String FOLDED = "INSERT INTO work (id) SELECT ? WHERE :fresh";

  /** Takes deliveries with numbers from {@code first} to before {@code end}. */
  @FunctionalInterface
  private interface Consumer {
    void take(JdbcInbox inbox, long first, long end);
  }

  private static DataSource withWork(DataSource database) {
    EmptyDatabase.execute(database, "CREATE TABLE work (id bigint PRIMARY KEY)");
    return database;
  }

  private static JdbcInbox open(DataSource database) {
    return JdbcInbox.open(database, InboxConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
  }

  /** Ids that rise, as those of messages do. */
  private static InboxKey key(long number) {
    return new InboxKey("stock", new UUID(number << 16 | 0x7000, 0x8000_0000_0000_0000L | number));
  }

  private static void work(Connection connection, long number) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(WORK)) {
      insert.setLong(1, number);
      insert.executeUpdate();
    }
  }

  private static void single(JdbcInbox inbox, long first, long end) {
    try {
      for (long i = first; i < end; i++) {
        long number = i;
        inbox.process(key(number), connection -> work(connection, number));
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void folded(JdbcInbox inbox, long first, long end) {
    for (long i = first; i < end; i++) {
      inbox.update(key(i), FOLDED, i);
    }
  }

  private static void batched(JdbcInbox inbox, long first, long end) {
    for (long i = first; i < end; i += BATCH) {
      List<InboxKey> keys =
          LongStream.range(i, Math.min(end, i + BATCH)).mapToObj(InboxCostTest::key).toList();
      inbox.processAll(keys, (connection, fresh) -> assertThat(fresh).hasSameSizeAs(keys));
    }
  }

  /** What is executed for deliveries when the connection is open. */
  private static List<String> executed(DataSource database, Consumer consumer, int deliveries) {
    open(withWork(database));
    List<String> executed = new ArrayList<>();
    JdbcInbox inbox =
        JdbcInbox.open(
            new ConnectionSource(() -> Counted.of(database.getConnection(), executed::add)),
            InboxConfig.DEFAULTS);
    executed.clear(); // the look at the tables
    consumer.take(inbox, 0, deliveries);
    return executed.stream().map(text -> text.lines().findFirst().orElse("")).toList();
  }

  @Test
  @RequiresServer(Server.POSTGRESQL)
  void noteIsOneStatementMoreOnPostgresql() {
    assertThat(executed(EmptyDatabase.postgres(), InboxCostTest::single, 1))
        .containsExactly("WITH angarium_wait AS MATERIALIZED (", WORK, "COMMIT");
  }

  @Test
  @RequiresServer(Server.POSTGRESQL)
  void foldedNoteAndWorkAreOneStatementOnPostgresql() {
    assertThat(executed(EmptyDatabase.postgres(), InboxCostTest::folded, 1))
        .containsExactly("WITH angarium_wait AS MATERIALIZED (");
  }

  @Test
  @RequiresServer(Server.POSTGRESQL)
  void notesOfABatchAreOneStatementOnPostgresql() {
    assertThat(executed(EmptyDatabase.postgres(), InboxCostTest::batched, BATCH))
        .containsExactly("SAVEPOINT", "WITH angarium_wait AS MATERIALIZED (", "COMMIT");
  }

  @Test
  @RequiresMariaDb
  void noteIsOneStatementMoreOnMariadb() {
    assertThat(executed(EmptyDatabase.mariaDb(), InboxCostTest::single, 1))
        .containsExactly(
            "SET STATEMENT innodb_lock_wait_timeout = LEAST(@@innodb_lock_wait_timeout, 5) FOR",
            WORK,
            "COMMIT");
  }

  @Test
  @RequiresMySql
  void noteIsThreeStatementsMoreOnMysql() {
    assertThat(executed(EmptyDatabase.mySql(), InboxCostTest::single, 1))
        .containsExactly(
            "SET @angarium_wait = @@SESSION.innodb_lock_wait_timeout,",
            "INSERT IGNORE INTO inbox (consumer, message_id)",
            "SET SESSION innodb_lock_wait_timeout = @angarium_wait, @angarium_wait = NULL",
            WORK,
            "COMMIT");
  }

  /** Others may have it as well, so the work cannot be watched. */
  @Test
  @RequiresMariaDb
  void noteInATransactionOfTheCallerTakesASavepointOnMariadb() throws SQLException {
    DataSource database = withWork(EmptyDatabase.mariaDb());
    JdbcInbox inbox = open(database);
    List<String> executed = new ArrayList<>();
    try (Connection connection = Counted.of(database.getConnection(), executed::add)) {
      connection.setAutoCommit(false);

      inbox.on(connection).process(key(0), open -> work(open, 0));

      connection.rollback();
    }
    assertThat(executed)
        .hasSize(5)
        .containsSubsequence("SAVEPOINT", WORK, "RELEASE SAVEPOINT", "ROLLBACK");
  }

  @Test
  @RequiresMariaDb
  void workThatIsAStatementNeedsNoSavepointOnMariadb() {
    assertThat(executed(EmptyDatabase.mariaDb(), InboxCostTest::folded, 1))
        .containsExactly(
            "SET STATEMENT innodb_lock_wait_timeout = LEAST(@@innodb_lock_wait_timeout, 5) FOR",
            FOLDED.replace(":fresh", "TRUE"),
            "COMMIT");
  }

  /** What we do with the connection ourselves does not leave the watch. */
  @Test
  @RequiresMariaDb
  void messageSentByTheWorkNeedsNoSavepointOnMariadb() {
    DataSource database = EmptyDatabase.mariaDb();
    JdbcOutbox outbox =
        JdbcDatabase.open(database, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE))
            .outbox(MessageIntake.of(null), Handover.NONE);
    Message message = Message.of("kafka:orders", new byte[] {1});

    List<String> executed =
        executed(
            database,
            (inbox, first, end) ->
                inbox.process(key(first), connection -> outbox.on(connection).send(message)),
            1);

    assertThat(executed)
        .hasSize(4) // one asks a new connection where it leads
        .anySatisfy(text -> assertThat(text).startsWith("INSERT INTO outbox"))
        .doesNotContain("SAVEPOINT", "RELEASE SAVEPOINT")
        .endsWith("COMMIT");
  }

  @Test
  @RequiresMariaDb
  void notesOfABatchAreOneStatementAndASavepointOnMariadb() {
    assertThat(executed(EmptyDatabase.mariaDb(), InboxCostTest::batched, BATCH))
        .containsExactly(
            "SET STATEMENT innodb_lock_wait_timeout = LEAST(@@innodb_lock_wait_timeout, 5) FOR",
            "SAVEPOINT",
            "RELEASE SAVEPOINT",
            "COMMIT");
  }

  @Test
  @RequiresServer(Server.POSTGRESQL)
  void noteWritesFewBytesOfLogOnPostgresql() {
    try (QuietPostgres server = new QuietPostgres()) {
      DataSource database = withWork(server.emptyDatabase());
      JdbcInbox inbox = open(database);

      double work =
          bytes(database, (none, first, end) -> workAlone(database, first, end), inbox, 0);
      double single = bytes(database, InboxCostTest::single, inbox, 1) - work;
      double folded = bytes(database, InboxCostTest::folded, inbox, 2) - work;
      double batched = bytes(database, InboxCostTest::batched, inbox, 3);

      System.out.printf(
          "PostgreSQL, note: %.0f bytes of WAL alone, %.0f folded, %.0f in a batch of %d%n",
          single, folded, batched, BATCH);
      assertThat(List.of(single, folded, batched))
          .allSatisfy(bytes -> assertThat(bytes).isBetween(LOG_BYTES_MIN, LOG_BYTES_MAX));
    }
  }

  private static void workAlone(DataSource database, long first, long end) {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      for (long i = first; i < end; i++) {
        work(connection, i);
        connection.commit();
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Of the log, for each delivery. */
  private static double bytes(DataSource database, Consumer consumer, JdbcInbox inbox, int form) {
    long first = (long) form * MESSAGES;
    long before = QuietPostgres.logPosition(database);
    consumer.take(inbox, first, first + MESSAGES);
    return (QuietPostgres.logPosition(database) - before) / (double) MESSAGES;
  }
}
