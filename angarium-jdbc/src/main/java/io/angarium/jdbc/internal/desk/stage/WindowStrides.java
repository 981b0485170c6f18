package io.angarium.jdbc.internal.desk.stage;

import io.angarium.desk.MessageQuery.Order;
import io.angarium.desk.MessageRow;
import io.angarium.desk.Stage;
import io.angarium.jdbc.internal.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Strides of the history where its index by time returns rows in no order: reads windows of time,
 * each with a few thousand rows at most, and sorts them. A window that has more is divided, and
 * after one that has few the next is longer.
 */
final class WindowStrides implements Strides {
  /** The most rows of a window. */
  static final int ROWS_MAX = 2_000;

  private static final Duration FIRST = Duration.ofSeconds(10);
  private static final Duration SHORTEST = Duration.ofMillis(1);

  private static final Duration LONGEST = Duration.ofDays(36_500);

  private static final int FACTOR = 4;

  private final StageRows rows;
  private final StageDialect dialect;
  private final StageColumns width;
  private final Order order;
  private final Instant now;
  private final Queue<MessageRow> read = new ArrayDeque<>();
  private Instant from;
  private Instant to;
  private Place after;
  private Duration length = FIRST;
  private boolean begun;
  private boolean ended;

  /** Begins behind a place; at the begin if it is null. */
  WindowStrides(
      StageRows rows,
      StageDialect dialect,
      StageColumns width,
      Order order,
      Instant from,
      Instant to,
      @Nullable Place after,
      Instant now) {
    this.rows = rows;
    this.dialect = dialect;
    this.width = width;
    this.order = order;
    this.now = now;
    this.after = after == null ? Place.before(order) : after;
    Span rest = Span.beyond(order, from, to, this.after);
    this.from = rest.from();
    this.to = rest.to();
    this.begun = after != null || order == Order.NEWEST;
    this.ended = this.from.isAfter(this.to);
  }

  @Override
  public List<MessageRow> next(Connection connection, int max) throws SQLException {
    if (!begun) {
      from = begin(connection);
      begun = true;
    }
    while (read.size() < max && !ended) {
      fill(connection);
    }
    List<MessageRow> next = new ArrayList<>();
    while (next.size() < max && !read.isEmpty()) {
      next.add(read.remove());
    }
    return next;
  }

  /** Goes back from now in steps that become longer, as long as there are rows before. */
  private Instant begin(Connection connection) throws SQLException {
    Duration age = FIRST;
    while (age.compareTo(LONGEST) < 0) {
      Instant before = now.minus(age);
      if (!before.isAfter(from) || !any(connection, before)) {
        return Span.later(from, before);
      }
      age = age.multipliedBy(FACTOR);
    }
    return from;
  }

  private boolean any(Connection connection, Instant upTo) throws SQLException {
    return dialect.anySent(upTo).run(connection) > 0;
  }

  private void fill(Connection connection) throws SQLException {
    Span window = order == Order.OLDEST ? first() : last();
    List<MessageRow> found = rows.read(connection, dialect.sentWithin(width, window, ROWS_MAX + 1));
    if (found.size() <= ROWS_MAX) {
      take(found, window);
      boolean few = found.size() < ROWS_MAX / FACTOR && length.compareTo(LONGEST) < 0;
      length = few ? length.multipliedBy(FACTOR) : length;
      return;
    }
    Duration whole = Duration.between(window.from(), latest(window));
    if (whole.compareTo(SHORTEST) > 0) {
      length = whole.dividedBy(FACTOR);
      return;
    }
    Sql sorted = dialect.byTime(Stage.SENT, width, window, ROWS_MAX, false);
    takeSome(rows.read(connection, sorted), window);
  }

  /** Nothing was sent later than now, unless clocks went back. */
  private Instant latest(Span window) {
    return Span.earlier(window.to(), Span.later(now, window.from()));
  }

  private Span first() {
    Instant end = from.plus(length);
    return new Span(order, from, end.isBefore(now) ? Span.earlier(end, to) : to, after);
  }

  private Span last() {
    Instant latest = Span.earlier(to, now);
    return new Span(order, Span.later(from, latest.minus(length)), to, after);
  }

  /** Takes all rows of a window. */
  private void take(List<MessageRow> found, Span window) {
    read.addAll(found);
    if (order == Order.OLDEST) {
      from = window.to().plus(1, ChronoUnit.MICROS);
    } else {
      to = window.from().minus(1, ChronoUnit.MICROS);
    }
    ended = from.isAfter(to);
  }

  /** Takes the first rows of a window that has more. */
  private void takeSome(List<MessageRow> found, Span window) {
    read.addAll(found);
    if (found.size() < ROWS_MAX) { // others have gone meanwhile
      take(List.of(), window);
      return;
    }
    after = Place.of(found.get(found.size() - 1));
    Span rest = Span.beyond(order, from, to, after);
    from = rest.from();
    to = rest.to();
  }
}
