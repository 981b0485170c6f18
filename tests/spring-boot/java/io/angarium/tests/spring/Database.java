package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.testservers.DatabaseServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** An empty database of its own. */
record Database(String url, String user, String password) {
  static Database h2() {
    return new Database("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
  }

  static Database postgres() {
    return on(SharedServers.postgres());
  }

  static Database mariaDb() {
    return on(SharedServers.mariaDb());
  }

  static Database mySql() {
    return on(SharedServers.mySql());
  }

  private static Database on(DatabaseServer server) {
    TestDatabase fresh = server.freshDatabase();
    return new Database(fresh.url(), fresh.user(), fresh.password());
  }

  Database withOrders() {
    jdbc().execute("CREATE TABLE orders (id BIGINT PRIMARY KEY, state VARCHAR(20) NOT NULL)");
    return this;
  }

  /** Outside the application's pool and transactions. */
  JdbcTemplate jdbc() {
    return new JdbcTemplate(url.startsWith("jdbc:postgresql:") ? kept() : dataSource());
  }

  private DataSource kept() {
    TestDatabase database = new TestDatabase(Server.POSTGRESQL, "", url, user, password);
    return new AbstractDataSource() {
      @Override
      public Connection getConnection() throws SQLException {
        return database.connectAgain();
      }

      @Override
      public Connection getConnection(String otherUser, String otherPassword) throws SQLException {
        throw new SQLFeatureNotSupportedException();
      }
    };
  }

  DataSource dataSource() {
    return new DriverManagerDataSource(url, user, password);
  }

  List<Long> orders() {
    return jdbc().queryForList("SELECT id FROM orders ORDER BY id", Long.class);
  }

  /** Waits until everything is sent. */
  void awaitSent() {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (unsent() > 0) {
      assertThat(System.nanoTime()).as("sent in time").isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }

  long unsent() {
    Long rows = jdbc().queryForObject("SELECT COUNT(*) FROM outbox", Long.class);
    return rows == null ? 0 : rows;
  }
}
