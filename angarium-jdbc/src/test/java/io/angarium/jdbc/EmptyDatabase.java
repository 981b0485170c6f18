package io.angarium.jdbc;

import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaFeature;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.testservers.DatabaseServer;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.UUID;
import javax.sql.DataSource;

/** New databases without any table, and what tests do with SQL of their own. */
final class EmptyDatabase {
  /** Creates the tables of everything that an outbox can do. */
  static final JdbcConfig WITH_ALL_TABLES =
      JdbcConfig.DEFAULTS
          .schemaMode(SchemaMode.CREATE)
          .features(
              SchemaFeature.MARKER,
              SchemaFeature.HALF,
              SchemaFeature.CONFIRMATION,
              SchemaFeature.RECONCILIATION,
              SchemaFeature.CONSOLE,
              SchemaFeature.ALERT,
              SchemaFeature.BOARD,
              SchemaFeature.REPORT);

  private EmptyDatabase() {}

  static DataSource postgres() {
    TestDatabase database = SharedServers.postgres().freshDatabase();
    return new ConnectionSource(database::connectAgain);
  }

  /** Where it matters that a connection is a new session. */
  static DataSource postgresSessions() {
    TestDatabase database = SharedServers.postgres().freshDatabase();
    return new ConnectionSource(database::connect);
  }

  /** Whose driver takes the answer ROLLBACK to a COMMIT for success. */
  static DataSource silentPostgres() {
    TestDatabase database = SharedServers.postgres().freshDatabase();
    Properties properties = new Properties();
    properties.setProperty("user", database.user());
    properties.setProperty("password", database.password());
    properties.setProperty("raiseExceptionOnSilentRollback", "false");
    return new ConnectionSource(() -> DriverManager.getConnection(database.url(), properties));
  }

  static DataSource mariaDb() {
    return farFromUtc(SharedServers.mariaDb());
  }

  static DataSource mySql() {
    return farFromUtc(SharedServers.mySql());
  }

  /** Whose driver counts the rows that an update changes, not those that it finds. */
  static DataSource mySqlThatCountsChanges() {
    TestDatabase database = SharedServers.mySql().freshDatabase();
    Properties properties = new Properties();
    properties.setProperty("user", database.user());
    properties.setProperty("password", database.password());
    properties.setProperty("useAffectedRows", "true");
    return new ConnectionSource(() -> DriverManager.getConnection(database.url(), properties));
  }

  /** Sessions have a time zone that nobody expects, as an application may set one. */
  private static DataSource farFromUtc(DatabaseServer server) {
    TestDatabase database = server.freshDatabase();
    return new ConnectionSource(
        () -> {
          Connection connection = database.connect();
          try (Statement statement = connection.createStatement()) {
            statement.execute("SET SESSION time_zone = '+05:30'");
          }
          return connection;
        });
  }

  static void emptyMySqlTables(DataSource database) {
    execute(
        database,
        "TRUNCATE TABLE outbox", // which begins the sequence anew, and takes long
        "DELETE FROM outbox_delayed",
        "DELETE FROM outbox_parked",
        "DELETE FROM outbox_dead",
        "DELETE FROM outbox_sent",
        "DELETE FROM outbox_dedup WHERE business_key <> ''", // the guards of the stripes stay
        "DELETE FROM outbox_node",
        "DELETE FROM outbox_lease",
        "UPDATE outbox_schema SET partitions_keyed = NULL, partitions_keyless = NULL");
  }

  /** Lives as long as this JVM. */
  static DataSource h2InMemory() {
    return h2InMemory("");
  }

  /** With settings that begin with a semicolon. */
  static DataSource h2InMemory(String settings) {
    String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1" + settings;
    return new ConnectionSource(() -> DriverManager.getConnection(url, "sa", ""));
  }

  static DataSource h2InFile(Path folder) {
    String url = "jdbc:h2:file:" + folder.resolve(UUID.randomUUID().toString());
    return new ConnectionSource(() -> DriverManager.getConnection(url, "sa", ""));
  }

  /** Stays open while nobody uses it. */
  static DataSource h2InFile(Path folder, String name) {
    String url = "jdbc:h2:file:" + folder.resolve(name) + ";DB_CLOSE_DELAY=-1";
    return new ConnectionSource(() -> DriverManager.getConnection(url, "sa", ""));
  }

  static void execute(DataSource database, String... statements) {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  static boolean isPostgres(DataSource database) {
    try (Connection connection = database.getConnection()) {
      return connection.getMetaData().getDatabaseProductName().equals("PostgreSQL");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  static long number(DataSource database, String sql) {
    try (Connection connection = database.getConnection()) {
      return Sql.of(sql).query(connection, row -> row.getLong(1)).get(0);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
