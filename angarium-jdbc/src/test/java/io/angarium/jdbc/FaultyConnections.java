package io.angarium.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransactionRollbackException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Connections of which one call fails: the n-th since {@link #arm} that may ask the server
 * something. Not thread-safe: one thread at a time.
 */
final class FaultyConnections {
  /** What happens to the call. */
  enum Fault {
    /** The connection breaks, and the server has not got the call. */
    BEFORE {
      @Override
      @Nullable Object happen(Call call, Connection connection) throws Throwable {
        connection.close();
        throw broken();
      }
    },
    /** The server has done it, and the connection breaks before it can say so. */
    AFTER {
      @Override
      @Nullable Object happen(Call call, Connection connection) throws Throwable {
        call.make();
        connection.close();
        throw broken();
      }
    },
    /** The server makes the transaction the victim of a deadlock; the connection is well. */
    VICTIM {
      @Override
      @Nullable Object happen(Call call, Connection connection) throws Throwable {
        if (!connection.getAutoCommit()) {
          connection.rollback();
        }
        throw new SQLTransactionRollbackException("planted: victim of a deadlock", "40001");
      }

      @Override
      boolean strikes(String method) {
        return method.startsWith("execute") || method.equals("commit");
      }
    };

    abstract @Nullable Object happen(Call call, Connection connection) throws Throwable;

    /** Whether a method can fail so. */
    boolean strikes(String method) {
      return true;
    }

    private static SQLException broken() {
      return new SQLNonTransientConnectionException("planted: the connection is broken", "08006");
    }
  }

  /** A call on its way to the driver. */
  interface Call {
    @Nullable Object make() throws Throwable;
  }

  /** They ask the server nothing, whatever the driver. */
  private static final Set<String> LOCAL =
      Set.of(
          "unwrap",
          "isWrapperFor",
          "isClosed",
          "abort",
          "addBatch",
          "clearParameters",
          "clearWarnings",
          "wasNull",
          "getConnection",
          "getStatement");

  private static final List<Class<?>> SHOWN =
      List.of(PreparedStatement.class, Statement.class, ResultSet.class, DatabaseMetaData.class);

  private final DataSource behind;
  private int open;
  private int left;
  private Fault fault = Fault.BEFORE;
  private @Nullable String struck;

  FaultyConnections(DataSource behind) {
    this.behind = behind;
  }

  DataSource dataSource() {
    return new ConnectionSource(this::take);
  }

  /** How many were taken and not given back. */
  int open() {
    return open;
  }

  /** The n-th call from now on fails, counted from 1. */
  void arm(Fault kind, int n) {
    fault = kind;
    left = n;
    struck = null;
  }

  /** No call fails from now on; tells which one has, or null. */
  @Nullable String disarm() {
    left = 0;
    return struck;
  }

  private Connection take() throws SQLException {
    if (fails("open")) {
      throw Fault.broken();
    }
    Connection real = behind.getConnection();
    open++;
    boolean[] closed = {false};
    return (Connection)
        wrapped(
            Connection.class,
            real,
            real,
            () -> {
              open -= closed[0] ? 0 : 1;
              closed[0] = true;
            });
  }

  private boolean fails(String method) {
    if (left == 0 || !fault.strikes(method) || --left > 0) {
      return false;
    }
    struck = method;
    return true;
  }

  private Object wrapped(Class<?> type, Object target, Connection connection, Runnable onClose) {
    return Proxy.newProxyInstance(
        FaultyConnections.class.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, arguments) -> {
          if (type == Connection.class && Set.of("close", "abort").contains(method.getName())) {
            onClose.run();
          }
          Call call = () -> shown(invoke(method, target, arguments), connection);
          return asks(type, method) && fails(method.getName())
              ? fault.happen(call, connection)
              : call.make();
        });
  }

  private static boolean asks(Class<?> type, Method method) {
    String name = method.getName();
    return method.getDeclaringClass() != Object.class
        && !LOCAL.contains(name)
        && !(Statement.class.isAssignableFrom(type) && name.startsWith("set"))
        && !(ResultSet.class.isAssignableFrom(type) && !name.equals("next"))
        && !(DatabaseMetaData.class.isAssignableFrom(type) && method.getParameterCount() == 0);
  }

  private static @Nullable Object invoke(
      Method method, Object target, @Nullable Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private @Nullable Object shown(@Nullable Object result, Connection connection) {
    if (result == null) {
      return null;
    }
    for (Class<?> type : SHOWN) {
      if (type.isInstance(result)) {
        return wrapped(type, result, connection, () -> {});
      }
    }
    return result;
  }
}
