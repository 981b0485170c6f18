package io.angarium.jdbc;

import io.angarium.jdbc.internal.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A database whose locks and answers are waited for a minute, where the product gives up after
 * seconds: a machine that stalls must not end a wait that is right. Questions for transactions that
 * may be open keep the second they wait for a lock, but for H2, where all wait as long.
 */
final class PatientDatabase {
  private static final int MILLIS = 60_000;

  /** The seconds that sessions wait which write. */
  private static final Pattern SECONDS =
      Pattern.compile("(?<=lock_timeout = '|innodb_lock_wait_timeout = )[2-9]");

  private PatientDatabase() {}

  static DataSource of(DataSource database) {
    return new ConnectionSource(() -> patient(database.getConnection()));
  }

  private static Connection patient(Connection connection) throws SQLException {
    if (connection.getMetaData().getDatabaseProductName().equals("H2")) {
      Sql.of("SET LOCK_TIMEOUT " + MILLIS).run(connection);
    }
    return Counted.proxy(
        Connection.class,
        (proxy, method, arguments) -> {
          boolean limits = method.getName().equals("setNetworkTimeout");
          Object result =
              Counted.invoke(method, connection, limits ? answered(arguments) : arguments);
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
          return Counted.invoke(method, statement, executes ? locked(arguments) : arguments);
        });
  }

  /** No limit stays none. */
  private static Object[] answered(Object @Nullable [] arguments) {
    Object executor = Objects.requireNonNull(arguments)[0];
    return new Object[] {executor, arguments[1].equals(0) ? 0 : MILLIS};
  }

  private static Object[] locked(Object @Nullable [] arguments) {
    String sql = (String) Objects.requireNonNull(arguments)[0];
    return new Object[] {SECONDS.matcher(sql).replaceAll("60")};
  }
}
