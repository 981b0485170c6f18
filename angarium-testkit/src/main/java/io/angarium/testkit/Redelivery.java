package io.angarium.testkit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Delivers messages to a listener as a bad day does: each several times, the repeats anywhere among
 * the others, some deliveries failing in the middle, several at once if wanted. A delivery that
 * throws comes again. What a message is, is for the test to say: a record of Kafka, a {@link
 * io.angarium.Message}, an order.
 *
 * <pre>{@code
 * Redelivery.of(orders).times(3).failingAt(mailServer).to(listener::receive)
 *     .assertOnce(order -> stock.deductions(order.id()));
 * }</pre>
 *
 * The order is drawn from a seed, and the same in every run with one thread. Immutable.
 *
 * @param <T> what is delivered
 */
public final class Redelivery<T> {
  private static final int TIMES_MAX = 1_000;
  private static final int THREADS_MAX = 64;

  /**
   * Receives messages.
   *
   * @param <T> what is delivered
   */
  @FunctionalInterface
  public interface Listener<T> {
    /**
     * Receives one.
     *
     * @throws Exception to have it delivered again
     */
    void receive(T message) throws Exception;
  }

  /**
   * Delivers one message so that it fails.
   *
   * @param <T> what is delivered
   */
  @FunctionalInterface
  public interface Failing<T> {
    /**
     * Hands the message to the listener and undoes it, e.g. in a transaction that is rolled back;
     * may throw or return.
     */
    void deliver(T message, Listener<T> listener) throws Exception;
  }

  private final List<T> messages;
  private final int times;
  private final int threads;
  private final long seed;
  private final @Nullable FailurePoint point;
  private final @Nullable Failing<T> failing;

  private Redelivery(
      List<T> messages,
      int times,
      int threads,
      long seed,
      @Nullable FailurePoint point,
      @Nullable Failing<T> failing) {
    this.messages = List.copyOf(messages);
    this.times = times;
    this.threads = threads;
    this.seed = seed;
    this.point = point;
    this.failing = failing;
  }

  /** Each of these twice, by one thread, without failures. */
  public static <T> Redelivery<T> of(Collection<T> messages) {
    return new Redelivery<>(List.copyOf(messages), 2, 1, 1, null, null);
  }

  /** A copy that delivers each message so often that it succeeds this many times, 1..1000. */
  public Redelivery<T> times(int times) {
    require(times, TIMES_MAX, "times");
    return new Redelivery<>(messages, times, threads, seed, point, failing);
  }

  /**
   * A copy with this many concurrent deliveries, 1..64. Deliveries of one message may be
   * concurrent, too.
   */
  public Redelivery<T> threads(int threads) {
    require(threads, THREADS_MAX, "threads");
    return new Redelivery<>(messages, times, threads, seed, point, failing);
  }

  /** A copy with another order; 1 unless set. */
  public Redelivery<T> seed(long seed) {
    return new Redelivery<>(messages, times, threads, seed, point, failing);
  }

  /**
   * A copy in which the first delivery of each message fails where the listener passes a point;
   * with several threads a repeat may have come before, and then the listener need not pass.
   */
  public Redelivery<T> failingAt(FailurePoint point) {
    return new Redelivery<>(messages, times, threads, seed, point, failing);
  }

  /** A copy in which the first delivery of each message is made, and undone, by the test. */
  public Redelivery<T> failingFirst(Failing<T> failing) {
    return new Redelivery<>(messages, times, threads, seed, point, failing);
  }

  private static void require(int value, int max, String name) {
    if (value < 1 || value > max) {
      throw new IllegalArgumentException(name + ": " + value + " (expected: 1.." + max + ")");
    }
  }

  /**
   * Delivers all of them. Blocks.
   *
   * @throws AssertionError if a message fails a hundred times, or the listener does not pass the
   *     point at which it was to fail
   */
  public Deliveries<T> to(Listener<T> listener) {
    List<T> all = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      all.addAll(messages);
    }
    Collections.shuffle(all, new Random(seed));
    return new DeliveryRun<>(messages, all, seed, point, failing, listener).run(threads);
  }
}
