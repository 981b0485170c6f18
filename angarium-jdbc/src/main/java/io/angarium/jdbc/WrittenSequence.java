package io.angarium.jdbc;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far the sequence has come for good. MySQL and MariaDB hand numbers out to a statement ahead
 * of its rows, twice as many each time, and take back what it leaves over: the last number they
 * tell may be that of a later row. A row that is there, committed or not, has a number that is
 * never given again; and where there is none below the number told, no statement is at work.
 * Thread-safe.
 */
final class WrittenSequence {
  /** Numbers that a statement may be ahead: as many as it has rows, of which ours have 1 000. */
  private static final int AHEAD_MAX = 2_048;

  private final Session dirty;
  private final DirtyReads dialect;
  private long reached;

  WrittenSequence(Session dirty, DirtyReads dialect) {
    this.dirty = dirty;
    this.dialect = dialect;
  }

  /**
   * Blocks.
   *
   * @param told what the database has just said
   * @return no committed row has a higher one; lower than the one before only if the sequence went
   *     back behind a row that was there
   */
  synchronized long reached(long told) {
    if (told > reached) {
      Long highest = highest(told - AHEAD_MAX, told);
      reached = highest == null ? told : Math.max(reached, highest);
    } else {
      reached = told;
    }
    return reached;
  }

  private @Nullable Long highest(long after, long upTo) {
    Sql sql = dialect.highestId(after, upTo);
    List<Long> found =
        dirty.call(
            "reading the highest sequence",
            in -> sql.query(in, row -> row.getObject(1) == null ? -1 : row.getLong(1)));
    return found.get(0) < 0 ? null : found.get(0);
  }
}
