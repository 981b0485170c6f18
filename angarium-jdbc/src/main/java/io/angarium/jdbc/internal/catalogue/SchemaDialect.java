package io.angarium.jdbc.internal.catalogue;

import io.angarium.ConfigurationException;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the schema (on MySQL and MariaDB: the database) that tables are in, so that statements name
 * it: sessions of a pool may have another one each. A configured name is taken as it is if there is
 * such a schema, or as the database takes it without quotes. Without one, tables are those that the
 * search path of the connection finds, and are created in its first schema.
 */
public final class SchemaDialect {
  private static final Logger LOG = LoggerFactory.getLogger(SchemaDialect.class);

  private static final String POSTGRES_OWN = "SELECT current_schema()";

  /** The schemas of the search path that have a table, in its order. Parameter: table. */
  private static final String POSTGRES_FOUND =
      """
      SELECT n.nspname
      FROM pg_class AS c
        JOIN pg_namespace AS n ON n.oid = c.relnamespace
      WHERE c.relname = ?
        AND c.relkind IN ('r', 'p')
        AND n.nspname = ANY (current_schemas(false))
      ORDER BY array_position(current_schemas(false), n.nspname)
      """;

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

  private static final Set<String> H2_NO_SUCH_TABLE = Set.of("42S02", "42S03", "42S04");

  private SchemaDialect() {}

  /**
   * The names with the schema that the tables are in, or would be created in.
   *
   * @param names as they are configured
   * @throws ConfigurationException if no schema is configured and the connection has none
   */
  public static TableNames place(Connection connection, String product, TableNames names)
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
      List<String> found =
          Sql.of(POSTGRES_FOUND, names.prefix() + "_schema")
              .query(connection, row -> row.getString(1));
      if (found.size() > 1) {
        LOG.warn(
            "Tables {} are in several schemas of the search_path: {}. Those of the first are used;"
                + " set {}",
            names.shown(""),
            String.join(", ", found),
            names.property());
      }
      return known(
          names,
          found.isEmpty() ? first(connection, Sql.of(POSTGRES_OWN)) : found.get(0),
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
      String found = h2Found(connection, names);
      return known(
          names, found == null ? connection.getSchema() : found, "as the connection has none");
    }
    String folded = folded(connection.getMetaData(), configured);
    String found = first(connection, Sql.of(H2_NAMED, configured, folded, configured));
    return found == null ? folded : found;
  }

  /** The schema of the table that a name without schema means; null if there is none. */
  private static @Nullable String h2Found(Connection connection, TableNames names)
      throws SQLException {
    String probe = "SELECT * FROM " + names.table("_schema") + " FETCH FIRST 0 ROWS ONLY";
    try (PreparedStatement statement = Sql.of(probe).prepare(connection)) {
      return statement.getMetaData().getSchemaName(1);
    } catch (SQLException e) {
      if (H2_NO_SUCH_TABLE.contains(String.valueOf(e.getSQLState()))) {
        return null;
      }
      throw e;
    }
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
