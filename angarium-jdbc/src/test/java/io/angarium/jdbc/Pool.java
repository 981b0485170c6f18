package io.angarium.jdbc;

import com.alibaba.druid.pool.DruidDataSource;
import com.alibaba.druid.wall.WallConfig;
import com.alibaba.druid.wall.WallFilter;
import com.mchange.v2.c3p0.ComboPooledDataSource;
import com.zaxxer.hikari.HikariDataSource;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.security.NamePrincipal;
import io.agroal.api.security.SimplePassword;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.IntSupplier;
import javax.sql.DataSource;
import org.apache.commons.dbcp2.BasicDataSource;

/** The pools that applications have, with the settings they come with. */
enum Pool {
  HIKARI {
    @Override
    Opened open(String url, String user, String password, int size) {
      HikariDataSource pool = new HikariDataSource();
      pool.setJdbcUrl(url);
      pool.setUsername(user);
      pool.setPassword(password);
      pool.setMaximumPoolSize(size);
      pool.setMinimumIdle(0);
      return new Opened(pool, () -> pool.getHikariPoolMXBean().getActiveConnections(), pool::close);
    }
  },
  DRUID {
    @Override
    Opened open(String url, String user, String password, int size) throws SQLException {
      return opened(druid(url, user, password, size));
    }
  },
  /** As many applications of Spring Boot have it, with the settings that our statements need. */
  DRUID_WITH_WALL {
    @Override
    Opened open(String url, String user, String password, int size) throws SQLException {
      WallConfig config = new WallConfig();
      config.setStrictSyntaxCheck(false);
      config.setNoneBaseStatementAllow(true);
      config.setLimitZeroAllow(true);
      WallFilter wall = new WallFilter();
      wall.setConfig(config);
      DruidDataSource pool = druid(url, user, password, size);
      pool.setProxyFilters(List.of(wall));
      return opened(pool);
    }
  },
  DBCP {
    @Override
    Opened open(String url, String user, String password, int size) {
      BasicDataSource pool = new BasicDataSource();
      pool.setUrl(url);
      pool.setUsername(user);
      pool.setPassword(password);
      pool.setMaxTotal(size);
      return new Opened(pool, pool::getNumActive, pool::close);
    }
  },
  C3P0 {
    @Override
    Opened open(String url, String user, String password, int size) {
      ComboPooledDataSource pool = new ComboPooledDataSource();
      pool.setJdbcUrl(url);
      pool.setUser(user);
      pool.setPassword(password);
      pool.setMinPoolSize(1);
      pool.setInitialPoolSize(1);
      pool.setMaxPoolSize(size);
      return new Opened(pool, () -> unchecked(pool::getNumBusyConnections), pool::close);
    }
  },
  AGROAL {
    @Override
    Opened open(String url, String user, String password, int size) throws SQLException {
      AgroalDataSourceConfigurationSupplier configuration =
          new AgroalDataSourceConfigurationSupplier()
              .connectionPoolConfiguration(
                  pool ->
                      pool.maxSize(size)
                          .acquisitionTimeout(Duration.ofSeconds(10))
                          .connectionFactoryConfiguration(
                              factory ->
                                  factory
                                      .jdbcUrl(url)
                                      .principal(new NamePrincipal(user))
                                      .credential(new SimplePassword(password))));
      AgroalDataSource pool = AgroalDataSource.from(configuration);
      return new Opened(pool, () -> (int) pool.getMetrics().activeCount(), pool::close);
    }
  };

  /** Opens one on a database. */
  abstract Opened open(String url, String user, String password, int size) throws SQLException;

  /** Druid with its statistics, which Spring Boot's starter for it switches on. */
  static DruidDataSource druid(String url, String user, String password, int size)
      throws SQLException {
    DruidDataSource pool = new DruidDataSource();
    pool.setUrl(url);
    pool.setUsername(user);
    pool.setPassword(password);
    pool.setMaxActive(size);
    pool.setMaxWait(10_000);
    pool.setTestWhileIdle(false);
    pool.setFilters("stat");
    return pool;
  }

  private static Opened opened(DruidDataSource pool) {
    return new Opened(pool, pool::getActiveCount, pool::close);
  }

  /** How it is closed. */
  @FunctionalInterface
  interface Closing {
    void close() throws SQLException;
  }

  @FunctionalInterface
  private interface Counter {
    int count() throws SQLException;
  }

  private static int unchecked(Counter counter) {
    try {
      return counter.count();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * A pool that is open.
   *
   * @param lent how many connections are out
   */
  record Opened(DataSource dataSource, IntSupplier lent, Closing closing) implements AutoCloseable {
    @Override
    public void close() throws SQLException {
      closing.close();
    }
  }
}
