package io.angarium.jdbc;

import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.testservers.Server;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * Databases whose tables were made once and are empty again: much faster than a new one for each
 * test. One test at a time may use them. Not for tests with transactions side by side that use keys
 * of earlier tests: rows that are deleted, and not purged yet, are locked with their neighbours.
 */
final class EmptiedDatabase {
  private static final Map<Object, Used> DATABASES = new ConcurrentHashMap<>();

  private record Used(DataSource database, List<String> tables) {}

  private EmptiedDatabase() {}

  static DataSource mariaDb() {
    return emptied(Server.MARIADB, EmptyDatabase::mariaDb);
  }

  static DataSource mySql() {
    return emptied(Server.MYSQL, EmptyDatabase::mySql);
  }

  /**
   * A database that is reached in another way.
   *
   * @param way has a name of its own
   */
  static DataSource by(DriverWay way) {
    return emptied(way, way::database);
  }

  private static DataSource emptied(Object kind, Supplier<DataSource> made) {
    Used used = DATABASES.get(kind);
    List<String> tables = used == null ? List.of() : tables(used.database());
    if (used == null || !tables.containsAll(used.tables())) { // a test may drop one
      DataSource fresh = withTables(made.get());
      DATABASES.put(kind, new Used(fresh, tables(fresh)));
      return fresh;
    }
    EmptyDatabase.execute(
        used.database(),
        Stream.concat(
                Stream.of("SET SESSION lock_wait_timeout = 30"), // for what a test left open
                tables.stream().map(EmptiedDatabase::emptying))
            .toArray(String[]::new));
    return used.database();
  }

  private static DataSource withTables(DataSource database) {
    JdbcDatabase.open(database, EmptyDatabase.WITH_ALL_TABLES);
    return database;
  }

  private static List<String> tables(DataSource database) {
    try (Connection connection = database.getConnection()) {
      return Sql.of(
              "SELECT table_name FROM information_schema.tables"
                  + " WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE'")
          .query(connection, row -> row.getString(1));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String emptying(String table) {
    return switch (table) {
      case "outbox_schema" ->
          "UPDATE outbox_schema SET partitions_keyed = NULL, partitions_keyless = NULL";
      case "outbox_feature" -> "DO 0"; // the tables stay, and so do their versions
      case "outbox_dedup" -> "DELETE FROM outbox_dedup WHERE business_key <> ''"; // guards stay
      // no TRUNCATE: after one, nodes that settled confirmations at once met in a deadlock
      default -> (table.startsWith("outbox") ? "DELETE FROM " : "DROP TABLE ") + table;
    };
  }
}
