package io.angarium.relay;

import io.angarium.store.WriteRefusedException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes a batch in which the database refuses some rows for good. Splits what is refused in half,
 * down to the single row: finding one costs a refused statement for each split, and one more. Not
 * thread-safe: one thread at a time.
 *
 * @param <T> what stands for a row
 */
final class Halving<T> {
  /** Refused statements of one batch: enough to find four rows among a thousand. */
  private static final int REFUSALS_MAX = 40;

  private final Consumer<List<T>> write;
  private final Consumer<WriteRefusedException> onRefusal;
  private final List<T> written = new ArrayList<>();
  private final List<T> refused = new ArrayList<>();
  private final Deque<List<T>> untried = new ArrayDeque<>();
  private int refusals;
  private @Nullable WriteRefusedException cause;

  /**
   * @param write writes all or nothing
   * @param onRefusal hears of each refused statement
   */
  Halving(Consumer<List<T>> write, Consumer<WriteRefusedException> onRefusal) {
    this.write = write;
    this.onRefusal = onRefusal;
  }

  /**
   * Writes what the database takes, unless it refuses too often. Blocks.
   *
   * @throws RuntimeException if {@code write} fails in another way; what was not written by then is
   *     {@link #untried} or {@link #refused}
   */
  void run(List<T> batch) {
    untried.push(batch);
    while (!untried.isEmpty() && refusals < REFUSALS_MAX) {
      List<T> part = untried.getFirst();
      try {
        write.accept(part);
        untried.removeFirst();
        written.addAll(part);
      } catch (WriteRefusedException e) {
        untried.removeFirst();
        refuse(part, e);
      }
    }
  }

  private void refuse(List<T> part, WriteRefusedException thrown) {
    refusals++;
    onRefusal.accept(thrown);
    if (part.size() > 1) {
      int half = part.size() / 2;
      untried.push(part.subList(half, part.size()));
      untried.push(part.subList(0, half));
    } else {
      refused.addAll(part);
      cause = cause == null ? thrown : cause;
    }
  }

  /** What was written. */
  List<T> written() {
    return written;
  }

  /** Each was refused alone. */
  List<T> refused() {
    return refused;
  }

  /** Why the first of the refused ones was; null if none was. */
  @Nullable WriteRefusedException cause() {
    return cause;
  }

  /** True if all was written. */
  boolean isWhole() {
    return refused.isEmpty() && untried.isEmpty();
  }

  /** What may be written or refused another time. */
  List<T> untried() {
    return untried.stream().flatMap(List::stream).toList();
  }

  /** As {@link #untried}; they are none of this batch any more. */
  List<T> takeUntried() {
    List<T> taken = untried();
    untried.clear();
    return taken;
  }
}
