package io.angarium.jdbc.internal.sql;

import java.lang.ref.WeakReference;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Finds the driver's own connection under the wrappers of pools and frameworks. */
public final class PhysicalConnection {
  /** What the connections of the drivers are. */
  private static final List<String> OF_DRIVERS =
      List.of(
          "org.postgresql.PGConnection",
          "com.mysql.cj.jdbc.JdbcConnection",
          "org.mariadb.jdbc.Connection",
          "org.mariadb.jdbc.MariaDbConnection",
          "com.mysql.jdbc.Connection",
          "org.h2.jdbc.JdbcConnection");

  /** By the class of what is handed out: it goes when an application with its driver goes. */
  private static final ClassValue<List<WeakReference<Class<?>>>> DRIVERS =
      new ClassValue<>() {
        @Override
        protected List<WeakReference<Class<?>>> computeValue(Class<?> connection) {
          return seenBy(connection);
        }
      };

  private PhysicalConnection() {}

  /**
   * The driver's connection, the same one however often a pool hands it out. If no known driver is
   * behind it, the given connection, without our own observers. Takes no round trip.
   */
  public static Object of(Connection given) {
    Connection connection = ShownConnection.behind(given); // to unwrap is to leave the observers
    for (WeakReference<Class<?>> loaded : DRIVERS.get(connection.getClass())) {
      Class<?> driver = loaded.get();
      if (driver != null && wraps(connection, driver)) {
        return unwrapped(connection, driver);
      }
    }
    return connection;
  }

  /** An application may bring a driver that this class does not see, or sees as another one. */
  private static List<WeakReference<Class<?>>> seenBy(Class<?> connection) {
    Set<Class<?>> found = new LinkedHashSet<>();
    for (String name : OF_DRIVERS) {
      for (ClassLoader loader :
          new ClassLoader[] {
            connection.getClassLoader(),
            PhysicalConnection.class.getClassLoader(),
            Thread.currentThread().getContextClassLoader()
          }) {
        try {
          found.add(Class.forName(name, false, loader));
        } catch (ClassNotFoundException e) {
          // the driver is not there, or another loader sees it
        }
      }
    }
    return found.stream().<WeakReference<Class<?>>>map(WeakReference::new).toList();
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
