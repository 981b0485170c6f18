package io.angarium.jdbc.internal.dialect.mysql;

import io.angarium.TimeSource;
import io.angarium.jdbc.internal.dialect.GlanceLook;
import io.angarium.store.WorkHint;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.function.LongUnaryOperator;

/**
 * Answers the question of an idle relay on MySQL and MariaDB, where the last sequence and what is
 * due in some partitions cost several times as much as to find that there is nothing: no row above
 * the last sequence that was told, and nothing due in any partition. That is asked while nothing
 * happens, and the whole question now and then all the same, as the sequence may have gone back.
 * Thread-safe.
 */
public final class MySqlGlanceLook implements GlanceLook {
  /** How long the short question alone is asked, or left alone after it was asked in vain. */
  public static final Duration QUIET = Duration.ofSeconds(10);

  private final MySqlWorkSql work;
  private final TimeSource time;
  private final LongUnaryOperator reached;
  private volatile Known known = Known.NOTHING;

  /**
   * What the last look found.
   *
   * @param last the last sequence, -1 if it is not known
   * @param fromNanos from when on the short question is enough
   * @param untilNanos until when
   */
  private record Known(long last, long fromNanos, long untilNanos) {
    static final Known NOTHING = new Known(-1, 0, 0);

    static Known quiet(long last, long fromNanos) {
      return new Known(last, fromNanos, fromNanos + QUIET.toNanos());
    }

    boolean begun(long nowNanos) {
      return last >= 0 && nowNanos - fromNanos >= 0;
    }

    boolean isQuiet(long nowNanos) {
      return begun(nowNanos) && nowNanos - untilNanos < 0;
    }
  }

  MySqlGlanceLook(MySqlWorkSql work, TimeSource time, LongUnaryOperator reached) {
    this.work = work;
    this.time = time;
    this.reached = reached;
  }

  @Override
  public WorkHint look(Connection connection, Collection<Integer> partitions, Duration ahead)
      throws SQLException {
    Known before = known;
    known = Known.NOTHING; // unless the database answers
    long now = time.nanoTime();
    boolean quiet = before.isQuiet(now);
    if (quiet && !anything(connection, before.last(), ahead)) {
      known = before;
      return new WorkHint(before.last(), false);
    }
    WorkHint whole = GlanceLook.ask(connection, work.glance(partitions, ahead), reached);
    boolean asBefore = whole.lastSequence() == before.last();
    boolean nothing = asBefore && !whole.due() && whole.untilDue() == null;
    known = nothing ? afterNothing(before, quiet, now) : new Known(whole.lastSequence(), now, now);
    return whole;
  }

  /** What is due elsewhere, and stays so, would make the short question one more. */
  private static Known afterNothing(Known before, boolean inVain, long now) {
    if (inVain) {
      return Known.quiet(before.last(), now + QUIET.toNanos());
    }
    return before.begun(now) ? Known.quiet(before.last(), now) : before;
  }

  private boolean anything(Connection connection, long last, Duration ahead) throws SQLException {
    return work.anything(last, ahead).query(connection, row -> row.getBoolean(1)).get(0);
  }

  @Override
  public void forget() {
    known = Known.NOTHING;
  }
}
