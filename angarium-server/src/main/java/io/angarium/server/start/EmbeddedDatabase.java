package io.angarium.server.start;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;

/**
 * Opens an embedded H2 database again after it has closed itself, as it does when a write fails,
 * such as on a full disk. The connections of before stay closed, while H2 calls them valid, and the
 * last of them to be given up would take the database that was opened meanwhile out of H2's list.
 * So all of them are ended before the next one is opened. Thread-safe.
 */
public final class EmbeddedDatabase extends SimpleDriverDataSource implements SQLExceptionOverride {
  /** The URL of one. */
  public static final Pattern URL = Pattern.compile("jdbc:h2:(?!(tcp|ssl|zip):).*");

  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedDatabase.class);

  private static final String CLOSE_ON_EXIT = "DB_CLOSE_ON_EXIT";

  /** SQL states of H2 for a database that was closed, by itself or by a shutdown. */
  private static final Set<String> DATABASE_CLOSED = Set.of("90098", "90121");

  /** SQL states of H2 for a connection that was closed. */
  private static final Set<String> CONNECTION_CLOSED = Set.of("90007", "90067");

  private final List<Connection> open = new ArrayList<>();
  private final AtomicBoolean lost = new AtomicBoolean();

  private EmbeddedDatabase(Driver driver, HikariDataSource pool) {
    super(driver, pool.getJdbcUrl(), openToTheEnd(pool));
  }

  /** H2 closes a database when the process is told to end, before the server has stopped. */
  private static Properties openToTheEnd(HikariDataSource pool) {
    Properties properties = new Properties();
    properties.putAll(pool.getDataSourceProperties());
    if (!pool.getJdbcUrl().toUpperCase(Locale.ROOT).contains(CLOSE_ON_EXIT)) {
      properties.putIfAbsent(CLOSE_ON_EXIT, "FALSE");
    }
    return properties;
  }

  /** Has the pools of embedded databases take their connections from here. */
  public static final class Pools implements BeanPostProcessor {
    @java.lang.Override
    public Object postProcessAfterInitialization(Object bean, String name) {
      if (bean instanceof HikariDataSource pool
          && pool.getJdbcUrl() != null
          && URL.matcher(pool.getJdbcUrl()).matches()) {
        EmbeddedDatabase database = new EmbeddedDatabase(driver(pool.getJdbcUrl()), pool);
        pool.setDataSource(database);
        pool.setExceptionOverride(database);
      }
      return bean;
    }

    private static Driver driver(String url) {
      try {
        return DriverManager.getDriver(url);
      } catch (SQLException e) {
        throw new IllegalStateException("No driver takes " + CleanText.line(url), e);
      }
    }
  }

  @java.lang.Override
  public Override adjudicate(SQLException e) {
    String state = String.valueOf(e.getSQLState());
    if (DATABASE_CLOSED.contains(state)) {
      lost.set(true);
      return Override.MUST_EVICT;
    }
    return CONNECTION_CLOSED.contains(state) ? Override.MUST_EVICT : Override.CONTINUE_EVICT;
  }

  @java.lang.Override
  protected Connection getConnectionFromDriver(Properties properties) throws SQLException {
    synchronized (open) {
      if (lost.getAndSet(false)) {
        LOG.debug("Opening the embedded database again, which has closed itself");
        open.forEach(EmbeddedDatabase::end);
      }
      open.removeIf(EmbeddedDatabase::isClosed);
      Connection connection = super.getConnectionFromDriver(properties);
      open.add(connection);
      return connection;
    }
  }

  private static void end(Connection connection) {
    try {
      connection.close();
    } catch (SQLException | RuntimeException e) {
      LOG.debug("A connection to a closed database failed closing", e);
    }
  }

  private static boolean isClosed(Connection connection) {
    try {
      return connection.isClosed();
    } catch (SQLException | RuntimeException e) {
      return true;
    }
  }
}
