package io.angarium.jdbc.internal.schema;

import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.dialect.mysql.MySqlFamily;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.jdbc.settings.SchemaFeature;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tables of an outbox that a database has. Immutable.
 *
 * @param place the schema or, on MySQL and MariaDB, the database that was read; null if it is
 *     unknown
 * @param tables JDBC types by column in lower case, by what follows the prefix in the table's name
 */
public record FoundTables(@Nullable String place, Map<String, Map<String, Integer>> tables) {
  /** Reads the catalogue of the schema that holds the tables, and of no other. */
  public static FoundTables read(Connection connection, Dialect server, TableNames names)
      throws SQLException {
    DatabaseMetaData catalogue = connection.getMetaData();
    // MySQL's and MariaDB's drivers call a schema catalog, and then have no schemas
    boolean schemas = connection.getSchema() != null || !(server instanceof MySqlFamily);
    String configured = names.schema();
    String schema = configured == null ? connection.getSchema() : configured;
    String catalog = schemas || schema == null ? connection.getCatalog() : schema;
    Map<String, Map<String, Integer>> tables = new HashMap<>();
    try (ResultSet columns =
        catalogue.getColumns(
            catalog,
            schemas && schema != null ? escaped(schema, catalogue) : null,
            escaped(stored(names.prefix(), catalogue, schemas), catalogue) + "%",
            null)) {
      while (columns.next()) {
        String table = columns.getString("TABLE_NAME").toLowerCase(Locale.ROOT);
        if (table.startsWith(names.prefix())) {
          tables
              .computeIfAbsent(table.substring(names.prefix().length()), t -> new HashMap<>())
              .put(
                  columns.getString("COLUMN_NAME").toLowerCase(Locale.ROOT),
                  columns.getInt("DATA_TYPE"));
        }
      }
    }
    return new FoundTables(schemas ? schema : catalog, tables);
  }

  /** A name as the server stores it if it stands in a statement without quotes. */
  private static String stored(String name, DatabaseMetaData server, boolean schemas)
      throws SQLException {
    if (server.storesUpperCaseIdentifiers()) {
      return name.toUpperCase(Locale.ROOT);
    }
    return schemas && server.storesLowerCaseIdentifiers() ? name.toLowerCase(Locale.ROOT) : name;
  }

  /** Escapes the underscore, the only special character of patterns that occurs in names. */
  private static String escaped(String name, DatabaseMetaData server) throws SQLException {
    return name.replace("_", server.getSearchStringEscape() + "_");
  }

  public boolean has(String suffix) {
    return tables.containsKey(suffix);
  }

  /** JDBC types by column; empty if the table is missing. */
  Map<String, Integer> columns(String suffix) {
    return tables.getOrDefault(suffix, Map.of());
  }

  /** True if one of the feature's tables is there. */
  boolean hasAny(SchemaFeature feature) {
    return ExpectedTables.of(feature).stream().anyMatch(this::has);
  }
}
