package io.angarium.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A connection that tells of every statement, commit and savepoint on its way to the database. */
final class Counted {
  private Counted() {}

  static Connection of(Connection connection, Consumer<String> executed) {
    return proxy(
        Connection.class,
        (proxy, method, arguments) -> {
          Object result = invoke(method, connection, arguments);
          switch (method.getName()) {
            case "commit" -> executed.accept("COMMIT");
            case "setSavepoint" -> executed.accept("SAVEPOINT");
            case "releaseSavepoint" -> executed.accept("RELEASE SAVEPOINT");
            case "rollback" ->
                executed.accept(arguments == null ? "ROLLBACK" : "ROLLBACK TO SAVEPOINT");
            default -> {}
          }
          if (result instanceof PreparedStatement prepared && arguments != null) {
            return statement(PreparedStatement.class, prepared, (String) arguments[0], executed);
          }
          return result instanceof Statement plain
              ? statement(Statement.class, plain, "", executed)
              : result;
        });
  }

  private static <T extends Statement> T statement(
      Class<T> type, T statement, String prepared, Consumer<String> executed) {
    return proxy(
        type,
        (proxy, method, arguments) -> {
          if (method.getName().startsWith("execute")) {
            executed.accept(unplaced(arguments == null ? prepared : (String) arguments[0]));
          }
          return invoke(method, statement, arguments);
        });
  }

  /** Without the schema of our tables. */
  private static String unplaced(String sql) {
    return sql.replaceAll("([\"`])[^\"`]+\\1\\.(?=outbox|inbox)", "");
  }

  static @Nullable Object invoke(Method method, Object target, Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(Counted.class.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
