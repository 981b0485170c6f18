package io.angarium.jdbc.internal.session;

import java.lang.reflect.Method;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The maximum size of well-known pools, asked of themselves without needing their classes. */
public final class PoolSize {
  /**
   * A kind of pool.
   *
   * @param type its class
   * @param getters called one on the result of the other
   */
  private record Kind(String type, List<String> getters) {
    Kind(String type, String... getters) {
      this(type, List.of(getters));
    }
  }

  private static final List<Kind> KINDS =
      List.of(
          new Kind("com.zaxxer.hikari.HikariDataSource", "getMaximumPoolSize"),
          new Kind("com.alibaba.druid.pool.DruidAbstractDataSource", "getMaxActive"),
          new Kind("org.apache.tomcat.jdbc.pool.DataSourceProxy", "getMaxActive"),
          new Kind("org.apache.commons.dbcp2.BasicDataSource", "getMaxTotal"),
          new Kind("com.mchange.v2.c3p0.AbstractComboPooledDataSource", "getMaxPoolSize"),
          new Kind(
              "io.agroal.api.AgroalDataSource",
              "getConfiguration",
              "connectionPoolConfiguration",
              "maxSize"),
          new Kind("oracle.ucp.jdbc.PoolDataSource", "getMaxPoolSize"),
          new Kind("org.h2.jdbcx.JdbcConnectionPool", "getMaxConnections"));

  /** They open a connection each time. */
  private static final Set<String> UNLIMITED =
      Set.of(
          "org.postgresql.ds.PGSimpleDataSource",
          "org.mariadb.jdbc.MariaDbDataSource",
          "com.mysql.cj.jdbc.MysqlDataSource",
          "org.h2.jdbcx.JdbcDataSource",
          "org.springframework.jdbc.datasource.DriverManagerDataSource",
          "org.springframework.jdbc.datasource.SimpleDriverDataSource");

  /** Wrappers in wrappers are followed so far. */
  private static final int DEPTH_MAX = 10;

  private static final Logger LOG = LoggerFactory.getLogger(PoolSize.class);

  private PoolSize() {}

  /** Empty if it cannot be told; {@link Integer#MAX_VALUE} if there is no limit. */
  public static OptionalInt of(DataSource dataSource) {
    Object inner = dataSource;
    for (int depth = 0; inner != null && depth < DEPTH_MAX; depth++) {
      OptionalInt size = ofPool(inner);
      if (size.isPresent()) {
        return size;
      }
      inner = call(inner, "getTargetDataSource"); // of Spring's wrappers
    }
    return ofWrapped(dataSource);
  }

  private static OptionalInt ofPool(Object pool) {
    for (Class<?> type = pool.getClass(); type != null; type = type.getSuperclass()) {
      if (UNLIMITED.contains(type.getName())) {
        return OptionalInt.of(Integer.MAX_VALUE);
      }
    }
    for (Kind kind : KINDS) {
      if (isA(pool.getClass(), kind.type())) {
        return ask(pool, kind);
      }
    }
    return OptionalInt.empty();
  }

  static boolean isA(@Nullable Class<?> type, String name) {
    if (type == null) {
      return false;
    }
    if (type.getName().equals(name) || isA(type.getSuperclass(), name)) {
      return true;
    }
    for (Class<?> implemented : type.getInterfaces()) {
      if (isA(implemented, name)) {
        return true;
      }
    }
    return false;
  }

  private static OptionalInt ask(Object pool, Kind kind) {
    Object told = pool;
    for (String getter : kind.getters()) {
      told = told == null ? null : call(told, getter);
    }
    return told instanceof Integer size
        ? OptionalInt.of(size > 0 ? size : Integer.MAX_VALUE)
        : OptionalInt.empty();
  }

  /** What a getter returns; null if it fails. */
  static @Nullable Object call(Object target, String getter) {
    try {
      Method method = target.getClass().getMethod(getter);
      method.setAccessible(true); // of classes that are not public
      return method.invoke(target);
    } catch (ReflectiveOperationException | RuntimeException e) {
      return null;
    }
  }

  /** A wrapper that tells nothing may still give out what it wraps. */
  private static OptionalInt ofWrapped(DataSource dataSource) {
    for (Kind kind : KINDS) {
      Object pool = unwrapped(dataSource, kind.type());
      if (pool != null) {
        return ofPool(pool);
      }
    }
    return OptionalInt.empty();
  }

  /** The pool of some type behind a data source; null if there is none. */
  static @Nullable Object find(DataSource dataSource, String type) {
    Object inner = dataSource;
    for (int depth = 0; inner != null && depth < DEPTH_MAX; depth++) {
      if (isA(inner.getClass(), type)) {
        return inner;
      }
      inner = call(inner, "getTargetDataSource");
    }
    return unwrapped(dataSource, type);
  }

  private static @Nullable Object unwrapped(DataSource dataSource, String type) {
    try {
      Class<?> pool = Class.forName(type, false, loader(dataSource));
      return dataSource.isWrapperFor(pool) ? dataSource.unwrap(pool) : null;
    } catch (ClassNotFoundException | java.sql.SQLException | RuntimeException e) {
      LOG.trace("No {} here", type, e);
      return null;
    }
  }

  private static ClassLoader loader(DataSource dataSource) {
    ClassLoader own = dataSource.getClass().getClassLoader();
    return own == null ? ClassLoader.getSystemClassLoader() : own;
  }
}
