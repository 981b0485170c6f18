package io.angarium.jdbc.internal.dialect.mysql;

import io.angarium.TimeSource;
import io.angarium.jdbc.internal.dialect.BacklogLook;
import io.angarium.jdbc.internal.dialect.LastSequence;
import io.angarium.store.Backlog;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Measures the backlog of MySQL and MariaDB without walking the rows that were sent at every look:
 * they stay in the index for as long as any old snapshot might need them. It remembers a sequence
 * up to which nothing was left at an earlier look. Rows of a transaction that was open for longer
 * than a lag may come below it; they are seen when it next looks everywhere. Thread-safe.
 */
final class MySqlBacklogLook implements BacklogLook {
  private static final Duration LAG = Duration.ofMinutes(1);
  private static final Duration EVERYWHERE = Duration.ofMinutes(5);
  private static final int COUNT_MAX = Backlog.EXACT_MAX + 1;

  private final MySqlWorkSql work;
  private final TimeSource time;
  private volatile Known known = Known.NOTHING;

  /**
   * What earlier looks found.
   *
   * @param gone a sequence up to which every row is gone
   * @param atNanos when it last looked everywhere
   * @param last the last sequence some time ago, 0 if it never looked
   * @param lastNanos when that was
   */
  private record Known(long gone, long atNanos, long last, long lastNanos) {
    static final Known NOTHING = new Known(0, 0, 0, 0);
  }

  /** One look: the backlog, the lowest sequence or 0, and the last one handed out. */
  private record Look(Backlog backlog, long lowest, long last) {
    static Look read(ResultSet row) throws SQLException {
      return new Look(BacklogLook.backlog(row), row.getLong(4), LastSequence.read(row, 5));
    }
  }

  MySqlBacklogLook(MySqlWorkSql work, TimeSource time) {
    this.work = work;
    this.time = time;
  }

  @Override
  public Backlog look(Connection connection) throws SQLException {
    Known before = known;
    long now = time.nanoTime();
    boolean everywhere = before.last() == 0 || now - before.atNanos() >= EVERYWHERE.toNanos();
    Look look = look(connection, everywhere ? 0 : before.gone());
    if (look.last() < before.last()) { // the database was reset under us
      known = Known.NOTHING;
      return everywhere ? look.backlog() : look(connection, 0).backlog();
    }
    boolean aged = before.last() > 0 && now - before.lastNanos() >= LAG.toNanos();
    boolean anew = before.last() == 0 || aged;
    known =
        new Known(
            gone(Math.max(before.gone(), aged ? before.last() : 0), look),
            everywhere ? now : before.atNanos(),
            anew ? look.last() : before.last(),
            anew ? now : before.lastNanos());
    return look.backlog();
  }

  private static long gone(long upTo, Look look) {
    return look.lowest() == 0 ? upTo : Math.min(upTo, look.lowest() - 1);
  }

  private Look look(Connection connection, long gone) throws SQLException {
    return work.backlogAbove(gone, COUNT_MAX).query(connection, Look::read).get(0);
  }
}
