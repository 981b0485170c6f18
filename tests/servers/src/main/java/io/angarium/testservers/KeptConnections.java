package io.angarium.testservers;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Connections to PostgreSQL that are kept when they are closed and handed out again as new: each
 * one is a process of the server, which costs up to 40 ms of a processor to begin and to end.
 * Thread-safe.
 */
final class KeptConnections {
  /** Idle connections to all databases; the servers of the tests allow 200 each. */
  private static final int MAX = 12;

  private static final int RESET_LIMIT_MILLIS = 5_000;

  private static final KeptConnections ALL = new KeptConnections();

  private final Deque<Kept> idle = new ArrayDeque<>();

  private KeptConnections() {}

  private record Kept(TestDatabase database, Connection connection) {}

  /** A kept connection without any state of its last user, or a new one. */
  static Connection open(TestDatabase database) throws SQLException {
    Optional<Connection> kept = ALL.take(database);
    while (kept.isPresent()) {
      Connection connection = kept.get();
      if (isReset(connection)) {
        return shown(database, connection);
      }
      close(connection);
      kept = ALL.take(database);
    }
    return shown(
        database,
        DriverManager.getConnection(database.url(), database.user(), database.password()));
  }

  /** The last one first, which the server has at hand. */
  private synchronized Optional<Connection> take(TestDatabase database) {
    for (Iterator<Kept> all = idle.iterator(); all.hasNext(); ) {
      Kept kept = all.next();
      if (kept.database().equals(database)) {
        all.remove();
        return Optional.of(kept.connection());
      }
    }
    return Optional.empty();
  }

  private synchronized Optional<Kept> put(TestDatabase database, Connection connection) {
    idle.addFirst(new Kept(database, connection));
    return idle.size() > MAX ? Optional.of(idle.removeLast()) : Optional.empty();
  }

  /** False if it was killed or cut off meanwhile. */
  private static boolean isReset(Connection connection) {
    try (Statement statement = connection.createStatement()) {
      connection.setNetworkTimeout(Runnable::run, RESET_LIMIT_MILLIS);
      statement.execute("DISCARD ALL");
      connection.setNetworkTimeout(Runnable::run, 0);
      return true;
    } catch (SQLException e) {
      return false;
    }
  }

  private static void giveBack(TestDatabase database, Connection connection) throws SQLException {
    if (connection.isClosed()) {
      return;
    }
    try {
      if (!connection.getAutoCommit()) {
        connection.rollback();
        connection.setAutoCommit(true);
      }
      if (connection.isReadOnly()) {
        connection.setReadOnly(false);
      }
      connection.setNetworkTimeout(Runnable::run, 0);
      connection.clearWarnings();
    } catch (SQLException e) {
      close(connection);
      return;
    }
    ALL.put(database, connection).ifPresent(oldest -> close(oldest.connection()));
  }

  private static void close(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IllegalStateException("A connection cannot be closed", e);
    }
  }

  private static Connection shown(TestDatabase database, Connection connection) {
    return (Connection)
        Proxy.newProxyInstance(
            KeptConnections.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            new Shown(database, connection));
  }

  /** A connection until it is closed. */
  private static final class Shown implements InvocationHandler {
    private final TestDatabase database;
    private final Connection connection;
    private boolean closed;

    private Shown(TestDatabase database, Connection connection) {
      this.database = database;
      this.connection = connection;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
        throws Throwable {
      return switch (method.getName()) {
        case "equals" -> arguments != null && proxy == arguments[0];
        case "hashCode" -> System.identityHashCode(proxy);
        case "toString" -> "kept " + connection;
        case "close" -> close();
        case "isClosed" -> isEnded() || connection.isClosed();
        case "abort" -> abort(method, arguments);
        default -> call(method, arguments);
      };
    }

    private @Nullable Object close() throws SQLException {
      if (end()) {
        giveBack(database, connection);
      }
      return null;
    }

    /** Does nothing after the end: the connection may be another's by then. */
    private @Nullable Object abort(Method method, Object @Nullable [] arguments) throws Throwable {
      return isEnded() ? null : call(method, arguments);
    }

    private @Nullable Object call(Method method, Object @Nullable [] arguments) throws Throwable {
      if (isEnded()) {
        throw new SQLException("This connection has been closed.", "08003");
      }
      try {
        return method.invoke(connection, arguments);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }

    private synchronized boolean end() {
      boolean first = !closed;
      closed = true;
      return first;
    }

    private synchronized boolean isEnded() {
      return closed;
    }
  }
}
