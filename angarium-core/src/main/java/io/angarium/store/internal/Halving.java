package io.angarium.store.internal;

import io.angarium.store.WriteRefusedException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes a batch in which the database refuses some rows for good. Splits what is refused in half,
 * down to the single row: finding one costs a refused statement for each split, and one more. For
 * Angarium's modules. Not thread-safe: one thread at a time.
 *
 * @param <T> what stands for a row
 */
public final class Halving<T> {
  /** Refused statements of one batch: enough to find four rows among a thousand. */
  private static final int REFUSALS_MAX = 40;

  /** So many rows refused and none written: the cause is none of them. */
  private static final int ROWS_MAX = 100;

  private final Consumer<List<T>> write;
  private final Consumer<WriteRefusedException> onRefusal;
  private final List<T> written = new ArrayList<>();
  private final List<T> refused = new ArrayList<>();
  private final Deque<List<T>> untried = new ArrayDeque<>();
  private final List<WriteRefusedException> causes = new ArrayList<>();
  private boolean patient;
  private int refusals;

  /**
   * Creates it; nothing is written yet.
   *
   * @param write writes all or nothing
   * @param onRefusal hears of each refused statement
   */
  public Halving(Consumer<List<T>> write, Consumer<WriteRefusedException> onRefusal) {
    this.write = write;
    this.onRefusal = onRefusal;
  }

  /**
   * Creates one that tries every row, unless the database refuses the first hundred and takes none;
   * nothing is written yet.
   *
   * @param write writes all or nothing
   */
  static <T> Halving<T> ofAll(Consumer<List<T>> write) {
    Halving<T> halving = new Halving<>(write, refusal -> {});
    halving.patient = true;
    return halving;
  }

  /**
   * Writes what the database takes, unless it refuses too often. Blocks. May be called again with
   * more.
   *
   * @throws RuntimeException if {@code write} fails in another way; what was not written by then is
   *     {@link #untried} or {@link #refused}
   */
  public void run(List<T> batch) {
    untried.push(batch);
    while (!untried.isEmpty() && !isEnough()) {
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

  private boolean isEnough() {
    return patient ? written.isEmpty() && refused.size() >= ROWS_MAX : refusals >= REFUSALS_MAX;
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
      causes.add(thrown);
    }
  }

  /** What was written. */
  public List<T> written() {
    return written;
  }

  /** Each was refused alone. */
  public List<T> refused() {
    return refused;
  }

  /** Why the first of the refused ones was; null if none was. */
  public @Nullable WriteRefusedException cause() {
    return causes.isEmpty() ? null : causes.get(0);
  }

  /** Why each of the refused ones was, in their order. */
  List<WriteRefusedException> causes() {
    return causes;
  }

  /** True if all was written. */
  public boolean isWhole() {
    return refused.isEmpty() && untried.isEmpty();
  }

  /** What may be written or refused another time. */
  public List<T> untried() {
    return untried.stream().flatMap(List::stream).toList();
  }

  /** Returns the rows of {@link #untried} and removes them from this batch. */
  public List<T> takeUntried() {
    List<T> taken = untried();
    untried.clear();
    return taken;
  }
}
