package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.BusinessKey;
import io.angarium.ConfigurationException;
import io.angarium.Message;
import io.angarium.inbox.InboxKey;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.relay.Relay;
import io.angarium.relay.settings.RelayListener;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Accounts on PostgreSQL that have the rights of docs/schema.md and no others. */
@OnOneJdk
@RequiresServer(Server.POSTGRESQL)
final class OutboxRightsTest {
  private static final JdbcConfig CREATE = JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE);

  private static final BusinessKey ORDER =
      new BusinessKey("order", "1", BusinessKey.Uniqueness.REFUSE);

  private final TestDatabase database = SharedServers.postgres().freshDatabase();
  private final DataSource owner = new ConnectionSource(database::connect);

  private interface Work {
    void run(DataSource source) throws Exception;
  }

  /** Creates a user, grants the page's statements for a role, and drops the user at the end. */
  private void as(String role, String without, Work work) throws Exception {
    String user = role + "_" + Long.toString(System.nanoTime(), 36);
    JdbcDatabase.open(owner, CREATE);
    JdbcInbox.open(owner, InboxConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
    database.execute("CREATE ROLE " + user + " LOGIN PASSWORD 'secret'");
    try {
      for (String grant : grants(role)) {
        database.execute(grant.replace(without, "").replace(" TO " + role, " TO " + user));
      }
      work.run(
          new ConnectionSource(() -> DriverManager.getConnection(database.url(), user, "secret")));
    } finally {
      database.execute("DROP OWNED BY " + user, "DROP ROLE " + user);
    }
  }

  private static List<String> grants(String role) throws IOException {
    String page = Files.readString(Path.of("../docs/schema.md"));
    List<String> grants =
        Pattern.compile("(?m)^GRANT [^;]* TO " + role + "(?=;)")
            .matcher(page)
            .results()
            .map(found -> found.group())
            .toList();
    assertThat(grants).isNotEmpty();
    return grants;
  }

  private static void send(DataSource source, JdbcDatabase database, Message... messages)
      throws SQLException {
    JdbcOutbox outbox = database.outbox(MessageIntake.of(null), Handover.NONE);
    try (Connection connection = source.getConnection()) {
      connection.setAutoCommit(false);
      for (Message message : messages) {
        outbox.on(connection).send(message);
      }
      connection.commit();
    }
  }

  private static Message message() {
    return Message.of("fake:orders", "1");
  }

  @Test
  void applicationSendsRelaysAndProcesses() throws Exception {
    as(
        "app",
        "nothing",
        source -> {
          JdbcDatabase opened = JdbcDatabase.open(source, JdbcConfig.DEFAULTS);
          RelayScene scene = new RelayScene();
          scene.failWhile(RelayScene.onceEvery(2));
          new NumberedMessages("fake:orders", opened).write(20);
          send(
              source,
              opened,
              message().key("a").business(ORDER),
              message().notBefore(Instant.now()));
          try (JdbcOutboxStore store = opened.store();
              JdbcLeaseStore leases = opened.leases();
              Relay relay =
                  scene.relay("a", Duration.ofMinutes(1), store, leases, new RelayListener() {})) {
            relay.start();
            scene.awaitArrivals(22);
          }
          opened.retention().forgetBusinessKeys(Duration.ZERO);
          opened.retention().deleteSent(Duration.ZERO);
          JdbcInbox inbox = JdbcInbox.open(source, InboxConfig.DEFAULTS);
          assertThat(inbox.process(InboxKey.of("stock", "1"), connection -> {})).isTrue();
        });
  }

  @Test
  void missingRightIsNamed() throws Exception {
    as(
        "app",
        "outbox_feature, ",
        source ->
            assertThatThrownBy(() -> JdbcDatabase.open(source, JdbcConfig.DEFAULTS))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("table outbox_feature: ERROR: permission denied for table")
                .hasMessageContaining("GRANT SELECT ON outbox_feature TO app_"));
    as(
        "app",
        ", inbox_feature",
        source ->
            assertThatThrownBy(() -> JdbcInbox.open(source, InboxConfig.DEFAULTS))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("GRANT SELECT ON inbox_feature TO app_"));
  }

  @Test
  void producerOnlyWrites() throws Exception {
    as(
        "producer",
        "nothing",
        source -> {
          JdbcDatabase opened =
              JdbcDatabase.open(source, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.NONE));
          send(
              source,
              opened,
              message(),
              message().key("a").business(ORDER),
              message().notBefore(Instant.now().plusSeconds(3_600)));
        });

    assertThat(database.number("SELECT COUNT(*) FROM outbox")).isEqualTo(2);
    assertThat(database.number("SELECT COUNT(*) FROM outbox_delayed")).isEqualTo(1);
  }
}
