package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.jdbc.Servers.Server;
import io.angarium.testkit.ManualClock;
import io.angarium.testservers.RequiresServer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** A server that does not tell once which one it is. */
@RequiresServer(io.angarium.testservers.Server.POSTGRESQL)
class ServerMarkTest {
  private final ManualClock clock = ManualClock.create();
  private final DataSource database = EmptyDatabase.postgres();
  private final Source source =
      new Source(new PostgresDialect(new TableNames(JdbcConfig.DEFAULTS)), clock);
  private boolean refuses;

  private Connection refusing(Connection connection) {
    return (Connection)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> call(connection, method, arguments));
  }

  private Object call(Connection connection, Method method, Object[] arguments) throws Throwable {
    if (refuses
        && method.getName().equals("prepareStatement")
        && arguments[0].toString().contains("pg_is_in_recovery")) {
      throw new SQLException("canceling statement due to statement timeout", "57014");
    }
    try {
      return method.invoke(connection, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  @Test
  void oneRefusalDoesNotSwitchTheErasOffForEver() throws SQLException {
    JdbcDatabase.open(database, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
    try (Connection physical = database.getConnection()) {
      Connection connection = refusing(physical);
      refuses = true;
      assertThat(source.check(connection).era()).isZero();
      refuses = false;

      clock.advance(Source.MARKLESS_PAUSE);
      source.check(connection);

      assertThat(source.servers().meet(new Server("another", true))).isEqualTo(1);
    }
  }
}
