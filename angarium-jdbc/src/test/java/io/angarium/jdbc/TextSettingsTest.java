package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.testservers.DatabaseServer;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresMySql;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import java.sql.Connection;
import java.sql.Statement;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings that change texts, or make different ones equal, stop the start. */
@OnOneJdk
class TextSettingsTest {
  private static final JdbcConfig CREATE = JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE);

  @ParameterizedTest
  @ValueSource(strings = {"IGNORECASE=TRUE", "INIT=SET COLLATION ENGLISH STRENGTH PRIMARY"})
  void h2ThatMergesKeysIsRefused(String setting) {
    assertThatThrownBy(() -> JdbcDatabase.open(h2(setting), CREATE))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(setting.contains("COLLATION") ? "COLLATION: " : "IGNORECASE: ")
        .hasMessageContaining("different keys count as the same");
  }

  @ParameterizedTest
  @ValueSource(strings = {"IGNORECASE=FALSE", "INIT=SET COLLATION OFF"})
  void h2ThatKeepsThemApartStarts(String setting) {
    assertThat(JdbcDatabase.open(h2(setting), CREATE).product()).isEqualTo("H2");
  }

  @Test
  @RequiresMariaDb
  void mariaDbConnectionInAnotherCharacterSetIsRefused() {
    refuses(SharedServers.mariaDb());
  }

  @Test
  @RequiresMySql
  void mySqlConnectionInAnotherCharacterSetIsRefused() {
    refuses(SharedServers.mySql());
  }

  private static void refuses(DatabaseServer server) {
    TestDatabase database = server.freshDatabase();
    assertThatThrownBy(() -> JdbcDatabase.open(with(database, "SET NAMES latin1"), CREATE))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("character_set_client: latin1 (expected: utf8mb4");
    String utf8mb3 = "SET collation_connection = 'utf8mb3_general_ci'";
    assertThatThrownBy(() -> JdbcDatabase.open(with(database, utf8mb3), CREATE))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("character_set_connection: utf8")
        .hasMessageNotContaining("character_set_client");
    assertThat(JdbcDatabase.open(with(database, "SET NAMES utf8mb4"), CREATE)).isNotNull();
  }

  private static DataSource with(TestDatabase database, String statement) {
    return new ConnectionSource(
        () -> {
          Connection connection = database.connect();
          try (Statement setting = connection.createStatement()) {
            setting.execute(statement);
          }
          return connection;
        });
  }

  private static DataSource h2(String setting) {
    JdbcDataSource dataSource = new JdbcDataSource();
    dataSource.setURL("jdbc:h2:mem:" + setting.hashCode() + ";DB_CLOSE_DELAY=-1;" + setting);
    return dataSource;
  }
}
