package io.angarium.rabbitmq;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * An exchange and the messages held back until it is known to exist: publishing to one that does
 * not would cost the channel. Guarded by the lock of {@link ChannelQueues}.
 */
final class RabbitExchange {
  final String name;
  final Deque<RabbitAttempt> held = new ArrayDeque<>(0);

  /** True once the broker said that it exists. */
  boolean known;

  /** True if the broker said last that it does not exist. */
  boolean missing;

  /** True from a refused permission to the next confirm: its messages go the careful way. */
  boolean forbidden;

  RabbitExchange(String name) {
    this.name = name;
    this.known = name.isEmpty(); // the default exchange is always there
  }

  void forget() {
    known = name.isEmpty();
  }

  List<RabbitAttempt> takeHeld() {
    List<RabbitAttempt> all = new ArrayList<>(held);
    held.clear();
    return all;
  }

  /** True if nothing would be lost by not knowing it any more. */
  boolean isForgettable() {
    return held.isEmpty() && !forbidden;
  }
}
