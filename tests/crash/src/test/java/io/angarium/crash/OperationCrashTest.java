package io.angarium.crash;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.angarium.desk.ActBy;
import io.angarium.desk.MessageFilter;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.operation.Operation;
import io.angarium.operation.Operation.Counts;
import io.angarium.operation.OperationDesk;
import io.angarium.operation.OperationKind;
import io.angarium.operation.OperationPlan;
import io.angarium.testservers.DatabaseServer;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.ServerOptions;
import io.angarium.testservers.TestDatabase;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** An operation whose nodes are killed. */
@RequiresServer(Server.POSTGRESQL)
class OperationCrashTest {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final int KILLS = 4;
  private static final int LETTERS = 600;

  /** A node is killed after it has changed so many. */
  private static final int CHANGED = 60;

  private static final UUID ID = UUID.fromString("7b0f0d8e-0000-4000-8000-000000000001");

  private TestDatabase database;

  private Process start(int number) throws IOException {
    return ChildJvm.of(
            OperationNode.class,
            List.of(database.url(), database.user(), database.password(), "node-" + number))
        .redirectOutput(Redirect.DISCARD)
        .redirectError(Redirect.INHERIT)
        .start();
  }

  private static void kill(Process process) throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  @Test
  void anotherNodeGoesOnAndCountsNothingTwiceAndSkipsNothing() throws Exception {
    try (DatabaseServer postgres =
        DatabaseServer.start(Server.POSTGRESQL, ServerOptions.standard().ownProcess().durable())) {
      database = postgres.freshDatabase();
      try (HikariDataSource pool =
          Service.pool(database.url(), database.user(), database.password())) {
        OperationDesk desk = begun(pool);
        for (int number = 0; number < KILLS; number++) {
          long before = counts(desk).done();
          Process node = start(number);
          Waiting.until(
              LIMIT,
              () -> counts(desk).done() >= before + CHANGED,
              () -> "no node went on after " + before + " messages");
          kill(node);
        }
        assertThat(counts(desk).done()).isLessThan(LETTERS);

        Process last = start(KILLS);
        Waiting.until(LIMIT, () -> now(desk).state().isEnd(), () -> "not done: " + now(desk));
        kill(last);

        assertThat(now(desk).node()).isEqualTo("node-" + KILLS);
        assertThat(counts(desk)).isEqualTo(new Counts(LETTERS, LETTERS, 0, 0));
        assertThat(number(pool, "SELECT COUNT(*) FROM outbox_dead")).isZero();
        assertThat(number(pool, "SELECT COUNT(*) FROM outbox_discarded")).isEqualTo(LETTERS);
        assertThat(number(pool, "SELECT COUNT(*) FROM outbox_audit WHERE act = 'discard'"))
            .isEqualTo(LETTERS);
        assertThat(number(pool, "SELECT COUNT(*) FROM outbox_audit WHERE act = 'end-operation'"))
            .isEqualTo(1);
      }
    }
  }

  private static OperationDesk begun(HikariDataSource pool) throws SQLException {
    OperationDesk desk =
        JdbcDatabase.open(pool, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE)).operationDesk();
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          INSERT INTO outbox_dead (
            id, partition_no, key_hash, blocks_key, attempts, reason, created_at, message_id,
            destination, message_key, payload)
          SELECT
            n, 1, 7, FALSE, 2, 'no hope', now(), CAST(md5(CAST(n AS text)) AS uuid),
            'kafka:orders', 'order', ''
          FROM generate_series(1, %d) AS n
          """
              .formatted(LETTERS));
    }
    ActBy ann = ActBy.of("ann", "of no use", ActBy.Via.API);
    desk.begin(
        OperationPlan.of(ID, OperationKind.DISCARD, MessageFilter.ALL, Instant.MAX, ann)
            .delay(Duration.ZERO));
    return desk;
  }

  private static Operation now(OperationDesk desk) {
    return desk.find(ID).orElseThrow();
  }

  private static Counts counts(OperationDesk desk) {
    return now(desk).counts();
  }

  private static long number(HikariDataSource pool, String query) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
