package org.apache.shardingsphere.driver;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;

/** A connection whose class has a name as that of ShardingSphere's. */
public final class RoutedConnection {
  private RoutedConnection() {}

  /** Makes the class of a proxy one of this package, as no other can see it. */
  private interface Routed {}

  /** The connection under that name. */
  public static Connection of(Connection connection) {
    return (Connection)
        Proxy.newProxyInstance(
            Routed.class.getClassLoader(),
            new Class<?>[] {Connection.class, Routed.class},
            (proxy, method, arguments) -> {
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
