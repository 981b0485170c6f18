package io.angarium.relay.internal.write;

import io.angarium.TimeSource;
import io.angarium.intake.Position;
import io.angarium.store.WriteRefusedException;
import io.angarium.store.internal.Halving;
import io.angarium.store.internal.RefusalPause;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Acknowledged rows that the database refuses to delete for good. They stay in the outbox and are
 * tried again after growing pauses, a batch at a time, so that the others are deleted. Thread-safe.
 */
final class RefusedDeletes {
  private static final Logger LOG = LoggerFactory.getLogger(RefusedDeletes.class);

  private final TimeSource time;
  private final Deque<Position> rows = new ArrayDeque<>();
  private final RefusalPause pause = new RefusalPause();

  /** The one that the log names; the next one is named when it is deleted. */
  private @Nullable Position told;

  private volatile boolean empty = true;

  RefusedDeletes(TimeSource time) {
    this.time = time;
    pause.reset(time.nanoTime());
  }

  boolean isEmpty() {
    return empty;
  }

  /** Nanoseconds until some are to be tried again; {@link Long#MAX_VALUE} if there are none. */
  synchronized long nanosToDue() {
    return rows.isEmpty() ? Long.MAX_VALUE : pause.nanosLeft(time.nanoTime());
  }

  /** Takes out a batch if its pause is over. */
  synchronized List<Position> takeDue(int max) {
    List<Position> due = new ArrayList<>();
    if (nanosToDue() <= 0) {
      while (due.size() < max && !rows.isEmpty()) {
        due.add(rows.removeFirst());
      }
    }
    return due;
  }

  /** Takes what is left of a batch that was not tried before. */
  synchronized void add(Halving<Position> outcome) {
    take(outcome);
    if (!outcome.untried().isEmpty()) {
      pause.reset(time.nanoTime());
    }
    if (!empty && pause.nanosLeft(time.nanoTime()) <= 0) {
      pause.rest(time.nanoTime());
    }
  }

  /** Takes what is left of a batch that was {@link #takeDue taken out}. */
  synchronized void addAgain(Halving<Position> outcome) {
    take(outcome);
    if (!outcome.written().isEmpty()) {
      pause.reset(time.nanoTime()); // somebody has mended it, so that more may be taken
    }
    if (!outcome.isWhole()) {
      pause.rest(time.nanoTime());
    }
    if (empty) {
      LOG.info("The database has deleted what it refused to delete before.");
    }
  }

  /** What may be deleted after all goes first. */
  private void take(Halving<Position> outcome) {
    List<Position> untried = new ArrayList<>(outcome.untried());
    Collections.reverse(untried);
    untried.forEach(rows::addFirst);
    rows.addAll(outcome.refused());
    empty = rows.isEmpty();
    if (told != null && outcome.written().contains(told)) {
      told = null;
    }
    WriteRefusedException cause = outcome.cause();
    if (cause != null && told == null) {
      tell(outcome.refused().get(0), cause);
    }
  }

  private void tell(Position row, WriteRefusedException cause) {
    told = row;
    LOG.error(
        "The database refuses to delete row {} of partition {}, whose message was sent: {}. All"
            + " others are deleted; this one is sent again after a restart. Mend what the error"
            + " names, a privilege, a constraint, a trigger or an encoding. Refused rows are tried"
            + " again in turn, some in each minute, and faster once the database deletes one.",
        row.sequence(),
        row.partition(),
        cause.getMessage());
  }

  /** How many of a partition there are. */
  synchronized int of(int partition) {
    return (int) rows.stream().filter(row -> row.partition() == partition).count();
  }

  /** Takes out all. */
  synchronized List<Position> takeAll() {
    List<Position> all = List.copyOf(rows);
    rows.clear();
    told = null;
    empty = true;
    return all;
  }
}
