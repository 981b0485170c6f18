package io.angarium.jdbc;

import io.angarium.ConfigurationException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tables: creates what is missing, and says what is not as it should be. */
final class Schema {
  /** In the order in which they run; each leaves the version that it is the number of. */
  private static final List<String> SCRIPTS = List.of("V1__outbox.sql", "V2__marker.sql");

  /** The version of the tables that this code works with. */
  static final int VERSION = SCRIPTS.size();

  private static final int CREATE_ATTEMPTS_MAX = 10;
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
      create(connection);
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

  // Scripts create only what is missing. Where tables cannot be locked against a second node, the
  // loser of a race fails and goes over the script again.
  private void create(Connection connection) throws SQLException {
    boolean autoCommit = connection.getAutoCommit();
    connection.setAutoCommit(false);
    try {
      for (int attempt = 1; !tryCreate(connection, attempt == CREATE_ATTEMPTS_MAX); attempt++) {
        LOG.debug("Another node creates the tables, too (attempt {})", attempt);
      }
    } finally {
      connection.setAutoCommit(autoCommit);
    }
    LOG.info("Created tables {} with the scripts of {}", names.in("outbox"), folder(dialect));
  }

  private boolean tryCreate(Connection connection, boolean last) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : dialect.lockForCreate()) {
        statement.execute(sql);
      }
      for (String sql : script()) {
        statement.execute(names.in(sql));
      }
      connection.commit();
      return true;
    } catch (SQLException e) {
      connection.rollback();
      if (last) {
        throw e;
      }
      return false;
    }
  }

  private static String folder(Dialect dialect) {
    return "angarium/schema/" + dialect.folder();
  }

  /** The script that creates a table, by what follows the prefix in the table's name. */
  static String creating(String table, Dialect dialect) {
    int version = table.equals("_marker") ? 2 : 1;
    return folder(dialect) + "/" + SCRIPTS.get(version - 1);
  }

  /** The statements of all scripts. */
  List<String> script() {
    return SCRIPTS.stream().flatMap(name -> statements(folder(dialect) + "/" + name)).toList();
  }

  private static Stream<String> statements(String resource) {
    try (InputStream in = Schema.class.getResourceAsStream("/" + resource)) {
      if (in == null) {
        throw new IllegalStateException(resource + " is missing from angarium-jdbc");
      }
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      String withoutComments = text.replaceAll("(?m)--.*$", "");
      return Arrays.stream(withoutComments.split(";\\s*(?:\\n|$)", -1))
          .map(String::strip)
          .filter(sql -> !sql.isEmpty());
    } catch (IOException e) {
      throw new IllegalStateException("Failed reading " + resource, e);
    }
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
