package io.angarium.relay;

import io.angarium.store.OutboxStore;
import io.angarium.store.Span;
import io.angarium.store.StoreException;
import io.angarium.store.StoredMessage;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads what the next look will want while the lane hands over what this one found. Only for keyed
 * partitions: above their cursor nobody but the owner touches a row, so that what was read is still
 * there when it is used. Used by the very next look or not at all. Not thread-safe: one thread at a
 * time; the read itself runs on the executor.
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
   * @param partitions as they were when it began, with the cursors it began at
   */
  private record Ahead(
      List<PartitionState> partitions,
      List<Span> spans,
      int perSpan,
      FutureTask<List<StoredMessage>> rows) {}

  /**
   * What a look found ahead of it.
   *
   * @param perSpan the most rows of one partition
   */
  record Found(List<PartitionState> partitions, int perSpan, List<StoredMessage> rows) {}

  ReadAhead(OutboxStore store, Executor executor) {
    this.store = store;
    this.executor = executor;
  }

  /**
   * Begins to read further in partitions that had more than a look took.
   *
   * @param free rows the window has room for, at least 1
   */
  void begin(List<PartitionState> behind, int free) {
    List<PartitionState> keyed = behind.stream().filter(PartitionState::keyed).toList();
    if (keyed.isEmpty() || ++inARow >= IN_A_ROW_MAX) {
      inARow = 0;
      return;
    }
    List<Span> spans =
        keyed.stream().map(p -> new Span(p.partition, p.cursor(), Long.MAX_VALUE)).toList();
    int perSpan = Math.max(1, free / keyed.size());
    FutureTask<List<StoredMessage>> rows = new FutureTask<>(() -> store.read(spans, perSpan));
    next = new Ahead(keyed, spans, perSpan, rows);
    executor.execute(rows);
  }

  /**
   * True if a look may use what was read ahead: all is as it was when that began.
   *
   * @param owned the state of a partition, null if it is not owned
   * @param free rows the window has room for
   */
  boolean fits(IntFunction<@Nullable PartitionState> owned, int free) {
    Ahead ahead = next;
    if (ahead == null || ahead.perSpan() * (long) ahead.spans().size() > free) {
      return false;
    }
    for (int i = 0; i < ahead.partitions().size(); i++) {
      PartitionState partition = ahead.partitions().get(i);
      boolean same =
          owned.apply(partition.partition) == partition
              && partition.cursor() == ahead.spans().get(i).after();
      if (!same) {
        return false;
      }
    }
    return true;
  }

  /** Forgets what was read ahead. */
  void forget() {
    next = null;
    inARow = 0;
  }

  /**
   * Takes what was read ahead. Blocks until it is there.
   *
   * @throws StoreException if the read failed
   */
  Found take() {
    Ahead ahead = next;
    if (ahead == null) {
      throw new IllegalStateException("nothing was read ahead; ask fits first");
    }
    next = null;
    return new Found(ahead.partitions(), ahead.perSpan(), rows(ahead.rows()));
  }

  private static List<StoredMessage> rows(FutureTask<List<StoredMessage>> task) {
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
