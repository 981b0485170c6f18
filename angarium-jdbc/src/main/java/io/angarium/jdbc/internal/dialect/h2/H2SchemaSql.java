package io.angarium.jdbc.internal.dialect.h2;

import io.angarium.jdbc.internal.dialect.SchemaSql;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.jdbc.internal.sql.Versions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Creation, version and identity of the tables on H2, and the faults of the server. */
public final class H2SchemaSql implements SchemaSql {
  private static final String VERSION_MIN = "2.4.240";

  private final TableNames names;

  H2SchemaSql(TableNames names) {
    this.names = names;
  }

  @Override
  public TableNames names() {
    return names;
  }

  @Override
  public void lockForCreate(Connection connection) {
    // a table that another process creates at the same time fails, and is tried again
  }

  /**
   * One for all databases of the process, which most of them belong to. H2 does not notice it if
   * two threads that alter tables each hold what the other one needs: both wait until a lock times
   * out. A catalogue that is read meanwhile may lack values, or the read fails.
   */
  @Override
  public Object createMonitor() {
    return H2Dialect.class;
  }

  @Override
  public String describeServer(Connection connection) {
    return "H2";
  }

  @Override
  public List<String> serverFaults(Connection connection) throws SQLException {
    String version = connection.getMetaData().getDatabaseProductVersion().split(" ", 2)[0];
    List<String> faults = new ArrayList<>();
    if (!Versions.atLeast(version, VERSION_MIN)) {
      faults.add(
          "H2: "
              + version
              + " (expected: "
              + VERSION_MIN
              + " or newer); under Spring Boot 3.5 set the property h2.version of the build");
    }
    MERGING_SETTINGS.forEach(
        connection,
        row ->
            faults.add(
                row.getString(1)
                    + ": "
                    + row.getString(2)
                    + " (expected: not set, or different keys count as the same); take it out of"
                    + " the URL and open a new database"));
    MODES_WITHOUT_LIMIT.forEach(
        connection,
        row ->
            faults.add(
                "MODE: "
                    + row.getString(1)
                    + " (expected: none, or that of PostgreSQL, MariaDB, MySQL, DB2, HSQLDB or LEGACY,"
                    + " as the others take no LIMIT); take it out of the URL"));
    return faults;
  }

  private static final Sql MODES_WITHOUT_LIMIT =
      Sql.of(
          """
          SELECT SETTING_VALUE
          FROM INFORMATION_SCHEMA.SETTINGS
          WHERE SETTING_NAME = 'MODE'
            AND SETTING_VALUE IN ('Oracle', 'MSSQLServer', 'Derby', 'STRICT')
          """);

  /** Settings under which different texts are equal. */
  private static final Sql MERGING_SETTINGS =
      Sql.of(
          """
          SELECT SETTING_NAME, SETTING_VALUE
          FROM INFORMATION_SCHEMA.SETTINGS
          WHERE (SETTING_NAME = 'IGNORECASE' AND SETTING_VALUE NOT IN ('0', 'FALSE'))
            OR (SETTING_NAME = 'COLLATION' AND SETTING_VALUE <> 'OFF')
          """);

  private static final String SERVER =
      """
      SELECT CAST(NULL AS VARCHAR), TRUE
      """;

  @Override
  public Sql server() {
    return Sql.of(SERVER);
  }

  private static final String SOURCE_AND_SERVER =
      """
      SELECT (SELECT source FROM outbox_schema), CAST(NULL AS VARCHAR), TRUE
      """;

  @Override
  public Sql sourceAndServer() {
    return Sql.of(names.in(SOURCE_AND_SERVER));
  }

  /** Parameter: source. */
  private static final String PUT_BACK_SOURCE =
      """
      INSERT INTO outbox_schema (version, source)
      SELECT 1, ? WHERE NOT EXISTS (SELECT 1 FROM outbox_schema)
      """;

  @Override
  public Sql putBackSource(UUID source) {
    return Sql.of(names.in(PUT_BACK_SOURCE), source);
  }
}
