package io.angarium.jdbc.internal.session;

import io.angarium.ConfigurationException;
import io.angarium.jdbc.internal.dialect.SessionSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where sessions take their connections: knows how many are kept for good, and whether the pool has
 * as many, and whether connections keep their settings. Thread-safe.
 */
public final class SessionPool {
  private static final Logger LOG = LoggerFactory.getLogger(SessionPool.class);

  /** Besides those that are kept: for whatever borrows one for a moment, and the application. */
  private static final int SPARE = 1;

  private final DataSource dataSource;
  private final SessionSql sql;
  private final Map<String, Integer> kept = new LinkedHashMap<>();
  private boolean warned;
  private final Object proof = new Object();
  private volatile boolean proven;
  private @Nullable String fault;

  SessionPool(DataSource dataSource, SessionSql sql) {
    this.dataSource = dataSource;
    this.sql = sql;
  }

  public DataSource dataSource() {
    return dataSource;
  }

  /** Connections that are kept from the first use until the close. */
  public final class Kept implements AutoCloseable {
    private final String purpose;
    private int connections;

    private Kept(String purpose, int connections) {
      this.purpose = purpose;
      this.connections = connections;
    }

    /** Says that they are not needed any more. May be called twice. */
    @Override
    public void close() {
      synchronized (SessionPool.this) {
        kept.merge(purpose, -connections, Integer::sum);
        connections = 0;
      }
    }
  }

  /**
   * Notes that connections will be kept. Takes none yet.
   *
   * @param purpose as error messages name it
   * @throws ConfigurationException if the pool has fewer than are needed in all, or refuses
   *     statements
   */
  public synchronized Kept keep(String purpose, int connections) {
    DruidWall.requireOpen(dataSource);
    kept.merge(purpose, connections, Integer::sum);
    Kept noted = new Kept(purpose, connections);
    OptionalInt size = PoolSize.of(dataSource);
    int needed = kept.values().stream().mapToInt(Integer::intValue).sum() + SPARE;
    if (size.isEmpty()) {
      warnOnce(needed);
    } else if (size.getAsInt() < needed) {
      String parts = parts();
      noted.close();
      throw new ConfigurationException(
          List.of(
              "connections: a pool of %d (expected: at least %d, as %s, and %d is borrowed for moments; and"
                      .formatted(size.getAsInt(), needed, parts, SPARE)
                  + " what the application uses itself); raise the pool's maximum size, or give"
                  + " the relay a data source of its own (angarium.jdbc.relay-data-source; in"
                  + " Java: JdbcDatabase.relayingFrom)"));
    }
    return noted;
  }

  private String parts() {
    return kept.entrySet().stream()
        .filter(part -> part.getValue() > 0)
        .map(part -> part.getKey() + " keeps " + part.getValue())
        .collect(Collectors.joining(", "));
  }

  private void warnOnce(int needed) {
    if (!warned) {
      warned = true;
      LOG.warn(
          "The maximum size of the pool {} cannot be told: make sure that it has at least {}"
              + " connections, and those that the application uses itself",
          dataSource.getClass().getName(),
          needed);
    }
  }

  /**
   * Makes sure that a connection is the same session in its next transaction; asks once for all.
   *
   * @throws ConfigurationException if a pooler gives each transaction another one
   */
  void requireSession(Connection connection) throws SQLException {
    if (proven) {
      return;
    }
    synchronized (proof) {
      if (!proven && fault == null) {
        fault = sql.sessionFault(connection, dataSource);
        proven = fault == null;
      }
      if (fault != null) {
        throw new ConfigurationException(List.of(fault));
      }
    }
  }
}
