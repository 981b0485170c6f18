package io.angarium.crash;

import io.angarium.inbox.InboxKey;

/**
 * What was sold, as a warehouse is told. Immutable.
 *
 * @param number 1, 2, 3 …
 */
record Order(int number) implements Comparable<Order> {
  /** Few, so that deliveries meet at their rows. */
  static final int ITEMS = 5;

  int item() {
    return number % ITEMS;
  }

  /** Different enough that one order too few does not hide one too many in a sum. */
  long amount() {
    return 1 + Integer.toUnsignedLong(number * 0x9E37_79B9) % 1_000_000;
  }

  InboxKey key(String consumer) {
    return InboxKey.of(consumer, "order " + number);
  }

  /** By item, so that all take the rows of stock in one order. */
  @Override
  public int compareTo(Order other) {
    int byItem = Integer.compare(item(), other.item());
    return byItem == 0 ? Integer.compare(number, other.number) : byItem;
  }
}
