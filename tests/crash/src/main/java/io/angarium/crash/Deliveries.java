package io.angarium.crash;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Optional;
import java.util.Random;

/**
 * The source of deliveries, as brokers are: gives an order out at least once, and again when it
 * comes back without acknowledgement. Makes new orders until it is told to stop. Thread-safe.
 */
final class Deliveries {
  private static final int LATE = 200;

  private final Random random;
  private final int copies;
  private final double repeated;
  private final Deque<Delivery> waiting = new ArrayDeque<>();
  private final Deque<Delivery> late = new ArrayDeque<>();
  private int orders;
  private long numbers;
  private boolean stopped;

  /**
   * Makes one.
   *
   * @param copies how often each order is delivered at once, at least 1
   * @param repeated the share of further deliveries that repeat an order, half of them at once and
   *     half of them later
   */
  Deliveries(Random random, int copies, double repeated) {
    this.random = random;
    this.copies = copies;
    this.repeated = repeated;
  }

  /** The next one; empty if there is none now, because it was told to stop. */
  synchronized Optional<Delivery> next() {
    if (late.size() > (stopped ? 0 : LATE)) {
      return Optional.of(late.remove());
    }
    if (waiting.isEmpty() && !stopped) {
      order();
    }
    return Optional.ofNullable(waiting.poll());
  }

  private void order() {
    Order order = new Order(++orders);
    for (int i = 0; i < copies; i++) {
      waiting.add(new Delivery(++numbers, order));
    }
    while (random.nextDouble() < repeated) {
      (random.nextBoolean() ? waiting : late).add(new Delivery(++numbers, order));
    }
  }

  /** What was given out and not acknowledged comes again, before anything else. */
  synchronized void giveBack(Collection<Delivery> deliveries) {
    deliveries.forEach(waiting::addFirst);
  }

  /** Makes no more orders. What is waiting is still given out. */
  synchronized void stop() {
    stopped = true;
  }

  /** How many there were so far. */
  synchronized int orders() {
    return orders;
  }

  /** Deliveries beyond the first of an order, made on purpose. */
  synchronized long duplicates() {
    return numbers - orders;
  }
}
