package io.angarium.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes of Angarium 0.1 and of this version on one database, forward and back. */
final class UpgradeTest {
  private static final List<Path> JARS =
      List.of(
          Path.of("angarium-0.1", "angarium-core.jar"),
          Path.of("angarium-0.1", "angarium-jdbc.jar"));

  @TempDir private Path folder;

  private final Deque<Node> open = new ArrayDeque<>();

  @AfterEach
  void endAll() throws InterruptedException {
    for (Node node : open) {
      node.process.destroyForcibly().waitFor();
    }
  }

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres {
    @Test
    void bothVersionsWorkTogetherForwardAndBack() throws Exception {
      upgradeAndBack(
          SharedServers.postgres().freshDatabase(),
          "bigint GENERATED ALWAYS AS IDENTITY",
          "ALTER TABLE outbox_schema ADD COLUMN later uuid NOT NULL DEFAULT gen_random_uuid()",
          "CREATE INDEX outbox_dead_later ON outbox_dead (created_at)");
    }
  }

  @Nested
  @OnOneJdk
  @RequiresServer(Server.MARIADB)
  final class OnMariaDb {
    @Test
    void bothVersionsWorkTogetherForwardAndBack() throws Exception {
      upgradeAndBack(
          SharedServers.mariaDb().freshDatabase(),
          "BIGINT AUTO_INCREMENT",
          "ALTER TABLE outbox_schema ADD COLUMN later BINARY(16) NOT NULL"
              + " DEFAULT (UNHEX(REPLACE(UUID(), '-', '')))",
          "CREATE INDEX by_later ON outbox_dead (created_at)");
    }
  }

  private void upgradeAndBack(TestDatabase database, String identity, String... later)
      throws Exception {
    database.execute(UpgradeNode.TABLES[0], UpgradeNode.TABLES[1].formatted(identity));

    Node before = start(database, "old-1", true, SchemaMode.CREATE);
    assertThat(database.number("SELECT version FROM outbox_schema")).isEqualTo(7);
    Node validating = start(database, "new-1", false, SchemaMode.VALIDATE);
    awaitEachOther(database, before, validating);
    validating.stop();

    Node creating = start(database, "new-2", false, SchemaMode.CREATE);
    assertThat(recorded(database)).isEqualTo(5);
    awaitEachOther(database, before, creating);
    before.stop();
    Node restarted = start(database, "old-2", true, SchemaMode.VALIDATE);
    awaitEachOther(database, restarted, creating);

    // a script of a later version, additive as docs/schema.md says, while both work
    database.execute(later);
    database.execute(
        "ALTER TABLE outbox ADD COLUMN later INTEGER",
        "CREATE TABLE outbox_later (id INTEGER PRIMARY KEY)",
        "UPDATE outbox_feature SET version = 6, works_from = 1 WHERE feature = 'OUTBOX'");
    awaitEachOther(database, restarted, creating);
    creating.stop();
    restarted.stop();
    Node back = start(database, "old-3", true, SchemaMode.CREATE);
    Node again = start(database, "new-3", false, SchemaMode.VALIDATE);
    awaitEachOther(database, back, again);

    again.stop();
    awaitDelivered(database, back, back);
    back.stop();
    Node last = start(database, "old-4", true, SchemaMode.VALIDATE, false);
    awaitAllDelivered(database);
    last.stop();
    assertThat(recorded(database)).isEqualTo(6);
    assertThat(database.number("SELECT version FROM outbox_schema")).isEqualTo(7);
    assertInOrder(database);
  }

  private static long recorded(TestDatabase database) throws SQLException {
    return database.number("SELECT version FROM outbox_feature WHERE feature = 'OUTBOX'");
  }

  /** Until each of two has sent what the other one has produced from now on. */
  private static void awaitEachOther(TestDatabase database, Node one, Node other)
      throws SQLException {
    awaitDelivered(database, one, other);
    awaitDelivered(database, other, one);
  }

  private static void awaitDelivered(TestDatabase database, Node relay, Node producer)
      throws SQLException {
    String count =
        "SELECT COUNT(*) FROM delivered WHERE relay = '%s' AND message_key LIKE '%s-%%'"
            .formatted(relay.name, producer.name);
    long already = database.number(count);
    long endNanos = System.nanoTime() + Duration.ofMinutes(2).toNanos();
    while (database.number(count) < already + 20) {
      assertThat(relay.process.isAlive() && producer.process.isAlive())
          .as("%s and %s run; %s", relay.name, producer.name, relay.log)
          .isTrue();
      assertThat(System.nanoTime()).as("%s sends for %s", relay, producer).isLessThan(endNanos);
      LockSupport.parkNanos(20_000_000);
    }
  }

  private static void awaitAllDelivered(TestDatabase database) throws SQLException {
    assertThat(database.number("SELECT COUNT(*) FROM produced")).isGreaterThan(200);
    String missing =
        "SELECT COUNT(*) FROM produced p WHERE NOT EXISTS (SELECT 1 FROM delivered d"
            + " WHERE d.message_key = p.message_key AND d.n = p.n)";
    long endNanos = System.nanoTime() + Duration.ofMinutes(2).toNanos();
    for (long left = database.number(missing); left > 0; left = database.number(missing)) {
      assertThat(System.nanoTime()).as("%s messages are delivered", left).isLessThan(endNanos);
      LockSupport.parkNanos(20_000_000);
    }
  }

  private static void assertInOrder(TestDatabase database) throws SQLException {
    assertThat(
            database.number(
                "WITH f AS (SELECT message_key, n, MIN(id) AS first FROM delivered"
                    + " GROUP BY message_key, n),"
                    + " o AS (SELECT n, LAG(n) OVER (PARTITION BY message_key ORDER BY first) AS p"
                    + " FROM f) SELECT COUNT(*) FROM o WHERE p > n"))
        .as("overtaken")
        .isZero();
  }

  private Node start(TestDatabase database, String name, boolean old, SchemaMode mode)
      throws Exception {
    return start(database, name, old, mode, true);
  }

  private Node start(
      TestDatabase database, String name, boolean old, SchemaMode mode, boolean produces)
      throws Exception {
    File log = folder.resolve(name + ".log").toFile();
    List<String> arguments =
        List.of(
            database.url(),
            database.user(),
            database.password(),
            name,
            mode.name(),
            String.valueOf(produces));
    Node node = Node.start(name, arguments, old, log);
    open.push(node);
    assertThat(node.ready.get(Child.START_SECONDS_MAX, TimeUnit.SECONDS))
        .as("version of %s; %s", name, node.log)
        .isEqualTo(old ? "0.1" : "0.2");
    return node;
  }

  /** A process. */
  private record Node(String name, Process process, CompletableFuture<String> ready, File log) {
    static Node start(String name, List<String> arguments, boolean old, File log)
        throws IOException {
      ProcessBuilder builder = ChildJvm.of(UpgradeNode.class, arguments);
      if (old) {
        List<String> command = builder.command();
        int classPath = command.indexOf("-cp") + 1;
        Path classes = Files.createTempDirectory(log.toPath().getParent(), name);
        command.set(classPath, EarlierNode.compile(JARS, classes, command.get(classPath)));
      }
      Process process = builder.redirectError(log).start();
      CompletableFuture<String> ready = new CompletableFuture<>();
      ChildJvm.read(
          process,
          line -> {
            if (line.startsWith(UpgradeNode.READY)) {
              ready.complete(line.substring(UpgradeNode.READY.length()));
            }
          });
      CompletableFuture<Void> unused =
          process
              .onExit()
              .thenRun(
                  () -> ready.completeExceptionally(new IOException(name + " ended, see " + log)));
      return new Node(name, process, ready, log);
    }

    void stop() throws Exception {
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
      assertThat(process.waitFor(2, TimeUnit.MINUTES)).as("%s ends", name).isTrue();
      assertThat(process.exitValue()).as("%s; %s", name, log).isZero();
    }
  }
}
