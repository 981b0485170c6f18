package io.angarium.jdbc.internal.schema;

import io.angarium.ConfigurationException;
import io.angarium.jdbc.internal.dialect.SchemaSql;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.settings.SchemaFeature;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * The version of a feature's tables that a database records. Immutable.
 *
 * @param version number of the last script that ran
 * @param worksFrom the earliest version whose code works with these tables
 */
public record FeatureVersion(int version, int worksFrom) {
  /** The tables of Angarium 0.1, which recorded no versions by feature. */
  public static final FeatureVersion FIRST = new FeatureVersion(1, 1);

  /** No tables. */
  public static final FeatureVersion NONE = new FeatureVersion(0, 0);

  /** What PostgreSQL calls a missing right. */
  private static final String NOT_PERMITTED = "42501";

  /**
   * Reads what {@link SchemaSql#featureVersion} returns.
   *
   * @throws ConfigurationException if the account may not read the table
   */
  public static List<FeatureVersion> read(Connection connection, Sql query, String table)
      throws SQLException {
    return read(connection, query, table, row -> new FeatureVersion(row.getInt(1), row.getInt(2)));
  }

  /**
   * Reads the number that Angarium 0.1 counts, see {@link SchemaSql#schemaVersion}.
   *
   * @throws ConfigurationException if the account may not read the table
   */
  public static List<Integer> readCount(Connection connection, Sql query, String table)
      throws SQLException {
    return read(connection, query, table, row -> row.getInt(1));
  }

  private static <T> List<T> read(
      Connection connection, Sql query, String table, Sql.RowReader<T> reader) throws SQLException {
    try {
      return query.query(connection, reader);
    } catch (SQLException e) {
      if (NOT_PERMITTED.equals(e.getSQLState())) {
        throw new ConfigurationException(List.of(notPermitted(connection, table, e)));
      }
      throw e;
    }
  }

  private static String notPermitted(Connection connection, String table, SQLException e)
      throws SQLException {
    return "table %s: %s (expected: the right SELECT); GRANT SELECT ON %s TO %s"
        .formatted(table, e.getMessage(), table, connection.getMetaData().getUserName());
  }

  /**
   * This version, or {@link #NONE} if tables are missing, so that the scripts run once more. The
   * scripts of this code cannot restore the tables of a newer one.
   */
  public FeatureVersion unlessDropped(boolean complete, SchemaFeature feature) {
    return complete || version > FeatureScripts.version(feature) ? this : NONE;
  }

  /** True if the tables are newer than this code, which does not work with them. */
  public boolean isTooNewFor(SchemaFeature feature) {
    return worksFrom > FeatureScripts.version(feature);
  }

  /** The fault of code that is too old for the tables, see {@link #isTooNewFor}. */
  public String tooNew(SchemaFeature feature) {
    return ("feature %s: version %d, which works with code of version %d or newer (expected:"
            + " version %d); a newer Angarium has changed the tables, upgrade this application")
        .formatted(
            FeatureScripts.title(feature), version, worksFrom, FeatureScripts.version(feature));
  }
}
