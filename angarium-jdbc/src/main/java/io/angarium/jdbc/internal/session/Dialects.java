package io.angarium.jdbc.internal.session;

import io.angarium.ConfigurationException;
import io.angarium.jdbc.internal.catalogue.SchemaDialect;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.dialect.h2.H2Dialect;
import io.angarium.jdbc.internal.dialect.mysql.MariaDbDialect;
import io.angarium.jdbc.internal.dialect.mysql.MySqlDialect;
import io.angarium.jdbc.internal.dialect.mysql.MySqlFamily;
import io.angarium.jdbc.internal.dialect.postgres.PostgresDialect;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.OtherServer;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;

/** Finds the {@link Dialect} of a server. */
public final class Dialects {
  private Dialects() {}

  /** What a server says about itself, for {@link OtherServer#of}. */
  public static String words(Connection connection) throws SQLException {
    return of(product(connection.getMetaData()), new TableNames(JdbcConfig.DEFAULTS))
        .schema()
        .describeServer(connection);
  }

  /**
   * What speaks to this server, with the names of the tables where they are.
   *
   * @throws ConfigurationException if it is unknown or too old
   */
  public static Dialect of(Connection connection, TableNames names) throws SQLException {
    String product = product(connection.getMetaData());
    Dialect dialect = of(product, SchemaDialect.place(connection, product, names));
    List<String> faults = dialect.schema().serverFaults(connection);
    if (!faults.isEmpty()) {
      throw new ConfigurationException(faults);
    }
    return dialect;
  }

  /** The product as a server calls itself; MySQL's own driver calls every server MySQL. */
  public static String product(DatabaseMetaData server) throws SQLException {
    String named = server.getDatabaseProductName();
    boolean mariaDb =
        named.equals("MySQL")
            && server.getDatabaseProductVersion().toLowerCase(Locale.ROOT).contains("mariadb");
    return mariaDb ? "MariaDB" : named;
  }

  /**
   * What speaks to a product.
   *
   * @throws ConfigurationException if it is unknown
   */
  public static Dialect of(String product, TableNames names) {
    return switch (product.toLowerCase(Locale.ROOT)) {
      case "postgresql" -> new PostgresDialect(names);
      case "h2" -> new H2Dialect(names);
      case "mysql" -> new MySqlFamily(names, new MySqlDialect(names));
      case "mariadb" -> new MySqlFamily(names, new MariaDbDialect(names));
      default ->
          throw new ConfigurationException(
              List.of("database: " + product + " (expected: PostgreSQL, MySQL, MariaDB or H2)"));
    };
  }
}
