package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.intake.NewMessage;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.testservers.DatabaseServer;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.Server;
import io.angarium.testservers.ServerOptions;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keyed messages go to MariaDB as one batch, if the driver sends batches in one. */
@OnOneJdk
@RequiresMariaDb
final class MariaDbBatchTest {
  private static final String BATCHES = "Com_stmt_execute";
  private static final int WRITERS = 6;
  private static final int TRANSACTIONS = 30;
  private static final int MESSAGES = 200;

  @Test
  void thousandKeyedMessagesAreOneInsertForTheServer() throws SQLException {
    Counts counts = countsOfAThousand("");

    assertThat(counts).isEqualTo(new Counts(1, 1, 1_000));
  }

  @Test
  void driverThatSendsNoBatchesInOneGetsAStatementOfRows() throws SQLException {
    Counts counts = countsOfAThousand("useBulkStmtsForInserts=false");

    assertThat(counts).isEqualTo(new Counts(1, 0, 1_000));
  }

  @Test
  void driverOfMySqlGetsAStatementOfRows() throws SQLException {
    TestDatabase database = SharedServers.mariaDb().freshDatabase();

    Counts counts = countsOfAThousand(database, mySqlUrl(database));

    assertThat(counts).isEqualTo(new Counts(1, 0, 1_000));
  }

  @Test
  void valuesThatAreNullInTurnDoNotTearABatchApart() throws SQLException {
    Message plain = Message.of("kafka:orders", new byte[] {1}).key("k");
    List<Message> inTurn = List.of(plain.type("t"), plain.header("h", "v"), plain);
    List<NewMessage> messages =
        IntStream.range(0, 300)
            .mapToObj(
                i ->
                    new NewMessage(new MessageId(new UUID(0, i)), 3, inTurn.get(i % inTurn.size())))
            .toList();
    TestDatabase database = SharedServers.mariaDb().freshDatabase();

    Counts counts = counts(database, database.url(), messages);

    assertThat(counts).isEqualTo(new Counts(1, 0, 300));
  }

  private static String mySqlUrl(TestDatabase database) {
    return database.url().replace("jdbc:mariadb:", "jdbc:mysql:");
  }

  /** What the server counted in a session: inserts, batches, rows. */
  private record Counts(long inserts, long batches, long rows) {
    static Counts of(Connection session) throws SQLException {
      Map<String, Long> status =
          Sql.of("SHOW SESSION STATUS WHERE Variable_name IN (?, ?)", "Com_insert", BATCHES)
              .query(session, row -> Map.entry(row.getString(1), row.getLong(2)))
              .stream()
              .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
      long rows =
          Sql.of("SELECT COUNT(*) FROM outbox").query(session, row -> row.getLong(1)).get(0);
      return new Counts(status.get("Com_insert"), status.get(BATCHES), rows);
    }

    Counts since(Counts before) {
      return new Counts(inserts - before.inserts, batches - before.batches, rows - before.rows);
    }
  }

  private static Counts countsOfAThousand(String option) throws SQLException {
    TestDatabase database = SharedServers.mariaDb().freshDatabase();
    String url = database.url();
    return countsOfAThousand(database, url + (url.contains("?") ? "&" : "?") + option);
  }

  private static Counts countsOfAThousand(TestDatabase database, String url) throws SQLException {
    return counts(database, url, PostgresScene.messages(1_000));
  }

  private static Counts counts(TestDatabase database, String url, List<NewMessage> messages)
      throws SQLException {
    try (MySqlScene scene = new MySqlScene(new ConnectionSource(database::connect));
        Connection connection =
            DriverManager.getConnection(url, database.user(), database.password())) {
      connection.setAutoCommit(false);
      Counts before = Counts.of(connection);
      scene.database.writer().write(connection, messages);
      return Counts.of(connection).since(before);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "1", "2"})
  void sequencesFollowTheOrderOfEachBatchWhoeverElseWrites(String lockMode) throws Exception {
    ServerOptions options =
        ServerOptions.standard().ownProcess().setting("innodb_autoinc_lock_mode", lockMode);
    try (DatabaseServer server = DatabaseServer.start(Server.MARIADB, options)) {
      TestDatabase database = server.freshDatabase();
      try (MySqlScene scene = new MySqlScene(new ConnectionSource(database::connect))) {
        List<List<NewMessage>> transactions = writeAtOnce(scene);

        Map<UUID, Long> sequences = sequences(scene);

        assertThat(sequences).hasSize(WRITERS * TRANSACTIONS * MESSAGES);
        for (List<NewMessage> transaction : transactions) {
          assertThat(transaction.stream().map(message -> sequences.get(message.id().value())))
              .isSortedAccordingTo(Comparator.naturalOrder());
        }
      }
    }
  }

  private static List<List<NewMessage>> writeAtOnce(MySqlScene scene) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    try {
      Callable<List<List<NewMessage>>> writer = () -> write(scene);
      List<List<NewMessage>> all = new ArrayList<>();
      for (Future<List<List<NewMessage>>> written :
          threads.invokeAll(Collections.nCopies(WRITERS, writer))) {
        all.addAll(written.get(2, TimeUnit.MINUTES));
      }
      return all;
    } finally {
      threads.shutdownNow();
    }
  }

  private static List<List<NewMessage>> write(MySqlScene scene) throws SQLException {
    List<List<NewMessage>> transactions = new ArrayList<>();
    try (Connection connection = scene.begin()) {
      for (int i = 0; i < TRANSACTIONS; i++) {
        List<NewMessage> messages = messagesOfOneKey();
        scene.database.writer().write(connection, messages);
        connection.commit();
        transactions.add(messages);
      }
    }
    return transactions;
  }

  private static List<NewMessage> messagesOfOneKey() {
    return IntStream.range(0, MESSAGES)
        .mapToObj(i -> Message.of("kafka:orders", new byte[i]).key("k"))
        .map(message -> new NewMessage(new MessageId(UUID.randomUUID()), 3, message))
        .toList();
  }

  private static Map<UUID, Long> sequences(MySqlScene scene) throws SQLException {
    try (Connection connection = scene.dataSource.getConnection()) {
      return Sql.of("SELECT message_id, id FROM outbox")
          .query(connection, row -> Map.entry(scene.dialect.uuid(row, 1), row.getLong(2)))
          .stream()
          .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }
  }
}
