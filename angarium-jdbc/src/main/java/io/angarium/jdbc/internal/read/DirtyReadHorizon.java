package io.angarium.jdbc.internal.read;

import io.angarium.TimeSource;
import io.angarium.intake.Position;
import io.angarium.jdbc.internal.dialect.DirtyReads;
import io.angarium.jdbc.internal.dialect.LastSequence;
import io.angarium.jdbc.internal.dialect.MessageRows;
import io.angarium.jdbc.internal.session.Session;
import io.angarium.jdbc.internal.session.StoreSessions;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.store.LateRows;
import io.angarium.store.ReadLimit;
import io.angarium.store.SequenceMark;
import io.angarium.store.SequenceRange;
import io.angarium.store.Snapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The horizon of a database without readable snapshots. A row that only a dirty read shows, and a
 * committed read does not, belongs to an open transaction. A number that was handed out and is not
 * written yet is in neither read. So a mark settles only when a lag has passed since the sequence
 * was seen to have come so far. The relay's sweep stays the safety net behind it. Late rows are
 * simply all rows of the span.
 */
final class DirtyReadHorizon implements Horizon {
  /**
   * A mark moves over so many ids at most. Each belongs to one row only, so this bounds what a
   * check reads.
   */
  private static final int WINDOW = 20_000;

  private static final Snapshot NO_SNAPSHOT = new Snapshot("none");

  private final Session committed;
  private final Session dirty;
  private final DirtyReads outbox;
  private final MessageRows rows;
  private final TimeSource time;
  private final Duration lag;
  private final WrittenSequence written;
  private final AtomicLong settledUpTo = new AtomicLong();
  private final AtomicLong lastSeen = new AtomicLong();
  private Sample newer = Sample.NONE;
  private Sample older = Sample.NONE;

  /** How far the sequence had come. */
  private record Sample(long lastSequence, long nanos) {
    static final Sample NONE = new Sample(0, 0);
  }

  DirtyReadHorizon(
      StoreSessions sessions, DirtyReads outbox, MessageRows rows, TimeSource time, Duration lag) {
    this.committed = sessions.read();
    this.dirty = sessions.dirtyRead();
    this.outbox = outbox;
    this.rows = rows;
    this.time = time;
    this.lag = lag;
    this.written = new WrittenSequence(dirty, outbox);
  }

  @Override
  public LateRows readLate(
      List<SequenceRange> spans,
      @Nullable Snapshot since,
      ReadLimit limit,
      Predicate<Position> known) {
    List<SequenceRange> ascending = BoundedRead.ascending(spans);
    LatePositions late = new LatePositions(outbox, limit, known);
    BoundedRead read = new BoundedRead(rows, limit, limit.rows());
    return committed.call(
        "reading late rows",
        connection -> {
          late.look(ascending, connection);
          if (!late.wanted().isEmpty()) {
            outbox.readAt(late.wanted(), read.inline()).forEach(connection, read::add);
          }
          return read.lateRows(
              ascending,
              late.leftOut(),
              NO_SNAPSHOT,
              at -> outbox.readAt(at, Integer.MAX_VALUE),
              connection);
        });
  }

  @Override
  public SequenceMark mark() {
    long last = reached(committed.call("taking a mark", in -> LastSequence.ask(outbox, in)));
    saw(last);
    long settled = settledUpTo.get();
    long aged = aged();
    long reach = aged > settled ? aged : last; // rather a part that can be settled at once
    List<Long> first = ids(dirty, settled, reach, 1);
    long upTo = first.isEmpty() ? reach : Math.min(reach, first.get(0) + WINDOW);
    long age = upTo <= aged ? lag.toNanos() : 0;
    return new SequenceMark(upTo, Long.toString(time.nanoTime() - age));
  }

  @Override
  public boolean settled(SequenceMark mark) {
    if (mark.lastSequence() <= settledUpTo.get()) {
      return true;
    }
    long age = time.nanoTime() - Long.parseLong(mark.barrier());
    if (age < lag.toNanos()) {
      return false;
    }
    boolean nothingOpen = openRows(mark.lastSequence()).isEmpty();
    if (nothingOpen) {
      settledUpTo.accumulateAndGet(mark.lastSequence(), Math::max);
    }
    return nothingOpen;
  }

  @Override
  public long decided() {
    return settledUpTo.get();
  }

  @Override
  public long reached(long told) {
    return written.reached(told);
  }

  @Override
  public void forget() {
    written.forget();
    saw(0);
    lastSeen.set(0);
    settledUpTo.set(0);
  }

  @Override
  public void saw(long lastSequence) {
    boolean back = lastSequence < lastSeen.getAndSet(lastSequence);
    if (back) {
      settledUpTo.set(0);
    }
    sample(lastSequence, back);
  }

  private synchronized void sample(long lastSequence, boolean back) {
    long now = time.nanoTime();
    if (back || newer.equals(Sample.NONE) || now - newer.nanos() >= lag.toNanos()) {
      older = back ? Sample.NONE : newer;
      newer = new Sample(lastSequence, now);
    }
  }

  /** How far the sequence had come a lag ago or before that. */
  private synchronized long aged() {
    boolean old = time.nanoTime() - newer.nanos() >= lag.toNanos();
    return old ? newer.lastSequence() : older.lastSequence();
  }

  // Committed first: what is deleted in between, as is much while a backlog is sent, is in neither
  // or in the first alone. What commits in between counts as open until the next check.
  private Set<Long> openRows(long upTo) {
    long after = settledUpTo.get();
    Set<Long> decided = new HashSet<>(ids(committed, after, upTo, Integer.MAX_VALUE));
    Set<Long> open = new HashSet<>(ids(dirty, after, upTo, Integer.MAX_VALUE));
    open.removeAll(decided);
    return open;
  }

  private List<Long> ids(Session session, long after, long upTo, int limit) {
    Sql sql = outbox.ids(after, upTo, limit);
    return new ArrayList<>(
        session.call(
            "reading sequences", connection -> sql.query(connection, row -> row.getLong(1))));
  }
}
