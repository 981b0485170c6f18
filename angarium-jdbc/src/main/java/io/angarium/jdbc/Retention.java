package io.angarium.jdbc;

import io.angarium.TimeSource;
import io.angarium.internal.DurationText;
import io.angarium.jdbc.internal.board.JdbcNodeBoard;
import io.angarium.jdbc.internal.desk.JdbcMessageBrowser;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.half.HalfDialect;
import io.angarium.jdbc.internal.half.HalfTrim;
import io.angarium.jdbc.internal.operation.JdbcOperations;
import io.angarium.jdbc.internal.retention.OldRows;
import io.angarium.jdbc.internal.retention.OldRowsDialect;
import io.angarium.jdbc.internal.schema.PreparedFeatures;
import io.angarium.jdbc.internal.session.OpenDatabase;
import io.angarium.jdbc.internal.session.Session;
import io.angarium.jdbc.internal.sql.SessionRole;
import io.angarium.jdbc.settings.SchemaFeature;
import io.angarium.store.internal.RefusedRows;
import java.time.Duration;
import java.util.Optional;

/**
 * Cuts what grows: the history of sent messages, where one is kept, the business keys that may be
 * sent once, the markers of local transactions, outcomes of half messages, what persons discarded,
 * what nodes told of themselves, and operations that have ended. {@link RetentionRounds} call it;
 * or call it from a scheduler of the application, on any node. Each call deletes in transactions of
 * at most {@value #ROWS_PER_TRANSACTION} rows, takes a connection for itself, blocks, and throws
 * {@link io.angarium.StoreException} if the database cannot be reached. Thread-safe.
 */
public final class Retention {
  /** The most rows deleted at once. */
  public static final int ROWS_PER_TRANSACTION = 10_000;

  /**
   * How long markers should be kept where only RocketMQ asks: it does for a quarter of an hour, but
   * brokers that were away ask again, and a half message that was parked can be brought back for
   * three days. Half messages of our own are asked for without end while their producer is away.
   */
  public static final Duration MARKERS_KEPT = Duration.ofDays(7);

  /** How long the outcomes of half messages should be kept. */
  public static final Duration HALF_MESSAGES_KEPT = Duration.ofDays(7);

  /** The least time for which the outcomes of half messages are kept. */
  public static final Duration HALF_MESSAGES_KEPT_MIN = Duration.ofDays(1);

  /** The least time for which markers are kept. */
  public static final Duration MARKERS_KEPT_MIN = Duration.ofDays(3);

  /** How long discarded messages should be kept. */
  public static final Duration DISCARDED_KEPT = Duration.ofDays(7);

  /** The least time for which discarded messages are kept. */
  public static final Duration DISCARDED_KEPT_MIN = Duration.ofDays(1);

  /** A refused row that did not come again for so long is gone. */
  private static final Duration REFUSED_KEPT = Duration.ofHours(25);

  private final OpenDatabase database;
  private final Dialect dialect;
  private final TimeSource time;
  private final PreparedFeatures features;
  private final OldRows sent;
  private final OldRows businessKeys;
  private final OldRows markers;
  private final OldRows discarded;
  private final RefusedRows<Long> refusedHalves;
  private volatile Runnable progress = () -> {};

  Retention(OpenDatabase database, PreparedFeatures features) {
    this.database = database;
    this.dialect = database.dialect();
    this.time = database.time();
    this.features = features;
    this.sent =
        old(
            "cutting the history",
            "history of a sent message, at",
            OldRowsDialect.Kind.SENT,
            (connection, age) ->
                dialect.outbox().trimSent(age, ROWS_PER_TRANSACTION).run(connection));
    this.businessKeys =
        old(
            "forgetting business keys",
            "business key",
            OldRowsDialect.Kind.BUSINESS_KEYS,
            (connection, age) ->
                dialect.sending().trimDedup(connection, age, ROWS_PER_TRANSACTION));
    this.markers =
        old(
            "forgetting markers",
            "marker",
            OldRowsDialect.Kind.MARKERS,
            (connection, age) ->
                dialect.markers().trimMarkers(connection, age, ROWS_PER_TRANSACTION));
    OldRowsDialect single = new OldRowsDialect(dialect, OldRowsDialect.Kind.DISCARDED);
    this.discarded =
        old(
            "forgetting discarded messages",
            "discarded message, at",
            OldRowsDialect.Kind.DISCARDED,
            single::deleteOldest);
    this.refusedHalves =
        new RefusedRows<>(
            "delete the old half message with id", "It is kept.", REFUSED_KEPT, database.time());
  }

  private OldRows old(String what, String row, OldRowsDialect.Kind kind, OldRows.Batch batch) {
    OldRowsDialect each = new OldRowsDialect(dialect, kind);
    return new OldRows(what, row, batch, each, REFUSED_KEPT, time);
  }

  /** Sets what runs before each part of the work, so that a long one is told from a stuck one. */
  void onProgress(Runnable each) {
    progress = each;
  }

  /** What the database refuses for good to delete, for a health check; empty if nothing. */
  Optional<String> fault() {
    return sent.fault()
        .or(businessKeys::fault)
        .or(markers::fault)
        .or(discarded::fault)
        .or(refusedHalves::fault);
  }

  /** Tells whether a feature has tables, so that there is anything to cut. */
  boolean has(SchemaFeature feature) {
    return features.has(feature);
  }

  /**
   * Deletes the history of messages sent longer ago than {@code age}, by the database's clock. On
   * PostgreSQL partitions made by an operator are left alone: drop them instead, which is cheaper.
   *
   * @param age not negative
   * @return how many messages were deleted
   */
  public long deleteSent(Duration age) {
    return deleteAll(sent, age);
  }

  /**
   * Forgets business keys that were sent longer ago than {@code age}, by the database's clock; they
   * can be sent once more.
   *
   * @param age not negative
   * @return how many keys were forgotten
   */
  public long forgetBusinessKeys(Duration age) {
    return deleteAll(businessKeys, age);
  }

  /**
   * Deletes markers of local transactions that ended longer ago than {@code age}, by the database's
   * clock. A half message that is asked for after that is rolled back, whatever its transaction
   * did. So keep them for longer than a producer is ever away and a message waits for a person.
   *
   * @param age at least {@link #MARKERS_KEPT_MIN}
   * @return how many markers were deleted
   * @throws IllegalArgumentException if it is less
   * @throws io.angarium.ConfigurationException if their tables are missing
   */
  public long forgetMarkers(Duration age) {
    requireLeast(age, MARKERS_KEPT_MIN);
    features.require(SchemaFeature.MARKER);
    return deleteAll(markers, age);
  }

  /**
   * Forgets half messages that were committed or rolled back longer ago than {@code age}, by the
   * database's clock, and decisions whose message never came. A call for one of them that is
   * repeated later is one for an unknown key: its prepare would store the message once more. Those
   * that are not decided stay.
   *
   * @param age at least {@link #HALF_MESSAGES_KEPT_MIN}
   * @return how many were forgotten
   * @throws IllegalArgumentException if it is less
   * @throws io.angarium.ConfigurationException if their tables are missing
   */
  public long forgetHalfMessages(Duration age) {
    requireLeast(age, HALF_MESSAGES_KEPT_MIN);
    features.require(SchemaFeature.HALF);
    HalfDialect half = new HalfDialect(dialect);
    try (Session session = database.session(SessionRole.WRITE)) {
      HalfTrim trim = new HalfTrim(half, age, refusedHalves);
      while (trim.page(session)) {
        progress.run(); // some hundred at a time
      }
      return trim.forgotten();
    }
  }

  /**
   * Deletes messages that persons discarded longer ago than {@code age}, by the database's clock.
   * They cannot be restored any more; who discarded them and why stays in the audit.
   *
   * @param age at least {@link #DISCARDED_KEPT_MIN}
   * @return how many were deleted
   * @throws IllegalArgumentException if it is less
   * @throws io.angarium.ConfigurationException if their table is missing
   */
  public long forgetDiscarded(Duration age) {
    requireLeast(age, DISCARDED_KEPT_MIN);
    features.require(SchemaFeature.CONSOLE);
    return deleteAll(discarded, age);
  }

  private static void requireLeast(Duration age, Duration least) {
    if (age.compareTo(least) < 0) {
      throw new IllegalArgumentException(
          "age: " + DurationText.of(age) + " (expected: at least " + DurationText.of(least) + ")");
    }
  }

  /**
   * Forgets minutes of destinations that began longer ago than {@code age}, by the database's
   * clock.
   *
   * @param age not negative
   * @return how many rows were deleted
   * @throws io.angarium.ConfigurationException if their tables are missing
   */
  public long forgetMinutes(Duration age) {
    return board().forgetMinutes(notNegative(age), progress);
  }

  /**
   * Forgets what nodes told of themselves last, longer ago than {@code age}, by the database's
   * clock.
   *
   * @param age not negative
   * @return how many rows were deleted
   * @throws io.angarium.ConfigurationException if their tables are missing
   */
  public long forgetStatuses(Duration age) {
    return board().forgetStatuses(notNegative(age));
  }

  /**
   * Forgets operations that ended longer ago than {@code age}, by the database's clock.
   *
   * @param age not negative
   * @return how many were forgotten
   * @throws io.angarium.ConfigurationException if their tables are missing
   */
  public long forgetOperations(Duration age) {
    features.require(SchemaFeature.CONSOLE);
    JdbcMessageBrowser messages = new JdbcMessageBrowser(database, features::has);
    return new JdbcOperations(database, messages).forget(notNegative(age), progress);
  }

  private JdbcNodeBoard board() {
    features.require(SchemaFeature.BOARD);
    return new JdbcNodeBoard(database);
  }

  /**
   * Goes on until a batch finds nothing: one that is not full may have met another node at the same
   * work. What comes of age meanwhile is left to the next call, so that this one ends.
   */
  private long deleteAll(OldRows old, Duration age) {
    notNegative(age);
    long startNanos = time.nanoTime();
    long deleted = 0;
    try (Session session = database.session(SessionRole.WRITE)) {
      OldRows.Some some;
      do {
        progress.run();
        Duration least = age.plusNanos(time.nanoTime() - startNanos);
        some = old.deleteSome(session, least);
        deleted += some.deleted();
      } while (some.more());
    }
    return deleted;
  }

  private static Duration notNegative(Duration age) {
    if (age.isNegative()) {
      throw new IllegalArgumentException(
          "age: " + DurationText.of(age) + " (expected: not negative)");
    }
    return age;
  }
}
