package io.angarium.jdbc.internal.board;

import io.angarium.board.BoardView;
import io.angarium.board.MinuteOfDestination;
import io.angarium.board.MinuteQuery;
import io.angarium.board.NodeBoard;
import io.angarium.board.NodeStatus;
import io.angarium.board.Throughput;
import io.angarium.jdbc.internal.dialect.ClockDialect;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.sql.Repeated;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Statements of the node board. They are the same on every database but for the clock. Thread-safe.
 */
public final class BoardDialect {
  private static final long SECONDS_PER_MINUTE = 60;

  private final TableNames names;
  private final ClockDialect clock;

  public BoardDialect(Dialect server) {
    this.names = server.names();
    this.clock = ClockDialect.of(server);
  }

  private static final String NOW =
      """
      SELECT :now
      """;

  public Sql now() {
    return Sql.of(in(NOW.strip()));
  }

  // ---- statuses

  /** Parameters: node, status, incarnation. */
  private static final String CHANGE =
      """
      UPDATE outbox_status
      SET node = ?, told_at = :now, status = ?
      WHERE incarnation = ?
      """;

  public Sql change(NodeStatus status) {
    return told(CHANGE, status);
  }

  /** Parameters: the same. */
  private static final String ADD =
      """
      INSERT INTO outbox_status (node, told_at, status, incarnation)
      VALUES (?, :now, ?, ?)
      """;

  public Sql add(NodeStatus status) {
    return told(ADD, status);
  }

  private Sql told(String text, NodeStatus status) {
    return Sql.of(
        in(text), status.relay().node(), status.json(), clock.bound(status.relay().incarnation()));
  }

  /** Parameter: limit. */
  private static final String NODES =
      """
      SELECT told_at, status, :now
      FROM outbox_status
      ORDER BY told_at DESC, incarnation
      LIMIT ?
      """;

  public Sql nodes() {
    return Sql.of(in(NODES), BoardView.NODES_MAX);
  }

  /** Parameter: age. */
  private static final String FORGET_STATUSES =
      """
      DELETE FROM outbox_status
      WHERE told_at < :earlier
      """;

  public Sql forgetStatuses(Duration age) {
    return Sql.of(in(FORGET_STATUSES), clock.scaled(age));
  }

  // ---- minutes

  /** The number of a minute. */
  static long number(Instant minute) {
    return Math.floorDiv(minute.getEpochSecond(), SECONDS_PER_MINUTE);
  }

  /** When a minute begins. */
  static Instant minute(long number) {
    return Instant.ofEpochSecond(number * SECONDS_PER_MINUTE);
  }

  /** Parameters: minute, incarnation. */
  private static final String DELETE_MINUTE =
      """
      DELETE FROM outbox_minute
      WHERE minute_no = ? AND incarnation = ?
      """;

  public Sql deleteMinute(Instant minute, UUID incarnation) {
    return Sql.of(in(DELETE_MINUTE), number(minute), clock.bound(incarnation));
  }

  /** Parameters: for each row its columns. */
  private static final String ADD_MINUTE =
      """
      INSERT INTO outbox_minute (
        minute_no, incarnation, destination, sent, failed, refused, unavailable,
        dead, delay_0, delay_1, delay_2, delay_3, delay_4, delay_5, delay_6,
        delay_7, delay_8, delay_9, delay_10, delay_11, delay_12, delay_13, delay_14,
        delay_15, delay_16, delay_17, delay_18, delay_19)
      VALUES
        {(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)|,
        }
      """;

  /** Adds rows of a minute, at least one. */
  public Sql addMinute(UUID incarnation, List<MinuteOfDestination> rows) {
    List<@Nullable Object> parameters = new ArrayList<>();
    for (MinuteOfDestination row : rows) {
      Throughput counts = row.counts();
      parameters.add(number(row.minute()));
      parameters.add(clock.bound(incarnation));
      parameters.add(row.destination());
      parameters.add(counts.sent());
      parameters.add(counts.failed());
      parameters.add(counts.refused());
      parameters.add(counts.unavailable());
      parameters.add(counts.dead());
      parameters.addAll(counts.delays().counts());
    }
    return new Sql(Repeated.times(in(ADD_MINUTE), rows.size()), parameters);
  }

  /** Parameters: step, from, to, destinations if some are given. */
  private static final String MINUTES =
      """
      SELECT
        point,
        SUM(failed), SUM(refused), SUM(unavailable), SUM(dead), SUM(delay_0),
        SUM(delay_1), SUM(delay_2), SUM(delay_3), SUM(delay_4), SUM(delay_5),
        SUM(delay_6), SUM(delay_7), SUM(delay_8), SUM(delay_9), SUM(delay_10),
        SUM(delay_11), SUM(delay_12), SUM(delay_13), SUM(delay_14), SUM(delay_15),
        SUM(delay_16), SUM(delay_17), SUM(delay_18), SUM(delay_19)
      FROM (
        SELECT
          minute_no - MOD(minute_no, ?) AS point,
          failed, refused, unavailable, dead, delay_0, delay_1, delay_2, delay_3,
          delay_4, delay_5, delay_6, delay_7, delay_8, delay_9, delay_10, delay_11,
          delay_12, delay_13, delay_14, delay_15, delay_16, delay_17, delay_18,
          delay_19
        FROM outbox_minute
        WHERE minute_no >= ? AND minute_no < ?:named) AS few
      GROUP BY point
      """;

  public Sql minutes(MinuteQuery query) {
    List<@Nullable Object> parameters = new ArrayList<>();
    parameters.add(query.step().toMinutes());
    parameters.add(number(query.from()));
    parameters.add(number(query.to()));
    if (query.destinations().isEmpty()) {
      return new Sql(in(MINUTES.replace(":named", "")), parameters);
    }
    List<@Nullable Object> named = Repeated.padded(query.destinations());
    parameters.addAll(named);
    String text = MINUTES.replace(":named", "\n          AND destination IN ({?|, })");
    return new Sql(Repeated.times(in(text), named.size()), parameters);
  }

  /** Parameters: from, to, limit. */
  private static final String DESTINATIONS =
      """
      SELECT
        destination,
        SUM(failed), SUM(refused), SUM(unavailable), SUM(dead), SUM(delay_0),
        SUM(delay_1), SUM(delay_2), SUM(delay_3), SUM(delay_4), SUM(delay_5),
        SUM(delay_6), SUM(delay_7), SUM(delay_8), SUM(delay_9), SUM(delay_10),
        SUM(delay_11), SUM(delay_12), SUM(delay_13), SUM(delay_14), SUM(delay_15),
        SUM(delay_16), SUM(delay_17), SUM(delay_18), SUM(delay_19)
      FROM outbox_minute
      WHERE minute_no >= ? AND minute_no < ?
      GROUP BY destination
      ORDER BY SUM(sent + failed + refused + unavailable + dead) DESC, destination
      LIMIT ?
      """;

  public Sql destinations(Instant from, Instant to) {
    return Sql.of(in(DESTINATIONS), number(from), number(to), NodeBoard.DESTINATIONS_MAX);
  }

  private static final String FIRST_MINUTE =
      """
      SELECT MIN(minute_no)
      FROM outbox_minute
      """;

  public Sql firstMinute() {
    return Sql.of(in(FIRST_MINUTE));
  }

  /** Parameter: a minute. */
  private static final String FORGET_MINUTES =
      """
      DELETE FROM outbox_minute
      WHERE minute_no < ?
      """;

  /** Deletes the minutes before a number. */
  public Sql forgetMinutes(long before) {
    return Sql.of(in(FORGET_MINUTES), before);
  }

  private String in(String text) {
    return names.in(clock.in(text));
  }
}
