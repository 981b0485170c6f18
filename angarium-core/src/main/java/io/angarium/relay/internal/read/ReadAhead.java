package io.angarium.relay.internal.read;

import io.angarium.StoreException;
import io.angarium.relay.internal.partition.PartitionState;
import io.angarium.store.OutboxStore;
import io.angarium.store.ReadRows;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads what the next look will want while the send loop hands over what this one found. Only for
 * keyed partitions, and not while one is read for the second time: above their cursor nobody but
 * the owner touches a row, and the owner has none of those in flight, so that what was read is
 * still there when it is used. Used by the very next look or not at all. Not thread-safe: one
 * thread at a time; the read itself runs on the executor.
 */
final class ReadAhead {
  /** Looks in a row that ask for nothing but more of the same; then one looks everywhere. */
  private static final int IN_A_ROW_MAX = 4;

  private final OutboxStore store;
  private final Executor executor;
  private @Nullable Ahead next;
  private int inARow;

  /**
   * A read under way.
   *
   * @param look the partitions as they were when it began, and the cursors it began at
   */
  private record Ahead(ReadPlan look, FutureTask<ReadRows> read) {}

  ReadAhead(OutboxStore store, Executor executor) {
    this.store = store;
    this.executor = executor;
  }

  /**
   * Begins to read further in partitions that had more than a look took.
   *
   * @param plan makes a look at some of them
   */
  void begin(List<PartitionState> behind, Function<List<PartitionState>, ReadPlan> plan) {
    List<PartitionState> keyed =
        behind.stream().filter(p -> p.keyed() && !p.isRereading()).toList();
    if (keyed.isEmpty() || ++inARow >= IN_A_ROW_MAX) {
      inARow = 0;
      return;
    }
    ReadPlan look = plan.apply(keyed);
    FutureTask<ReadRows> read = new FutureTask<>(() -> store.read(look.spans(), look.limit()));
    next = new Ahead(look, read);
    executor.execute(read);
  }

  /**
   * True if a look may use what was read ahead: all is as it was when that began.
   *
   * @param owned the state of a partition, null if it is not owned or about to be given back: its
   *     late rows are not looked for any more
   * @param rows the window has room for
   * @param bytes the window has room for
   */
  boolean fits(IntFunction<@Nullable PartitionState> owned, int rows, long bytes) {
    Ahead ahead = next;
    if (ahead == null || ahead.look().rowsMax() > rows || ahead.look().limit().bytes() > bytes) {
      return false;
    }
    List<PartitionState> partitions = ahead.look().partitions();
    for (int i = 0; i < partitions.size(); i++) {
      PartitionState partition = partitions.get(i);
      boolean same =
          owned.apply(partition.partition) == partition
              && partition.cursor() == ahead.look().spans().get(i).after();
      if (!same) {
        return false;
      }
    }
    return true;
  }

  /**
   * True if no row could appear any more where it reads, already when that began: floors rise with
   * looks only, and this is used by the next one.
   */
  boolean isDecided() {
    Ahead ahead = next;
    if (ahead == null) {
      return false;
    }
    List<PartitionState> partitions = ahead.look().partitions();
    for (int i = 0; i < partitions.size(); i++) {
      if (ahead.look().spans().get(i).upTo() > partitions.get(i).floor()) {
        return false;
      }
    }
    return true;
  }

  /** Forgets what was read ahead, and does not read it any more if that has not begun. */
  void forget() {
    if (next != null) {
      next.read().cancel(false);
    }
    next = null;
    inARow = 0;
  }

  /**
   * Takes what was read ahead. Blocks until it is there.
   *
   * @throws StoreException if the read failed
   */
  ReadResult take() {
    Ahead ahead = next;
    if (ahead == null) {
      throw new IllegalStateException("nothing was read ahead; ask fits first");
    }
    next = null;
    return new ReadResult(ahead.look(), read(ahead.read()));
  }

  private static ReadRows read(FutureTask<ReadRows> task) {
    try {
      return task.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("Interrupted while reading; it is read again", e);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof RuntimeException failure) {
        throw failure;
      }
      if (cause instanceof Error failure) {
        throw failure;
      }
      throw new StoreException("Reading failed", cause);
    }
  }
}
