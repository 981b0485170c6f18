package io.angarium.relay;

import io.angarium.TimeSource;
import io.angarium.store.OutboxStore;
import io.angarium.store.Position;
import io.angarium.store.StoreException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Gathers acknowledged rows and deletes them by exact position, many at once. A batch that fails is
 * tried again: deleting a row twice does no harm. Thread-safe.
 */
final class Deletes {
  private static final Comparator<Position> BY_SEQUENCE =
      Comparator.comparingLong(Position::sequence);

  private final OutboxStore store;
  private final RelayConfig.Window window;
  private final TimeSource time;
  private final Runnable onChange;

  private final List<Position> acknowledged = new ArrayList<>();

  /** Acknowledged before; written first, deleted first. */
  private final Deque<Position> ordered = new ArrayDeque<>();

  private List<Position> deleted = new ArrayList<>();
  private long oldestNanos;

  /** Held while rows that were taken from the others are deleted. */
  private final Lock underWay = new ReentrantLock();

  /**
   * @param onChange called when a batch is full or deleted, to wake who waits
   */
  Deletes(OutboxStore store, RelayConfig.Window window, TimeSource time, Runnable onChange) {
    this.store = store;
    this.window = window;
    this.time = time;
    this.onChange = onChange;
  }

  /** Takes acknowledged rows. */
  void add(List<Position> positions) {
    boolean wake;
    synchronized (this) {
      int before = waiting();
      if (before == 0) {
        oldestNanos = time.nanoTime();
      }
      acknowledged.addAll(positions);
      wake = before == 0 || (before < window.deleteBatch() && waiting() >= window.deleteBatch());
    }
    if (wake) {
      onChange.run();
    }
  }

  /** Nanoseconds until a batch is due; {@link Long#MAX_VALUE} if nothing waits. */
  synchronized long nanosToDue() {
    if (waiting() == 0) {
      return Long.MAX_VALUE;
    }
    if (waiting() >= window.deleteBatch()) {
      return 0;
    }
    return oldestNanos + window.deletePause().toNanos() - time.nanoTime();
  }

  /**
   * Deletes one batch, if anything waits. Blocks.
   *
   * @return how many rows; 0 if nothing waited
   * @throws StoreException if the database refused; the rows are kept for the next call
   */
  int run() {
    List<Position> batch;
    underWay.lock();
    try {
      batch = take();
      if (batch.isEmpty()) {
        return 0;
      }
      delete(batch);
    } finally {
      underWay.unlock();
    }
    synchronized (this) {
      deleted.addAll(batch);
    }
    onChange.run();
    return batch.size();
  }

  private void delete(List<Position> batch) {
    try {
      store.delete(batch);
    } catch (RuntimeException | Error e) {
      putBack(batch);
      throw e;
    }
  }

  private int waiting() {
    return ordered.size() + acknowledged.size();
  }

  /**
   * Of more than fit, those written first, as far as they were there when the last were ordered: a
   * database deletes rows that lie together faster.
   */
  private synchronized List<Position> take() {
    int size = Math.min(window.deleteBatch(), waiting());
    if (ordered.size() < size) {
      order();
    }
    List<Position> batch = new ArrayList<>(size);
    while (batch.size() < size) {
      batch.add(ordered.removeFirst());
    }
    return batch;
  }

  /** All that wait; done for many batches at once, as it takes as long as to send some of them. */
  private void order() {
    acknowledged.addAll(ordered);
    acknowledged.sort(BY_SEQUENCE);
    ordered.clear();
    ordered.addAll(acknowledged);
    acknowledged.clear();
  }

  private synchronized void putBack(List<Position> batch) {
    for (int i = batch.size() - 1; i >= 0; i--) {
      ordered.addFirst(batch.get(i));
    }
    oldestNanos = time.nanoTime();
  }

  /**
   * Deletes none of the rows that wait: their positions may be those of other messages. They are
   * reported as deleted. Waits for the end of a delete that is under way.
   *
   * @param then done while none is under way
   */
  void disown(Runnable then) {
    underWay.lock();
    try {
      synchronized (this) {
        deleted.addAll(ordered);
        ordered.clear();
        deleted.addAll(acknowledged);
        acknowledged.clear();
      }
      then.run();
    } finally {
      underWay.unlock();
    }
  }

  /** What was deleted since the last call. */
  synchronized List<Position> takeDeleted() {
    if (deleted.isEmpty()) {
      return List.of();
    }
    List<Position> taken = deleted;
    deleted = new ArrayList<>();
    return taken;
  }
}
