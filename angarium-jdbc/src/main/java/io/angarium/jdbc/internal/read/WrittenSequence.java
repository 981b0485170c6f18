package io.angarium.jdbc.internal.read;

import io.angarium.jdbc.internal.dialect.DirtyReads;
import io.angarium.jdbc.internal.dialect.LastSequence;
import io.angarium.jdbc.internal.session.Session;
import io.angarium.jdbc.internal.sql.Sql;
import org.jspecify.annotations.Nullable;

/**
 * How far the sequence has come for good. MySQL and MariaDB hand numbers out to a statement ahead
 * of its rows, twice as many each time, and take back what it leaves over: the last number they
 * tell may be that of a later row. A row that is there, committed or not, has a number that is
 * never given again; and where there is none close below the number told, no statement is at work.
 * Thread-safe; of two relays with one store, which ask at once, one may find that the sequence went
 * back.
 */
final class WrittenSequence {
  private final Session dirty;
  private final DirtyReads outbox;
  private long reached;

  WrittenSequence(Session dirty, DirtyReads outbox) {
    this.dirty = dirty;
    this.outbox = outbox;
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
      Long highest = query(outbox.highestId(told));
      reached = highest == null ? Math.min(told, toldNow()) : Math.max(reached, highest);
    } else {
      reached = told;
    }
    return reached;
  }

  /** Forgets how far it has come: another server took over. */
  synchronized void forget() {
    reached = 0;
  }

  /** The rows that a statement had at first may be gone by now, and so what it was ahead. */
  private long toldNow() {
    return dirty.call("reading the last sequence", in -> LastSequence.ask(outbox, in));
  }

  private @Nullable Long query(Sql sql) {
    long found =
        dirty.call(
            "reading the highest sequence",
            in -> sql.query(in, row -> row.getObject(1) == null ? -1 : row.getLong(1)).get(0));
    return found < 0 ? null : found;
  }
}
