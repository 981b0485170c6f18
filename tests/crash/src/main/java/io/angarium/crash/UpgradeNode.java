package io.angarium.crash;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.angarium.Message;
import io.angarium.intake.MessageIntake;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.JdbcOutbox;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.relay.Relay;
import io.angarium.relay.settings.RelayConfig;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * A node that produces and relays until a line comes in. The test of upgrades compiles it with an
 * earlier version, too: it must use only what both have, wherever that lies.
 */
final class UpgradeNode {
  /** Begins the line that it writes when it works; the version follows. */
  static final String READY = "ready ";

  /** Keys of each node. */
  static final int KEYS = 5;

  /** Where messages arrive, and what was committed. */
  static final String[] TABLES = {
    "CREATE TABLE produced (message_key VARCHAR(100) NOT NULL, n INTEGER NOT NULL)",
    "CREATE TABLE delivered (id %s PRIMARY KEY, relay VARCHAR(100) NOT NULL,"
        + " message_key VARCHAR(100) NOT NULL, n INTEGER NOT NULL)"
  };

  private static final Duration PAUSE = Duration.ofMillis(10);

  private UpgradeNode() {}

  /**
   * Runs a node.
   *
   * @param args URL, user and password of the database, name of the node, schema mode, whether it
   *     produces
   */
  public static void main(String[] args) throws Exception {
    String node = args[3];
    try (HikariDataSource pool = pool(args[0], args[1], args[2])) {
      JdbcDatabase database =
          JdbcDatabase.open(pool, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.valueOf(args[4])));
      try (Relay relay =
          Relay.builder(database.store(), database.leases())
              .transport(new TableTransport(pool, node))
              .config(config(node))
              .build()) {
        relay.start();
        System.out.println(READY + version());
        JdbcOutbox outbox = database.outbox(MessageIntake.of(node), relay);
        boolean produces = Boolean.parseBoolean(args[5]);
        for (int i = 0; !isStopped(); i++) {
          if (produces) {
            produce(outbox, node, i);
          }
          LockSupport.parkNanos(PAUSE.toNanos());
        }
      }
    }
  }

  private static HikariDataSource pool(String url, String user, String password) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setUsername(user);
    config.setPassword(password);
    config.setMaximumPoolSize(10);
    return new HikariDataSource(config);
  }

  private static RelayConfig config(String node) {
    RelayConfig standard = RelayConfig.defaults(node);
    return new RelayConfig(
        node,
        standard.partitioning(),
        new RelayConfig.Leasing(
            Duration.ofSeconds(6),
            Duration.ofMillis(500),
            Duration.ofSeconds(1),
            standard.leasing().restAfter(),
            standard.leasing().rest()),
        standard.polling(),
        standard.window(),
        standard.closeTimeout());
  }

  /** Versions by feature came with 0.2. */
  private static String version() {
    return UpgradeNode.class
                .getClassLoader()
                .getResource("io/angarium/jdbc/settings/SchemaFeature.class")
            == null
        ? "0.1"
        : "0.2";
  }

  private static void produce(JdbcOutbox outbox, String node, int i) throws SQLException {
    String key = node + "-" + i % KEYS;
    int n = i / KEYS;
    outbox.inTransaction(
        (connection, messages) -> {
          insert(connection, key, n);
          byte[] payload = String.valueOf(n).getBytes(StandardCharsets.UTF_8);
          return messages.send(Message.of("table:deliveries", payload).key(key));
        });
  }

  /** Anything that comes in says so. */
  private static boolean isStopped() throws Exception {
    return System.in.available() > 0;
  }

  private static void insert(Connection connection, String key, int n) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO produced (message_key, n) VALUES (?, ?)")) {
      insert.setString(1, key);
      insert.setInt(2, n);
      insert.executeUpdate();
    }
  }
}
