package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import io.angarium.Message;
import io.angarium.StoreException;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.testservers.DatabaseServer;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresMySql;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Settings that careful administrators give all sessions, on tables that a migration made without
 * them: everything works, or the error names the setting.
 */
@OnOneJdk
final class CarefulSettingsTest {
  @ParameterizedTest
  @RequiresServer(Server.POSTGRESQL)
  @ValueSource(
      strings = {
        "lock_timeout = 50",
        "statement_timeout = 1000",
        "idle_in_transaction_session_timeout = 1000",
        "temp_file_limit = 0",
        "work_mem = '64kB'",
        "search_path = public, pg_temp",
        "xmlbinary = hex",
        "max_parallel_workers_per_gather = 0",
        "constraint_exclusion = on",
        "session_replication_role = replica",
        "client_min_messages = debug5"
      })
  void everythingWorksOnPostgres(String setting) throws Exception {
    everythingWorks(SharedServers.postgres(), setting);
  }

  @ParameterizedTest
  @RequiresMariaDb
  @ValueSource(
      strings = {
        "sql_safe_updates = 1",
        "sql_select_limit = 10000, sql_safe_updates = 1, max_join_size = 1000000",
        "innodb_lock_wait_timeout = 1, lock_wait_timeout = 1",
        "completion_type = 'CHAIN'",
        "big_tables = 1",
        "foreign_key_checks = 0, unique_checks = 0",
        "optimizer_switch = 'materialization=off,semijoin=off'",
        "max_heap_table_size = 16384, tmp_table_size = 1024",
        "sql_mode = ''"
      })
  void everythingWorksOnMariaDb(String setting) throws Exception {
    everythingWorks(SharedServers.mariaDb(), setting);
  }

  @ParameterizedTest
  @RequiresMySql
  @ValueSource(
      strings = {
        "sql_safe_updates = 1",
        "sql_select_limit = 10000, sql_safe_updates = 1, max_join_size = 1000000",
        "innodb_lock_wait_timeout = 1, lock_wait_timeout = 1",
        "completion_type = 'CHAIN'",
        "big_tables = 1",
        "foreign_key_checks = 0, unique_checks = 0",
        "optimizer_switch = 'materialization=off,semijoin=off'",
        "max_heap_table_size = 16384, tmp_table_size = 1024",
        "sql_mode = ''"
      })
  void everythingWorksOnMySql(String setting) throws Exception {
    everythingWorks(SharedServers.mySql(), setting);
  }

  @ParameterizedTest
  @RequiresMariaDb
  @ValueSource(strings = {"sql_select_limit = 100", "max_join_size = 10"})
  void settingThatCutsOffRowsIsRefusedByNameOnMariaDb(String setting) {
    refusedByName(SharedServers.mariaDb(), setting);
  }

  @ParameterizedTest
  @RequiresMySql
  @ValueSource(strings = {"sql_select_limit = 100", "max_join_size = 10"})
  void settingThatCutsOffRowsIsRefusedByNameOnMySql(String setting) {
    refusedByName(SharedServers.mySql(), setting);
  }

  @Test
  @RequiresServer({Server.MARIADB, Server.MYSQL})
  @Tag("mysql")
  void tablesAreCreatedUnderSafeUpdates() {
    for (DatabaseServer server : List.of(SharedServers.mariaDb(), SharedServers.mySql())) {
      DataSource careful = with(server.freshDatabase(), "sql_safe_updates = 1");

      JdbcDatabase.open(careful, EmptyDatabase.WITH_ALL_TABLES);
      JdbcInbox.open(careful, InboxConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
    }
  }

  @Test
  @RequiresServer(Server.POSTGRESQL)
  void readOnlySessionSaysSo() {
    TestDatabase database = SharedServers.postgres().freshDatabase();
    JdbcDatabase.open(with(database, "jit = on"), EmptyDatabase.WITH_ALL_TABLES);
    JdbcOutbox outbox =
        JdbcDatabase.open(with(database, "default_transaction_read_only = on"), JdbcConfig.DEFAULTS)
            .outbox(MessageIntake.of(null), Handover.NONE);

    assertThatThrownBy(
            () ->
                outbox.inTransaction(
                    (connection, messages) ->
                        messages.send(Message.of("kafka:orders", new byte[] {1}))))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("read-only transaction");
  }

  private static void everythingWorks(DatabaseServer server, String setting) throws Exception {
    TestDatabase database = server.freshDatabase();
    DataSource plain = new ConnectionSource(database::connect);
    JdbcDatabase.open(plain, EmptyDatabase.WITH_ALL_TABLES);
    JdbcInbox.open(plain, InboxConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));

    new Borrowers(with(database, setting)).useAll();
  }

  private static void refusedByName(DatabaseServer server, String setting) {
    TestDatabase database = server.freshDatabase();
    JdbcDatabase.open(new ConnectionSource(database::connect), EmptyDatabase.WITH_ALL_TABLES);

    assertThatThrownBy(() -> JdbcDatabase.open(with(database, setting), JdbcConfig.DEFAULTS))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(setting.replace(" =", ":") + " (expected: at least ")
        .hasMessageNotContaining("missing");
  }

  private static DataSource with(TestDatabase database, String setting) {
    return new ConnectionSource(
        () -> {
          Connection connection = database.connect();
          try (Statement statement = connection.createStatement()) {
            statement.execute("SET SESSION " + setting);
          }
          return connection;
        });
  }
}
