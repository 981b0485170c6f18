package io.angarium.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import javax.sql.DataSource;

/** Connections that cannot be unwrapped. */
final class Hidden {
  private Hidden() {}

  static DataSource of(DataSource source) {
    return new ConnectionSource(() -> hidden(source.getConnection()));
  }

  private static Connection hidden(Connection connection) {
    return (Connection)
        Proxy.newProxyInstance(
            Hidden.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("isWrapperFor")) {
                return false;
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
