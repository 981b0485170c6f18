package io.angarium.relay.internal.write;

import io.angarium.MessageId;
import io.angarium.StoreException;
import io.angarium.TimeSource;
import io.angarium.intake.Position;
import io.angarium.relay.internal.settings.RelayContext;
import io.angarium.relay.settings.RelayConfig;
import io.angarium.store.Invariant;
import io.angarium.store.SentMessage;
import io.angarium.store.WriteRefusedException;
import io.angarium.store.internal.Halving;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gathers acknowledged rows and deletes them by exact position, many at once; those that were read
 * in an earlier era by position and message. A batch that fails is tried again: deleting a row
 * twice does no harm. Of one that the database refuses, the refused rows are set aside.
 * Thread-safe.
 */
public final class DeleteQueue {
  private static final Logger LOG = LoggerFactory.getLogger(DeleteQueue.class);

  private static final Comparator<Position> BY_SEQUENCE =
      Comparator.comparingLong(Position::sequence);

  private final RelayContext context;
  private final RelayConfig.Window window;
  private final TimeSource time;
  private final Runnable onChange;
  private final RefusedDeletes refused;

  private final List<Position> acknowledged = new ArrayList<>();

  /** Acknowledged before; written first, deleted first. */
  private final Deque<Position> ordered = new ArrayDeque<>();

  /** Read in an earlier era; since then their positions may have been given to other messages. */
  private final Deque<SentMessage> exact = new ArrayDeque<>();

  private List<Position> deleted = new ArrayList<>();
  private long oldestNanos;

  /** Held while rows that were taken from the others are deleted. */
  private final Lock underWay = new ReentrantLock();

  /**
   * @param onChange called when a batch is full or deleted, to wake who waits
   */
  public DeleteQueue(RelayContext context, Runnable onChange) {
    this.context = context;
    this.window = context.config().window();
    this.time = context.time();
    this.onChange = onChange;
    this.refused = new RefusedDeletes(time);
  }

  /** Takes acknowledged rows. */
  public void add(List<Position> positions) {
    add(() -> acknowledged.addAll(positions));
  }

  /** Takes an acknowledged row that was read in an earlier era. */
  public void addExact(SentMessage message) {
    add(() -> exact.add(message));
  }

  private void add(Runnable addition) {
    boolean wake;
    synchronized (this) {
      int before = waiting();
      if (before == 0) {
        oldestNanos = time.nanoTime();
      }
      addition.run();
      wake = before == 0 || (before < window.deleteBatch() && waiting() >= window.deleteBatch());
    }
    if (wake) {
      onChange.run();
    }
  }

  /** Nanoseconds until a batch is due; {@link Long#MAX_VALUE} if nothing waits. */
  public synchronized long nanosToDue() {
    return Math.min(nanosToBatch(), refused.nanosToDue());
  }

  private long nanosToBatch() {
    if (waiting() == 0) {
      return Long.MAX_VALUE;
    }
    if (waiting() >= window.deleteBatch()) {
      return 0;
    }
    return oldestNanos + window.deletePause().toNanos() - time.nanoTime();
  }

  /**
   * Deletes one batch, if anything waits, and what was refused before, if it is time to. Blocks.
   *
   * @return how many rows were deleted or refused for the first time; 0 if nothing waited
   * @throws StoreException if the database failed; the rows are kept for the next call
   */
  public int run() {
    int done;
    underWay.lock();
    try {
      List<SentMessage> ofBefore = takeExact();
      done = ofBefore.isEmpty() ? delete(take()) : deleteExact(ofBefore);
      done += deleteRefused();
    } finally {
      underWay.unlock();
    }
    if (done > 0) {
      onChange.run();
    }
    return done;
  }

  private int delete(List<Position> batch) {
    if (batch.isEmpty()) {
      return 0;
    }
    Halving<Position> halving = halving(context.store()::delete);
    try {
      halving.run(batch);
    } catch (RuntimeException | Error e) {
      putBack(halving.takeUntried());
      throw e;
    } finally {
      deleted(halving.written());
      refused.add(halving);
    }
    return batch.size();
  }

  private int deleteRefused() {
    List<Position> batch = refused.takeDue(window.deleteBatch());
    if (batch.isEmpty()) {
      return 0;
    }
    Halving<Position> halving = halving(context.store()::delete);
    try {
      halving.run(batch);
    } finally {
      deleted(halving.written());
      refused.addAgain(halving);
    }
    return halving.written().size();
  }

  private <T> Halving<T> halving(Consumer<List<T>> write) {
    return new Halving<>(write, refusal -> context.listener().storeFailed("delete", refusal));
  }

  private synchronized void deleted(List<Position> rows) {
    deleted.addAll(rows);
  }

  /** False while the database was reached and refuses to delete a row. */
  public boolean areTaken() {
    return refused.isEmpty();
  }

  /** Rows of a partition that are in flight for refused deletes alone. */
  public int refusedRows(int partition) {
    return refused.of(partition);
  }

  /** Forgets refused rows: the next owner of their partitions sends them once more. */
  public void dropRefused() {
    deleted(refused.takeAll());
  }

  private int waiting() {
    return ordered.size() + acknowledged.size() + exact.size();
  }

  private synchronized List<SentMessage> takeExact() {
    List<SentMessage> batch = new ArrayList<>();
    while (batch.size() < window.deleteBatch() && !exact.isEmpty()) {
      batch.add(exact.remove());
    }
    return batch;
  }

  private int deleteExact(List<SentMessage> batch) {
    Set<Position> taken = new HashSet<>();
    Halving<SentMessage> halving = halving(part -> taken.addAll(context.store().deleteExact(part)));
    try {
      halving.run(batch);
    } catch (RuntimeException | Error e) {
      putBackExact(halving.takeUntried());
      throw e;
    } finally {
      deleted(positions(halving.written()));
      giveUp(halving);
      report(batch, taken);
    }
    return batch.size();
  }

  private static List<Position> positions(List<SentMessage> messages) {
    return messages.stream().map(SentMessage::position).toList();
  }

  private synchronized void putBackExact(List<SentMessage> batch) {
    exact.addAll(batch);
    oldestNanos = time.nanoTime();
  }

  /** They must not keep the partitions from being taken up in this era. */
  private void giveUp(Halving<SentMessage> halving) {
    List<SentMessage> left = new ArrayList<>(halving.refused());
    left.addAll(halving.untried());
    WriteRefusedException cause = halving.cause();
    if (!left.isEmpty() && cause != null) {
      LOG.warn(
          "The database refuses to delete {} messages that were sent before it took over; they are"
              + " sent once more: {}",
          left.size(),
          cause.getMessage());
      deleted(positions(left));
    }
  }

  private void report(List<SentMessage> batch, Set<Position> taken) {
    if (!taken.isEmpty()) {
      SentMessage first =
          batch.stream().filter(message -> taken.contains(message.position())).findFirst().get();
      context
          .tripwire()
          .broken(
              Invariant.EXACT_DELETE,
              taken.size()
                  + " messages were sent of which the database knows nothing any more, the first "
                  + first
                  + "; their places are those of other messages, which stay. A replica took over"
                  + " that lacked transactions, or a backup was restored: what those transactions"
                  + " wrote is gone, though its messages have arrived. Compare the receivers with"
                  + " the database.");
    }
  }

  /**
   * Takes a batch. If more rows wait than fit, it takes the rows written first among those that
   * waited when the queue was last ordered. A database deletes rows that lie together faster.
   */
  private synchronized List<Position> take() {
    int size = Math.min(window.deleteBatch(), ordered.size() + acknowledged.size());
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
   * From now on deletes waiting rows only if they still hold the same messages, as their positions
   * may have been given to others. Waits until a running delete has ended.
   *
   * @param ids which message was read at a position
   * @param then done while none is under way
   */
  public void startOver(Function<Position, MessageId> ids, Runnable then) {
    underWay.lock();
    try {
      synchronized (this) {
        acknowledged.addAll(refused.takeAll());
        order();
        ordered.forEach(position -> exact.add(new SentMessage(position, ids.apply(position))));
        ordered.clear();
      }
      then.run();
    } finally {
      underWay.unlock();
    }
  }

  /** What was deleted since the last call. */
  public synchronized List<Position> takeDeleted() {
    if (deleted.isEmpty()) {
      return List.of();
    }
    List<Position> taken = deleted;
    deleted = new ArrayList<>();
    return taken;
  }
}
