package io.angarium.jdbc;

import io.angarium.jdbc.InboxDialect.Watch;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Watches a transaction that nobody but the work uses, on the way to the database, which costs no
 * statement: one that the database ends tells so by an error, after which it is asked at once. What
 * could end the transaction without an error that is seen here (a procedure, a batch, several
 * statements at once, a connection that is unwrapped) happens after a savepoint. One thread at a
 * time.
 */
final class ObservedTransaction implements Watch {
  /** A statement of these ends with an error if its transaction does. */
  private static final Set<String> PLAIN =
      Set.of("SELECT", "INSERT", "UPDATE", "DELETE", "REPLACE", "WITH");

  private static final int PLAIN_LENGTH_MAX = 7;

  /** Whether the transaction is over, asked right after an error. */
  @FunctionalInterface
  interface Question {
    boolean isOver(Connection connection) throws SQLException;
  }

  private final Connection connection;
  private final Question question;
  private final Connection shown;
  private @Nullable Savepoint begun;
  private @Nullable SQLException endedBy;

  /**
   * Begins to watch.
   *
   * @param connection with a transaction that has written
   */
  ObservedTransaction(Connection connection, Question question) {
    this.connection = connection;
    this.question = question;
    this.shown = proxy(Connection.class, connection);
  }

  @Override
  public Connection connection() {
    return shown;
  }

  @Override
  public void end() throws SQLException {
    if (endedBy != null) {
      throw endedBy;
    }
    if (begun != null) {
      connection.releaseSavepoint(begun);
    }
  }

  private <T> T proxy(Class<T> type, T target) {
    return type.cast(
        Proxy.newProxyInstance(
            ObservedTransaction.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "equals" -> proxy == arguments[0];
                  case "unwrap" -> call(target, method, arguments);
                  default -> shown(call(target, method, arguments));
                }));
  }

  private @Nullable Object call(Object target, Method method, Object @Nullable [] arguments)
      throws Throwable {
    if (isDoubtful(target, method.getName(), arguments)) {
      takeSavepoint();
    }
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof SQLException failure) {
        ask(failure);
      }
      throw e.getCause();
    }
  }

  /** What leads back to the connection is watched as well. */
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

  /** Came after a savepoint, so it needs no watching. */
  private static boolean isCall(Statement statement) {
    return statement instanceof CallableStatement;
  }

  private static boolean isDoubtful(Object target, String method, Object @Nullable [] arguments) {
    if (arguments != null && arguments[0] instanceof String text && runs(method)) {
      return !isPlain(text);
    }
    return target instanceof Connection
        ? !leavesTransaction(method, arguments)
        : method.equals("unwrap") || (runs(method) && method.endsWith("Batch"));
  }

  private static boolean runs(String method) {
    return method.startsWith("execute") || method.equals("prepareStatement");
  }

  /** Of the connection. To go back to a savepoint of the work leaves it; to set one comes later. */
  private static boolean leavesTransaction(String method, Object @Nullable [] arguments) {
    return method.startsWith("get")
        || (method.startsWith("is") && !method.equals("isValid")) // hides what it learns
        || method.startsWith("create")
        || switch (method) {
          case "rollback" -> arguments != null;
          case "releaseSavepoint", "nativeSQL", "clearWarnings", "hashCode", "toString" -> true;
          default -> false;
        };
  }

  /** One statement, and none that runs others. */
  static boolean isPlain(String text) {
    String begin = text.stripLeading();
    int end = 0;
    while (end < begin.length()
        && end <= PLAIN_LENGTH_MAX
        && Character.isLetter(begin.charAt(end))) {
      end++;
    }
    return PLAIN.contains(begin.substring(0, end).toUpperCase(Locale.ROOT))
        && text.indexOf(';') < 0;
  }

  private void takeSavepoint() throws SQLException {
    if (begun != null || endedBy != null) {
      return;
    }
    try {
      begun = connection.setSavepoint(); // it goes with its transaction
    } catch (SQLException e) { // perhaps as the first to learn that this one is over
      endedBy = e;
      throw e;
    }
  }

  private void ask(SQLException failure) {
    if (begun != null || endedBy != null) {
      return;
    }
    try {
      if (question.isOver(connection)) {
        endedBy = failure;
      }
    } catch (SQLException e) {
      failure.addSuppressed(e);
      endedBy = failure;
    }
  }
}
