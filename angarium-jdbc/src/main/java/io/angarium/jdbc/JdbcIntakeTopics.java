package io.angarium.jdbc;

import io.angarium.half.IntakeTopic;
import io.angarium.half.IntakeTopics;
import io.angarium.store.StoreException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The registry of topics in the table {@code outbox_intake_topic}, which may as well be written by
 * hand. Takes a connection for each call. Thread-safe.
 */
public final class JdbcIntakeTopics implements IntakeTopics {
  private static final String UNIQUE_VIOLATION = "23";

  private final DataSource dataSource;
  private final Dialect server;
  private final JdbcConfig config;
  private final IntakeTopicDialect dialect;

  JdbcIntakeTopics(DataSource dataSource, Dialect server, JdbcConfig config) {
    this.dataSource = dataSource;
    this.server = server;
    this.config = config;
    this.dialect = new IntakeTopicDialect(server);
  }

  @Override
  public List<IntakeTopic> all() {
    List<IntakeTopic> all;
    try (Session session = session()) {
      all = session.call("reading the registry of topics", this::all);
    }
    if (all.size() > TOPICS_MAX) {
      throw new StoreException(
          "%s: more than %d rows (expected: at most that); delete some"
              .formatted(server.names().in("outbox_intake_topic"), TOPICS_MAX),
          null);
    }
    return all;
  }

  private List<IntakeTopic> all(Connection connection) throws SQLException {
    return dialect.all(TOPICS_MAX + 1).query(connection, this::topic);
  }

  private IntakeTopic topic(ResultSet row) throws SQLException {
    return new IntakeTopic(
        row.getString(1),
        row.getBoolean(2),
        row.getBoolean(3),
        row.getString(4),
        server.instant(row, 5));
  }

  /**
   * Registers a topic, or changes what is registered of it. Blocks. Repeats do no harm.
   *
   * @param topic its time is left alone, that of the database counts
   * @return false if nothing was registered, as there are {@link #TOPICS_MAX} already
   * @throws IllegalArgumentException if its name can be none, see {@link IntakeTopic#isName}, or
   *     who registers it has no characters or more than 128
   * @throws StoreException if the database cannot be reached or refuses
   */
  public boolean register(IntakeTopic topic) {
    require(topic);
    try (Session session = session()) {
      // each statement commits by itself: a transaction would keep the lock of an insert that came
      // second, and two of those wait for each other on MySQL and MariaDB
      return session.call(
          "registering topic " + topic.topic(),
          connection ->
              dialect.change(topic).update(connection) == 1
                  || (all(connection).size() < TOPICS_MAX && add(connection, topic)));
    }
  }

  private static void require(IntakeTopic topic) {
    @Nullable String by = topic.registeredBy();
    if (!IntakeTopic.isName(topic.topic())) {
      throw new IllegalArgumentException(
          "topic: '%s' (expected: 1..249 of a-z A-Z 0-9 . _ -, and not Kafka's own)"
              .formatted(topic.topic()));
    }
    if (by != null && (by.isBlank() || by.length() > IntakeTopic.REGISTERED_BY_MAX)) {
      throw new IllegalArgumentException(
          "registeredBy: '%s' (expected: 1..%d characters, or none)"
              .formatted(by, IntakeTopic.REGISTERED_BY_MAX));
    }
  }

  private boolean add(Connection connection, IntakeTopic topic) throws SQLException {
    try {
      return dialect.add(topic).update(connection) == 1;
    } catch (SQLException e) {
      if (String.valueOf(e.getSQLState()).startsWith(UNIQUE_VIOLATION)) {
        int unused = dialect.change(topic).update(connection); // another caller was first
        return true;
      }
      throw e;
    }
  }

  /**
   * Removes a topic. Blocks. Repeats do no harm.
   *
   * @return false if it was not registered
   * @throws StoreException if the database cannot be reached or refuses
   */
  public boolean remove(String topic) {
    try (Session session = session()) {
      return session.call(
          "removing topic " + topic + " from the registry",
          connection -> dialect.remove(topic).update(connection) == 1);
    }
  }

  private Session session() {
    return Session.brief(dataSource, server, Session.Role.WRITE, config);
  }
}
