package io.angarium.jdbc;

import io.angarium.ConfigurationException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the schema (on MySQL and MariaDB: the database) that tables are in, so that statements name
 * it: sessions of a pool may have another one each. A configured name is taken as it is if there is
 * such a schema, or as the database takes it without quotes.
 */
final class SchemaDialect {
  private static final String POSTGRES_OWN = "SELECT current_schema()";

  /** Parameters: schema, schema without capitals, name of a table, schema. */
  private static final String POSTGRES_NAMED =
      """
      SELECT n.nspname
      FROM pg_namespace AS n
      WHERE n.nspname IN (?, ?)
      ORDER BY
        EXISTS (SELECT 1 FROM pg_class AS c WHERE c.relnamespace = n.oid AND c.relname = ?) DESC,
        n.nspname = ? DESC
      LIMIT 1
      """;

  /** Parameters: schema, twice. */
  private static final String MYSQL_NAMED =
      """
      SELECT SCHEMA_NAME
      FROM INFORMATION_SCHEMA.SCHEMATA
      WHERE SCHEMA_NAME = ?
        AND (@@lower_case_table_names <> 0 OR BINARY SCHEMA_NAME = BINARY ?)
      """;

  /** Parameters: schema, schema as it is without quotes, schema. */
  private static final String H2_NAMED =
      """
      SELECT SCHEMA_NAME
      FROM INFORMATION_SCHEMA.SCHEMATA
      WHERE SCHEMA_NAME IN (?, ?)
      ORDER BY CASE SCHEMA_NAME WHEN ? THEN 0 ELSE 1 END
      LIMIT 1
      """;

  private static final String SYNTAX_ERROR = "42001";

  private SchemaDialect() {}

  /**
   * The names with the schema that the tables are in, or would be created in.
   *
   * @param names as they are configured
   * @throws ConfigurationException if no schema is configured and the connection has none
   */
  static TableNames place(Connection connection, String product, TableNames names)
      throws SQLException {
    String schema =
        switch (product.toLowerCase(Locale.ROOT)) {
          case "postgresql" -> postgres(connection, names);
          case "h2" -> h2(connection, names);
          case "mysql", "mariadb" -> mySql(connection, names);
          default -> null; // refused elsewhere, by its name
        };
    if (schema == null) {
      return names;
    }
    if (schema.matches(".*[%?{}].*")) {
      throw new ConfigurationException(
          List.of(
              names.property()
                  + ": "
                  + schema
                  + " (expected: a schema without %, ?, { and } in its name); configure another"));
    }
    boolean mySql = product.equalsIgnoreCase("mysql") || product.equalsIgnoreCase("mariadb");
    String quote = mySql ? "`" : "\""; // not what this session has set
    return names.placed(schema, quote + schema.replace(quote, quote + quote) + quote);
  }

  private static String postgres(Connection connection, TableNames names) throws SQLException {
    String configured = names.schema();
    if (configured == null) {
      return known(
          names,
          first(connection, Sql.of(POSTGRES_OWN)),
          "as the search_path of the connection names no schema that exists");
    }
    String folded = configured.toLowerCase(Locale.ROOT);
    String found =
        first(
            connection,
            Sql.of(POSTGRES_NAMED, configured, folded, names.prefix() + "_schema", configured));
    return found == null ? folded : found;
  }

  private static String mySql(Connection connection, TableNames names) throws SQLException {
    String configured = names.schema();
    if (configured == null) {
      return known(
          names,
          first(connection, Sql.of("SELECT DATABASE()")),
          "as the connection has no default database: name one here or in the URL");
    }
    String found = first(connection, Sql.of(MYSQL_NAMED, configured, configured));
    return found == null ? configured : found;
  }

  private static String h2(Connection connection, TableNames names) throws SQLException {
    requireUnreserved(connection, names);
    String configured = names.schema();
    if (configured == null) {
      return known(names, connection.getSchema(), "as the connection has none");
    }
    String folded = folded(connection.getMetaData(), configured);
    String found = first(connection, Sql.of(H2_NAMED, configured, folded, configured));
    return found == null ? folded : found;
  }

  private static String folded(DatabaseMetaData server, String name) throws SQLException {
    if (server.storesUpperCaseIdentifiers()) {
      return name.toUpperCase(Locale.ROOT);
    }
    return server.storesLowerCaseIdentifiers() ? name.toLowerCase(Locale.ROOT) : name;
  }

  /** Behind the name of a schema, H2 takes no reserved word; the other databases do. */
  private static void requireUnreserved(Connection connection, TableNames names)
      throws SQLException {
    try {
      Sql.of("SELECT 1 AS " + names.prefix()).run(connection);
    } catch (SQLException e) {
      if (SYNTAX_ERROR.equals(e.getSQLState())) {
        throw new ConfigurationException(
            List.of(
                names.property().replace("schema", "tables")
                    + ": "
                    + names.prefix()
                    + " (expected: no word that is reserved in H2)"));
      }
      throw e;
    }
  }

  private static @Nullable String first(Connection connection, Sql sql) throws SQLException {
    // a list cannot hold the null of a connection without a schema
    return sql.query(connection, row -> Optional.ofNullable(row.getString(1))).stream()
        .findFirst()
        .flatMap(found -> found)
        .orElse(null);
  }

  private static String known(TableNames names, @Nullable String schema, String otherwise) {
    if (schema == null) {
      throw new ConfigurationException(
          List.of(
              names.property()
                  + ": not set (expected: the schema of the tables, "
                  + otherwise
                  + ")"));
    }
    return schema;
  }
}
