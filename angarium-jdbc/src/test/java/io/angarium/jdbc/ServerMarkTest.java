package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.jdbc.internal.dialect.postgres.PostgresDialect;
import io.angarium.jdbc.internal.session.Servers;
import io.angarium.jdbc.internal.session.Servers.Server;
import io.angarium.jdbc.internal.session.Source;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.testkit.ManualClock;
import io.angarium.testservers.RequiresServer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A server that does not tell which one it is, once or for ever. */
@RequiresServer(io.angarium.testservers.Server.POSTGRESQL)
class ServerMarkTest {
  private static final String DENIED = "42501";
  private static final String TIMEOUT = "57014";

  private final ManualClock clock = ManualClock.create();
  private final DataSource database = EmptyDatabase.postgres();
  private final Source source =
      new Source(new PostgresDialect(new TableNames(JdbcConfig.DEFAULTS)), clock);
  private @Nullable String refusal;

  private Connection refusing(Connection connection) {
    return (Connection)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> call(connection, method, arguments));
  }

  private Object call(Connection connection, Method method, Object[] arguments) throws Throwable {
    if (refusal != null
        && method.getName().equals("prepareStatement")
        && arguments[0].toString().contains("pg_is_in_recovery")) {
      throw new SQLException("refused", refusal);
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
      refusal = DENIED;
      assertThat(source.check(connection).era()).isZero();
      refusal = null;

      clock.advance(Source.MARKLESS_PAUSE);
      int era = source.check(connection).era();

      assertThat(source.servers().meet(new Server("another", true))).isEqualTo(era + 1);
    }
  }

  /** As of a server that has just taken over and is slow: it may be another one than before. */
  @Test
  void refusalThatPassesIsNoAnswer() throws SQLException {
    JdbcDatabase.open(database, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
    try (Connection first = database.getConnection();
        Connection second = database.getConnection()) {
      refusal = TIMEOUT;
      assertThatThrownBy(() -> source.check(refusing(first))).isInstanceOf(SQLException.class);
      refusal = null;
      assertThat(source.check(refusing(first)).era()).isZero();

      refusal = TIMEOUT;
      assertThatThrownBy(() -> source.check(refusing(second))).isInstanceOf(SQLException.class);
      refusal = null;

      source.servers().meet(new Server("another", true));
      assertThat(source.check(refusing(second)).era()).isEqualTo(Servers.LEFT);
    }
  }

  @Test
  void serverThatMayNotTellIsNotTheOneThatTold() throws SQLException {
    JdbcDatabase.open(database, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
    try (Connection first = database.getConnection();
        Connection second = database.getConnection()) {
      assertThat(source.check(refusing(first)).era()).isZero();
      refusal = DENIED;

      assertThat(source.check(refusing(second)).era()).isEqualTo(1);
    }
  }
}
