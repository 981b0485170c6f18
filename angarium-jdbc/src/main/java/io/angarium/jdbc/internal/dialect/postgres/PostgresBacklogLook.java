package io.angarium.jdbc.internal.dialect.postgres;

import io.angarium.TimeSource;
import io.angarium.jdbc.internal.dialect.BacklogLook;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.store.Backlog;
import io.angarium.store.SequenceMark;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Measures the backlog of PostgreSQL without walking the entries of sent rows, which stay in the
 * index for as long as any old snapshot might need them. It remembers for each partition a sequence
 * up to which every row is gone and none can come any more: everything up to a mark was decided
 * before a look, and the look saw what was left of it. At long intervals it looks everywhere, in
 * case somebody wrote rows with sequences of their own. Thread-safe.
 */
final class PostgresBacklogLook implements BacklogLook {
  private static final Duration EVERYWHERE = Duration.ofMinutes(10);
  private static final int COUNT_MAX = Backlog.EXACT_MAX + 1;

  private final PostgresWorkSql work;
  private final PostgresOutboxSql outbox;
  private final TimeSource time;
  private volatile Known known = Known.NOTHING;

  /**
   * What earlier looks found.
   *
   * @param gone by partition, a sequence up to which every row is gone
   * @param mark to be settled before more is known to be gone
   * @param atNanos when it last looked everywhere
   */
  private record Known(Map<Integer, Long> gone, @Nullable SequenceMark mark, long atNanos) {
    static final Known NOTHING = new Known(Map.of(), null, 0);

    long highest() {
      long marked = mark == null ? 0 : mark.lastSequence();
      return gone.isEmpty() ? marked : Math.max(marked, Collections.max(gone.values()));
    }
  }

  /** One look: the backlog, the last sequence, and the lowest one by partition, 0 for none. */
  private record Look(
      Backlog backlog, long lastSequence, Map<Integer, Long> lowest, boolean elsewhere) {}

  PostgresBacklogLook(PostgresWorkSql work, PostgresOutboxSql outbox, TimeSource time) {
    this.work = work;
    this.outbox = outbox;
    this.time = time;
  }

  @Override
  public Backlog look(Connection connection) throws SQLException {
    Known before = known;
    long now = time.nanoTime();
    SequenceMark mark = before.mark();
    boolean settled = mark != null && PostgresMarks.settled(connection, outbox, mark);
    boolean everywhere = before.gone().isEmpty() || now - before.atNanos() >= EVERYWHERE.toNanos();
    Look look = look(connection, everywhere ? Map.of() : before.gone());
    if (look.lastSequence() < before.highest()) { // the database was reset under us
      known = Known.NOTHING;
      return everywhere ? look.backlog() : look(connection, Map.of()).backlog();
    }
    known =
        new Known(
            look.elsewhere() ? Map.of() : gone(before, look, settled ? mark : null),
            settled || mark == null ? PostgresMarks.take(connection, outbox) : mark,
            everywhere ? now : before.atNanos());
    return look.backlog();
  }

  private static Map<Integer, Long> gone(Known before, Look look, @Nullable SequenceMark settled) {
    long decided = settled == null ? 0 : settled.lastSequence();
    Map<Integer, Long> gone = new HashMap<>();
    look.lowest()
        .forEach(
            (partition, lowest) -> {
              long upTo = Math.max(decided, before.gone().getOrDefault(partition, 0L));
              gone.put(partition, lowest == 0 ? upTo : Math.min(upTo, lowest - 1));
            });
    return Map.copyOf(gone);
  }

  private Look look(Connection connection, Map<Integer, Long> gone) throws SQLException {
    Sql sql = gone.isEmpty() ? work.backlog(COUNT_MAX) : work.backlogAbove(gone, COUNT_MAX);
    return sql.query(connection, PostgresBacklogLook::read).get(0);
  }

  private static Look read(ResultSet row) throws SQLException {
    Long[] partitions = (Long[]) row.getArray(10).getArray();
    Long[] lowest = (Long[]) row.getArray(11).getArray();
    Map<Integer, Long> byPartition = new HashMap<>();
    for (int i = 0; i < partitions.length; i++) {
      byPartition.put(partitions[i].intValue(), lowest[i]);
    }
    return new Look(BacklogLook.backlog(row), row.getLong(5), byPartition, row.getBoolean(12));
  }
}
