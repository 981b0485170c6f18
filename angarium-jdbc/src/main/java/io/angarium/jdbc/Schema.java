package io.angarium.jdbc;

import io.angarium.ConfigurationException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tables: creates what is missing, and says what is not as it should be. */
final class Schema {
  /** In the order in which they run; each leaves the version that it is the number of. */
  private static final List<String> SCRIPTS =
      List.of(
          "V1__outbox.sql",
          "V2__marker.sql",
          "V3__confirmation.sql",
          "V4__task.sql",
          "V5__half.sql",
          "V6__intake_topic.sql",
          "V7__half_alert.sql");

  /** The version of the tables that this code works with. */
  static final int VERSION = SCRIPTS.size();

  private static final Logger LOG = LoggerFactory.getLogger(Schema.class);

  private final Dialect dialect;
  private final JdbcConfig config;
  private final TableNames names;

  Schema(Dialect dialect, JdbcConfig config) {
    this.dialect = dialect;
    this.config = config;
    this.names = new TableNames(config);
  }

  /**
   * Does what the configuration says about the tables.
   *
   * @param connection in any mode; its auto-commit is restored
   * @throws ConfigurationException if they are not as they should be; lists every fault
   */
  void prepare(Connection connection) throws SQLException {
    if (config.schemaMode() == SchemaMode.NONE) {
      return;
    }
    if (config.schemaMode() == SchemaMode.CREATE && !isCreated(connection)) {
      scripts().create(connection);
      LOG.info("Created tables {} with the scripts of {}", names.in("outbox"), folder(dialect));
    }
    List<String> faults = faults(connection);
    if (!faults.isEmpty()) {
      throw new ConfigurationException(faults);
    }
  }

  // The version is the last thing that a script writes.
  private boolean isCreated(Connection connection) throws SQLException {
    return tables(connection).containsKey("_schema")
        && versions(connection).stream().anyMatch(version -> version >= VERSION);
  }

  private static String folder(Dialect dialect) {
    return "angarium/schema/" + dialect.folder();
  }

  /** The script that creates a table, by what follows the prefix in the table's name. */
  static String creating(String table, Dialect dialect) {
    int version =
        switch (table) {
          case "_marker" -> 2;
          case "_unconfirmed", "_receipt" -> 3;
          case "_task" -> 4;
          case "_half", "_half_check", "_half_audit" -> 5;
          case "_intake_topic" -> 6;
          case "_half_alert" -> 7;
          default -> 1;
        };
    return folder(dialect) + "/" + SCRIPTS.get(version - 1);
  }

  /** All of them. */
  SchemaScripts scripts() {
    return new SchemaScripts(
        dialect, names, SCRIPTS.stream().map(name -> folder(dialect) + "/" + name).toList());
  }

  /** Everything that is wrong, with what to do; empty if nothing is. */
  List<String> faults(Connection connection) throws SQLException {
    Map<String, Map<String, Integer>> found = tables(connection);
    List<String> faults = ExpectedTables.faults(found, dialect);
    if (found.getOrDefault("_schema", Map.of()).containsKey("version")) {
      addVersionFault(faults, versions(connection).stream().findFirst().orElse(0));
    }
    return faults;
  }

  private void addVersionFault(List<String> faults, int version) {
    String table = names.in("outbox_schema");
    if (version < VERSION) {
      faults.add(
          "table "
              + table
              + ": version "
              + version
              + " (expected: "
              + VERSION
              + "); run the later scripts of angarium/schema/"
              + dialect.folder());
    } else if (version > VERSION) {
      faults.add(
          "table "
              + table
              + ": version "
              + version
              + " (expected: "
              + VERSION
              + "); a newer Angarium has changed the tables, upgrade this application");
    }
  }

  private List<Integer> versions(Connection connection) throws SQLException {
    return dialect.schemaVersion().query(connection, row -> row.getInt(1));
  }

  private String pattern(Connection connection) throws SQLException {
    String names = config.tables() + "%";
    return connection.getMetaData().storesUpperCaseIdentifiers()
        ? names.toUpperCase(Locale.ROOT)
        : names;
  }

  /** JDBC types of the columns of tables that exist, in lower case, by what follows the prefix. */
  private Map<String, Map<String, Integer>> tables(Connection connection) throws SQLException {
    Map<String, Map<String, Integer>> tables = new HashMap<>();
    // MySQL's and MariaDB's drivers call a schema catalog, and then have no schemas
    boolean schemas = connection.getSchema() != null;
    String schema = config.schema() == null ? connection.getSchema() : config.schema();
    String catalog = schemas || schema == null ? connection.getCatalog() : schema;
    try (ResultSet columns =
        connection.getMetaData().getColumns(catalog, null, pattern(connection), null)) {
      while (columns.next()) {
        String table = columns.getString("TABLE_NAME").toLowerCase(Locale.ROOT);
        boolean inSchema =
            !schemas || schema == null || schema.equalsIgnoreCase(columns.getString("TABLE_SCHEM"));
        if (inSchema && table.startsWith(config.tables())) {
          tables
              .computeIfAbsent(table.substring(config.tables().length()), t -> new HashMap<>())
              .put(
                  columns.getString("COLUMN_NAME").toLowerCase(Locale.ROOT),
                  columns.getInt("DATA_TYPE"));
        }
      }
    }
    return tables;
  }
}
