package io.angarium.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import io.angarium.Message;
import io.angarium.inbox.InboxKey;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.relay.Relay;
import io.angarium.relay.settings.RelayListener;
import io.angarium.testservers.DatabaseServer;
import io.angarium.testservers.PgBouncer;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/**
 * PgBouncer in front of PostgreSQL: what keeps sessions is refused where there are none to keep.
 */
@RequiresServer({Server.POSTGRESQL, Server.PGBOUNCER})
final class PoolerTest {
  private final DatabaseServer server = SharedServers.postgres();
  private final TestDatabase direct = server.freshDatabase();
  private final JdbcConfig config = EmptyDatabase.WITH_ALL_TABLES;

  private DataSource through(PgBouncer pooler) {
    TestDatabase pooled = pooler.to(direct);
    return new ConnectionSource(pooled::connect);
  }

  private static List<String> settings(Connection connection) throws SQLException {
    return Sql.of("SELECT name || '=' || setting FROM pg_settings WHERE source = 'session'")
        .query(connection, row -> row.getString(1));
  }

  @Test
  void relayBehindTransactionPoolingIsRefusedAndNobodysSettingsChange() throws SQLException {
    try (PgBouncer pooler = PgBouncer.start(server, PgBouncer.PoolMode.TRANSACTION)) {
      assertRefused(pooler);
    }
  }

  @Test
  void whicheverSessionIsGivenNext() throws SQLException {
    try (PgBouncer pooler =
        PgBouncer.start(server, PgBouncer.PoolMode.TRANSACTION, "server_round_robin = 1")) {
      List<Connection> warm = new ArrayList<>();
      for (int i = 0; i < 6; i++) { // as many sessions of the server as there are open transactions
        Connection connection = pooler.to(direct).connect();
        warm.add(connection);
        connection.setAutoCommit(false);
        settings(connection);
      }
      for (Connection connection : warm) {
        connection.commit();
      }

      assertRefused(pooler);

      for (Connection connection : warm) {
        connection.close();
      }
    }
  }

  @Test
  void relayBehindStatementPoolingIsRefused() throws SQLException {
    JdbcDatabase.open(new ConnectionSource(direct::connect), config);
    try (PgBouncer pooler = PgBouncer.start(server, PgBouncer.PoolMode.STATEMENT)) {
      assertRefused(pooler);
    }
  }

  private void assertRefused(PgBouncer pooler) throws SQLException {
    JdbcDatabase.open(new ConnectionSource(direct::connect), config);
    DataSource pooled = through(pooler);
    JdbcDatabase database = JdbcDatabase.open(pooled, JdbcConfig.DEFAULTS);
    try (JdbcOutboxStore store = database.store();
        JdbcLeaseStore leases = database.leases();
        Relay relay =
            new RelayScene()
                .relay("node", Duration.ofSeconds(5), store, leases, RelayListener.NONE)) {
      assertThatThrownBy(relay::start)
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("pooling: transactions or statements (expected: sessions");
    }
    assertThatThrownBy(() -> database.retention().deleteSent(Duration.ZERO))
        .isInstanceOf(ConfigurationException.class);
    List<String> changed = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      try (Connection other = pooled.getConnection()) {
        changed.addAll(settings(other));
      }
    }
    assertThat(changed)
        .allMatch(
            setting ->
                setting.matches(
                    "(application_name|client_encoding"
                        + "|DateStyle|TimeZone|standard_conforming_strings|extra_float_digits)=.*"));
  }

  @Test
  void producersAndInboxesWorkBehindTransactionPoolingBesideARelayOfItsOwnDataSource()
      throws Exception {
    try (PgBouncer pooler = PgBouncer.start(server, PgBouncer.PoolMode.TRANSACTION)) {
      DataSource pooled = through(pooler);
      JdbcDatabase database =
          JdbcDatabase.open(pooled, config).relayingFrom(new ConnectionSource(direct::connect));
      JdbcOutbox outbox = database.outbox(MessageIntake.of(null), Handover.NONE);
      RelayScene scene = new RelayScene();
      try (JdbcOutboxStore store = database.store();
          JdbcLeaseStore leases = database.leases();
          Relay relay =
              scene.relay("node", Duration.ofSeconds(5), store, leases, RelayListener.NONE)) {
        relay.start();
        for (int i = 0; i < 12; i++) {
          Message message = Message.of("fake:orders", (":" + i).getBytes(UTF_8)).key("k" + i % 3);
          outbox.inTransaction((connection, messages) -> messages.send(message));
        }
        scene.awaitArrivals(12);
      }
      JdbcInbox inbox = JdbcInbox.open(pooled, InboxConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
      InboxKey first = InboxKey.of("stock", "1");
      List<InboxKey> keys = List.of(first, InboxKey.of("stock", "2"));
      assertThat(inbox.process(first, connection -> {})).isTrue();
      assertThat(inbox.process(first, connection -> {})).isFalse();
      assertThat(inbox.processAll(keys, (connection, fresh) -> {})).isEqualTo(Set.of(keys.get(1)));
      assertThat(inbox.rotationFault()).isEmpty();
      inbox.rotate();
    }
  }

  @Test
  void relayWorksBehindSessionPooling() throws Exception {
    try (PgBouncer pooler = PgBouncer.start(server, PgBouncer.PoolMode.SESSION)) {
      JdbcDatabase database = JdbcDatabase.open(through(pooler), config);
      RelayScene scene = new RelayScene();
      try (JdbcOutboxStore store = database.store();
          JdbcLeaseStore leases = database.leases();
          Relay relay =
              scene.relay("node", Duration.ofSeconds(5), store, leases, RelayListener.NONE)) {
        relay.start();
        new NumberedMessages("fake:orders", database).write(10);
        scene.awaitArrivals(10);
      }
      try (Connection other = through(pooler).getConnection();
          Statement statement = other.createStatement()) {
        assertThat(statement.execute("SELECT 1")).isTrue();
      }
    }
  }
}
