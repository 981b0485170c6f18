package io.angarium.jdbc.internal.desk;

import static java.time.ZoneOffset.UTC;

import io.angarium.desk.Overview;
import io.angarium.desk.PartitionView;
import io.angarium.jdbc.internal.dialect.ClockDialect;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.sql.Repeated;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Statements that count what is there and show who relays it. Thread-safe. */
public final class ViewDialect {
  /** Where partitions are counted together, the most rows of all of them. */
  static final int DEPTHS_MAX = 20_000;

  private static final Duration OVERDUE_AFTER = Duration.ofMinutes(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration HOUR = Duration.ofHours(1);

  private final TableNames names;
  private final ClockDialect clock;
  private final boolean mySql;

  public ViewDialect(Dialect server) {
    this.names = server.names();
    this.clock = ClockDialect.of(server);
    this.mySql = clock == ClockDialect.MYSQL;
  }

  // ---- the clock

  /** No parameters. */
  private static final String NOW =
      """
      SELECT :now
      """;

  public Sql now() {
    return Sql.of(in(NOW));
  }

  // ---- the overview

  /** The first waiting row of each partition, on PostgreSQL. */
  private static final String LOWEST =
      """
      WITH RECURSIVE lowest (partition_no, created_at) AS (
        (SELECT partition_no, created_at
        FROM outbox
        ORDER BY partition_no, id
        LIMIT 1)
        UNION ALL
        SELECT o.partition_no, o.created_at
        FROM lowest AS l
        CROSS JOIN LATERAL (
          SELECT partition_no, created_at
          FROM outbox
          WHERE partition_no > l.partition_no
          ORDER BY partition_no, id
          LIMIT 1) AS o)
      """;

  private static final String OLDEST_POSTGRES = "(SELECT MIN(created_at) FROM lowest)";

  private static final String OLDEST =
      """
      (SELECT created_at FROM outbox:in_order ORDER BY id LIMIT 1)\
      """;

  /** Whole, as MySQL walks an index to its end for a row whose other columns it does not need. */
  private static final String WAITING_MYSQL =
      """
      SELECT created_at FROM outbox:in_order WHERE id > 0 ORDER BY id LIMIT :count_max\
      """;

  private static final String WAITING =
      """
      SELECT 1 FROM outbox LIMIT :count_max\
      """;

  /** Without an index for held rows: those among some parked ones. */
  private static final String HELD_POSTGRES =
      """
      SELECT head
            FROM (
              SELECT head
              FROM outbox_parked
              ORDER BY partition_no, key_hash, head, id
              LIMIT :parked_max) AS parked
            WHERE head = FALSE
            LIMIT :count_max\
      """;

  private static final String HELD =
      """
      SELECT due_at
            FROM outbox_parked:by_due
            WHERE head = FALSE
            ORDER BY due_at
            LIMIT :count_max\
      """;

  private static final String UNCONFIRMED =
      """
      (SELECT COUNT(*) FROM (SELECT 1 FROM outbox_unconfirmed LIMIT :count_max) AS few)\
      """;

  private static final String DISCARDED =
      """
      (SELECT COUNT(*) FROM (SELECT 1 FROM outbox_discarded LIMIT :count_max) AS few)\
      """;

  private static final String SENT =
      """
      (SELECT COUNT(*)
          FROM (
            SELECT sent_at
            FROM outbox_sent:in_order
            WHERE sent_at > :earlier
            LIMIT :count_max) AS few)\
      """;

  /** Parameters: for how long due, for how long dead, two times, and sent if that is counted. */
  private static final String OVERVIEW =
      """
      SELECT
        :now,
        (SELECT COUNT(*) FROM (:waiting) AS few),
        :oldest,
        (SELECT COUNT(*) FROM (SELECT 1 FROM outbox_delayed LIMIT :count_max) AS few),
        (SELECT due_at FROM outbox_delayed:by_due ORDER BY due_at, id LIMIT 1),
        (SELECT COUNT(*)
          FROM (
            SELECT due_at
            FROM outbox_delayed:by_due
            WHERE due_at < :earlier
            ORDER BY due_at, id
            LIMIT :count_max) AS few),
        (SELECT COUNT(*)
          FROM (
            SELECT due_at
            FROM outbox_parked:by_due
            WHERE head = TRUE
            ORDER BY due_at
            LIMIT :count_max) AS few),
        (SELECT COUNT(*)
          FROM (
            :held) AS few),
        (SELECT COUNT(*) FROM (SELECT 1 FROM outbox_parked LIMIT :parked_max) AS few),
        (SELECT COUNT(*)
          FROM (
            SELECT partition_no, key_hash, attempts
            FROM outbox_parked:by_due
            WHERE head = TRUE
            ORDER BY due_at DESC
            LIMIT :stuck_max) AS few
          WHERE attempts >= :stuck_attempts
            AND EXISTS (
              SELECT 1
              FROM outbox_parked AS h
              WHERE h.partition_no = few.partition_no
                AND h.key_hash = few.key_hash
                AND h.head = FALSE)),
        (SELECT COUNT(*) FROM (SELECT 1 FROM outbox_dead LIMIT :count_max) AS few),
        (SELECT COUNT(*)
          FROM (
            SELECT dead_since
            FROM outbox_dead:by_since
            WHERE dead_since > :earlier
            ORDER BY dead_since DESC, id DESC, partition_no DESC
            LIMIT :count_max) AS few),
        (SELECT COUNT(*)
          FROM (
            SELECT dead_since
            FROM outbox_dead:by_since
            WHERE dead_since > :earlier
            ORDER BY dead_since DESC, id DESC, partition_no DESC
            LIMIT :count_max) AS few),
        (SELECT dead_since
          FROM outbox_dead:by_since
          ORDER BY dead_since DESC, id DESC, partition_no DESC
          LIMIT 1),
        :unconfirmed,
        :discarded,
        :sent
      """;

  /** Among how many parked rows held ones are counted, where they have no index. */
  static int parkedMax(int countMax) {
    return 6 * countMax;
  }

  /** What an overview counts besides what is always there, and where each count ends. */
  record Counted(
      boolean unconfirmed, boolean discarded, boolean sent, boolean sinceIndex, int countMax) {}

  /**
   * One row: now, waiting, oldest, delayed, next due, overdue, retrying, held, parked up to {@link
   * #parkedMax}, stuck, dead, dead within an hour, dead lately, latest death, unconfirmed,
   * discarded, sent within a minute.
   */
  Sql overview(Counted counted) {
    boolean postgres = clock == ClockDialect.POSTGRESQL;
    String text =
        (postgres ? LOWEST : "")
            + OVERVIEW
                .replace(":waiting", mySql ? WAITING_MYSQL : WAITING)
                .replace(":oldest", postgres ? OLDEST_POSTGRES : OLDEST)
                .replace(":held", postgres ? HELD_POSTGRES : HELD)
                .replace(":unconfirmed", counted.unconfirmed() ? UNCONFIRMED : "0")
                .replace(":discarded", counted.discarded() ? DISCARDED : "0")
                .replace(":sent", counted.sent() ? SENT : "NULL")
                .replace(":by_since", force(counted.sinceIndex() ? "by_since" : "PRIMARY"))
                .replace(":count_max", Integer.toString(counted.countMax()))
                .replace(":parked_max", Integer.toString(parkedMax(counted.countMax())));
    List<@Nullable Object> parameters = new ArrayList<>();
    parameters.add(clock.scaled(OVERDUE_AFTER));
    parameters.add(clock.scaled(HOUR));
    parameters.add(clock.scaled(Overview.LATELY));
    if (counted.sent()) {
      parameters.add(clock.scaled(MINUTE));
    }
    return new Sql(in(text), parameters);
  }

  // ---- the calendar

  /** Parameters for each span: its number, begin and end. */
  private static final String DUE =
      """
      {SELECT CAST(? AS :integer64), COUNT(*)
      FROM (
        SELECT due_at
        FROM outbox_delayed:by_due
        WHERE due_at >= ? AND due_at < ?
        ORDER BY due_at, id
        LIMIT :count_max) AS few|
      UNION ALL
      }
      """;

  /**
   * Number and count of spans that follow one another.
   *
   * @param ends one more than the spans
   */
  Sql due(int first, List<Instant> ends) {
    List<@Nullable Object> parameters = new ArrayList<>();
    int spans = ends.size() - 1;
    for (int i = 0; i < spans; i++) {
      parameters.addAll(List.of(first + i, bound(ends.get(i)), bound(ends.get(i + 1))));
    }
    int times = Integer.highestOneBit(Math.max(1, spans * 2 - 1)); // so that texts are few
    for (int i = spans; i < times; i++) {
      parameters.addAll(List.of(first, bound(ends.get(0)), bound(ends.get(0))));
    }
    return new Sql(Repeated.times(in(DUE), times), parameters);
  }

  // ---- the relay

  /** No parameters. */
  private static final String NODES =
      """
      SELECT node, incarnation, expires_at, taking_part, :now
      FROM outbox_node
      """;

  Sql nodes() {
    return Sql.of(in(NODES));
  }

  /** No parameters. */
  private static final String LEASES =
      """
      SELECT partition_no, node, incarnation, epoch
      FROM outbox_lease
      """;

  Sql leases() {
    return Sql.of(in(LEASES));
  }

  /** Parameter: partition. */
  private static final String OWNER =
      """
      SELECT node
      FROM outbox_lease
      WHERE partition_no = ?
      """;

  Sql owner(int partition) {
    return Sql.of(in(OWNER), partition);
  }

  /** No parameters. */
  private static final String DEPTHS_POSTGRES =
      """
      SELECT
        l.partition_no,
        l.created_at,
        (SELECT COUNT(*)
          FROM (
            SELECT id
            FROM outbox AS o
            WHERE o.partition_no = l.partition_no
            ORDER BY o.partition_no, o.id
            LIMIT :depth_max) AS few)
      FROM lowest AS l
      """;

  /** Where no index has the rows of a partition together: the oldest of all. */
  private static final String DEPTHS =
      """
      SELECT partition_no, MIN(created_at), COUNT(*)
      FROM (
        SELECT partition_no, created_at
        FROM outbox:in_order
        WHERE id > 0
        ORDER BY id
        LIMIT :depths_max) AS few
      GROUP BY partition_no
      """;

  /** Whether {@link #depths} counts each partition up to the limit of one. */
  boolean countsEachPartition() {
    return clock == ClockDialect.POSTGRESQL;
  }

  /**
   * Partition, oldest and count of waiting rows, of those partitions that have some. Counts {@link
   * #DEPTHS_MAX} rows of all partitions unless it {@link #countsEachPartition}.
   */
  Sql depths() {
    String text = countsEachPartition() ? LOWEST + DEPTHS_POSTGRES : DEPTHS;
    return Sql.of(
        in(
            text.replace(":depth_max", Integer.toString(PartitionView.COUNT_MAX))
                .replace(":depths_max", Integer.toString(DEPTHS_MAX))));
  }

  private String in(String text) {
    return names.in(
        clock.in(
            text.replace(":in_order", force("PRIMARY"))
                .replace(":by_due", force("by_due"))
                .replace(":integer64", clock.bigint())
                .replace(":count_max", Integer.toString(Overview.COUNT_MAX))
                .replace(":stuck_max", Integer.toString(Overview.STUCK_MAX))
                .replace(":stuck_attempts", Integer.toString(Overview.STUCK_ATTEMPTS))));
  }

  private String force(String index) {
    return mySql ? " FORCE INDEX (" + index + ")" : "";
  }

  private Object bound(Instant at) {
    return mySql ? LocalDateTime.ofInstant(at, UTC) : at.atOffset(UTC);
  }
}
