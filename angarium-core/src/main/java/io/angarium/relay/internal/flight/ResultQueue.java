package io.angarium.relay.internal.flight;

import io.angarium.intake.StoredMessage;
import io.angarium.transport.SendResult;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Results on their way from the transports' threads to the send loop, in the order they came; taken
 * all at once, so that the two meet rarely. Thread-safe, but only one thread takes.
 */
public final class ResultQueue {
  private List<Result> arrived = new ArrayList<>();
  private List<Result> emptied = new ArrayList<>();

  /** What became of one attempt. */
  public record Result(StoredMessage row, SendResult result) {}

  public void add(StoredMessage row, SendResult result) {
    Result added = new Result(row, result);
    synchronized (this) {
      arrived.add(added);
    }
  }

  public synchronized boolean isEmpty() {
    return arrived.isEmpty();
  }

  /**
   * Gives all that have come to {@code taker}. If it throws, those after the one it failed on come
   * first next time.
   *
   * @return how many there were
   */
  public int drain(Consumer<Result> taker) {
    List<Result> taken = take();
    int next = 0;
    try {
      while (next < taken.size()) {
        taker.accept(taken.get(next++));
      }
      return next;
    } finally {
      if (next < taken.size()) {
        putBack(taken.subList(next, taken.size()));
      }
    }
  }

  private synchronized List<Result> take() {
    List<Result> taken = arrived;
    emptied.clear();
    arrived = emptied;
    emptied = taken;
    return taken;
  }

  private synchronized void putBack(List<Result> rest) {
    List<Result> all = new ArrayList<>(rest);
    all.addAll(arrived);
    arrived = all;
  }
}
