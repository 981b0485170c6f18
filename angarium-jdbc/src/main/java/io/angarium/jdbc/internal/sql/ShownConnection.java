package io.angarium.jdbc.internal.sql;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * A connection with an observer. The observer also sees the calls of its statements and results,
 * since these lead back to the connection. One thread at a time.
 */
public final class ShownConnection {
  /** Sees calls of a connection, a statement, a result or metadata. */
  public interface Observer {
    /** Before a call; what it throws is thrown instead. */
    void before(Object target, String method, Object @Nullable [] arguments) throws SQLException;

    /** After one that returned. */
    default void returned(String method) {}

    /** After one that failed. */
    default void failed(SQLException failure) {}
  }

  private final Observer observer;
  private final Connection shown;

  private ShownConnection(Connection connection, Observer observer) {
    this.observer = observer;
    this.shown = proxy(Connection.class, connection);
  }

  /** The connection as it is given to those who are observed. */
  public static Connection of(Connection connection, Observer observer) {
    return new ShownConnection(connection, observer).shown;
  }

  /** What is behind observed connections, without a call that an observer sees; else the given. */
  static Connection behind(Connection connection) {
    Connection behind = connection;
    while (Proxy.isProxyClass(behind.getClass())
        && Proxy.getInvocationHandler(behind) instanceof Calls calls
        && calls.target instanceof Connection target) {
      behind = target;
    }
    return behind;
  }

  private <T> T proxy(Class<T> type, T target) {
    return type.cast(
        Proxy.newProxyInstance(
            ShownConnection.class.getClassLoader(),
            new Class<?>[] {type},
            new Calls(this, target)));
  }

  /** The calls of what is shown instead of a target. */
  private record Calls(ShownConnection connection, Object target) implements InvocationHandler {
    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
        throws Throwable {
      return switch (method.getName()) {
        case "equals" -> arguments != null && proxy == arguments[0];
        case "unwrap" -> connection.call(target, method, arguments);
        default -> connection.shown(connection.call(target, method, arguments));
      };
    }
  }

  private @Nullable Object call(Object target, Method method, Object @Nullable [] arguments)
      throws Throwable {
    observer.before(target, method.getName(), arguments);
    try {
      Object result = method.invoke(target, arguments);
      observer.returned(method.getName());
      return result;
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof SQLException failure) {
        observer.failed(failure);
      }
      throw e.getCause();
    }
  }

  /** What leads back to the connection is observed as well. */
  private @Nullable Object shown(@Nullable Object result) {
    if (result instanceof Connection) {
      return shown;
    }
    if (result instanceof PreparedStatement statement && !isCall(statement)) {
      return proxy(PreparedStatement.class, statement);
    }
    if (result instanceof Statement statement && !isCall(statement)) {
      return proxy(Statement.class, statement);
    }
    if (result instanceof ResultSet rows) {
      return proxy(ResultSet.class, rows);
    }
    return result instanceof DatabaseMetaData data ? proxy(DatabaseMetaData.class, data) : result;
  }

  /** Its call was seen when it was made. */
  private static boolean isCall(Statement statement) {
    return statement instanceof CallableStatement;
  }
}
