package io.angarium.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A database at which locks are waited for a minute, where the product gives up after seconds: a
 * machine that stalls must not end the wait of a race. Questions for transactions that may be open
 * keep the second they wait, but for H2, where they wait as long as all others.
 */
final class PatientDatabase {
  /** The seconds that sessions wait which write. */
  private static final Pattern SECONDS =
      Pattern.compile("(?<=lock_timeout = '|innodb_lock_wait_timeout = )[2-9]");

  private PatientDatabase() {}

  static DataSource of(DataSource database) {
    return new ConnectionSource(() -> patient(database.getConnection()));
  }

  private static Connection patient(Connection connection) throws SQLException {
    if (connection.getMetaData().getDatabaseProductName().equals("H2")) {
      Sql.of("SET LOCK_TIMEOUT 60000").run(connection);
    }
    return Counted.proxy(
        Connection.class,
        (proxy, method, arguments) -> {
          Object result = Counted.invoke(method, connection, arguments);
          return method.getName().equals("createStatement")
              ? patient((Statement) Objects.requireNonNull(result))
              : result;
        });
  }

  private static Statement patient(Statement statement) {
    return Counted.proxy(
        Statement.class,
        (proxy, method, arguments) -> {
          boolean executes = method.getName().equals("execute");
          return Counted.invoke(method, statement, executes ? longer(arguments) : arguments);
        });
  }

  private static Object[] longer(Object @Nullable [] arguments) {
    String sql = (String) Objects.requireNonNull(arguments)[0];
    return new Object[] {SECONDS.matcher(sql).replaceAll("60")};
  }
}
