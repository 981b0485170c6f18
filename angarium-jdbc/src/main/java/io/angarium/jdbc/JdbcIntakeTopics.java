package io.angarium.jdbc;

import io.angarium.StoreException;
import io.angarium.half.intake.IntakeTopic;
import io.angarium.half.intake.IntakeTopics;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.half.IntakeTopicDialect;
import io.angarium.jdbc.internal.half.IntakeTopicDialect.Change;
import io.angarium.jdbc.internal.session.OpenDatabase;
import io.angarium.jdbc.internal.session.Session;
import io.angarium.jdbc.internal.sql.SessionRole;
import io.angarium.jdbc.internal.sql.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The registry of topics in the table {@code outbox_intake_topic}. Somebody may write the table
 * manually as well. Takes a connection for each call. Thread-safe.
 */
public final class JdbcIntakeTopics implements IntakeTopics {
  /** The most topics of a page. */
  public static final int PAGE_MAX = 1_000;

  private static final String UNIQUE_VIOLATION = "23";

  private final OpenDatabase database;
  private final Dialect server;
  private final IntakeTopicDialect dialect;

  JdbcIntakeTopics(OpenDatabase database) {
    this.database = database;
    this.server = database.dialect();
    this.dialect = new IntakeTopicDialect(server);
  }

  @Override
  public List<IntakeTopic> all() {
    try (Session session = session()) {
      return rows(session, dialect.oldest(TOPICS_MAX + 1));
    }
  }

  /**
   * Some of those that are registered, in the order of their names. Blocks.
   *
   * @param after a name, which need not be registered; null for the first page
   * @param limit the most of a page, 1..{@link #PAGE_MAX}
   * @throws StoreException if the database cannot be reached or refuses
   */
  public List<IntakeTopic> page(@Nullable String after, int limit) {
    if (limit < 1 || limit > PAGE_MAX) {
      throw new IllegalArgumentException("limit: " + limit + " (expected: 1.." + PAGE_MAX + ")");
    }
    try (Session session = session()) {
      return page(session, after, limit);
    }
  }

  private List<IntakeTopic> page(Session session, @Nullable String after, int limit) {
    return rows(session, after == null ? dialect.first(limit) : dialect.after(after, limit));
  }

  private List<IntakeTopic> rows(Session session, Sql read) {
    return session.call(
        "reading the registry of topics", connection -> read.query(connection, this::topic));
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
    return change(topic.topic(), topic.onlyMarked(), topic.enabled(), topic.registeredBy())
        .isPresent();
  }

  /**
   * Registers a topic, or changes some of what is registered of it; what others say of the rest at
   * the same time counts as well. Blocks. Repeats do no harm.
   *
   * @param onlyMarked whether only marked records count; null for as it is, all of a new topic
   * @param enabled whether it is read; null for as it is, yes for a new topic
   * @param registeredBy who does it; null if nobody says
   * @return as it is registered now; empty if it is not, as there are {@link #TOPICS_MAX} already
   * @throws IllegalArgumentException as {@link #register}
   * @throws StoreException if the database cannot be reached or refuses
   */
  public Optional<IntakeTopic> change(
      String topic,
      @Nullable Boolean onlyMarked,
      @Nullable Boolean enabled,
      @Nullable String registeredBy) {
    require(topic, registeredBy);
    Change change = new Change(topic, onlyMarked, enabled, registeredBy);
    try (Session session = session()) {
      // each statement commits by itself: a transaction would keep the lock of an insert that came
      // second, and two of those wait for each other on MySQL and MariaDB
      return session.call("registering topic " + topic, connection -> write(connection, change));
    }
  }

  private Optional<IntakeTopic> write(Connection connection, Change change) throws SQLException {
    if (dialect.change(change).update(connection) == 0
        && (isFull(connection) || !add(connection, change))) {
      return Optional.empty();
    }
    List<IntakeTopic> found = dialect.find(change.topic()).query(connection, this::topic);
    return found.isEmpty() ? Optional.of(removedAgain(change)) : Optional.of(found.get(0));
  }

  private static IntakeTopic removedAgain(Change change) {
    return new IntakeTopic(
        change.topic(), change.newOnlyMarked(), change.newEnabled(), change.by(), null);
  }

  private boolean isFull(Connection connection) throws SQLException {
    return dialect.count(TOPICS_MAX).query(connection, row -> row.getInt(1)).get(0) >= TOPICS_MAX;
  }

  private static void require(String topic, @Nullable String by) {
    if (!IntakeTopic.isName(topic)) {
      throw new IllegalArgumentException(
          "topic: '%s' (expected: 1..249 of a-z A-Z 0-9 . _ -, and not Kafka's own)"
              .formatted(topic));
    }
    if (by != null && (by.isBlank() || by.length() > IntakeTopic.REGISTERED_BY_MAX)) {
      throw new IllegalArgumentException(
          "registeredBy: '%s' (expected: 1..%d characters, or none)"
              .formatted(by, IntakeTopic.REGISTERED_BY_MAX));
    }
  }

  private boolean add(Connection connection, Change change) throws SQLException {
    try {
      return dialect.add(change).update(connection) == 1;
    } catch (SQLException e) {
      if (String.valueOf(e.getSQLState()).startsWith(UNIQUE_VIOLATION)) {
        int unused = dialect.change(change).update(connection); // another caller was first
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
    return database.session(SessionRole.WRITE);
  }
}
