package io.angarium.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Finds the driver's own connection under the wrappers of pools and frameworks. */
final class PhysicalConnection {
  /** What the connections of the drivers are. */
  private static final List<String> OF_DRIVERS =
      List.of(
          "org.postgresql.PGConnection",
          "com.mysql.cj.jdbc.JdbcConnection",
          "org.mariadb.jdbc.Connection",
          "org.mariadb.jdbc.MariaDbConnection",
          "com.mysql.jdbc.Connection",
          "org.h2.jdbc.JdbcConnection");

  private static final Map<String, Optional<Class<?>>> LOADED = new ConcurrentHashMap<>();

  private PhysicalConnection() {}

  /**
   * The driver's connection, the same one however often a pool hands it out. If no known driver is
   * behind it, the given connection, without our own observers. Takes no round trip.
   */
  static Object of(Connection given) {
    Connection connection = ShownConnection.behind(given); // to unwrap is to leave the observers
    for (String name : OF_DRIVERS) {
      Class<?> driver =
          LOADED.computeIfAbsent(name, n -> load(n, connection.getClass())).orElse(null);
      if (driver != null && wraps(connection, driver)) {
        return unwrapped(connection, driver);
      }
    }
    return connection;
  }

  private static Optional<Class<?>> load(String name, Class<?> seesDriver) {
    for (ClassLoader loader :
        new ClassLoader[] {
          PhysicalConnection.class.getClassLoader(),
          seesDriver.getClassLoader(),
          Thread.currentThread().getContextClassLoader()
        }) {
      try {
        return Optional.of(Class.forName(name, false, loader));
      } catch (ClassNotFoundException e) {
        // the driver is not there, or another loader sees it
      }
    }
    return Optional.empty();
  }

  // wrappers that know nothing of it answer in many ways
  private static boolean wraps(Connection connection, Class<?> driver) {
    try {
      return connection.isWrapperFor(driver);
    } catch (SQLException | RuntimeException | AbstractMethodError e) {
      return false;
    }
  }

  private static Object unwrapped(Connection connection, Class<?> driver) {
    try {
      return connection.unwrap(driver);
    } catch (SQLException | RuntimeException e) {
      return connection;
    }
  }
}
