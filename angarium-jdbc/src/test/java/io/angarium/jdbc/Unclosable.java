package io.angarium.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;

/** A connection as a pool hands it out: closing it gives it back as it is. */
final class Unclosable {
  private Unclosable() {}

  static Connection of(Connection connection) {
    return (Connection)
        Proxy.newProxyInstance(
            Unclosable.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("close")) {
                return null;
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
