package io.angarium.kafka;

import io.angarium.transport.Absence;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A topic and the messages held back for it, in order. Guarded by the transport's lock, except for
 * what says otherwise.
 */
final class KafkaTopic {
  private static final Pattern LEGAL = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

  final String name;
  final Deque<KafkaAttempt> held = new ArrayDeque<>(0);

  /** Why the first of them was not taken last time; null if no producer was asked. */
  @Nullable Exception heldBecause;

  /** For how long the brokers have not known it. */
  final Absence absence = new Absence();

  /** True if a producer has taken a message for it, so that it was there. */
  boolean known;

  /** The producer that all its messages go to; changes only while none is under way. */
  ProducerLine lane;

  /** When the last message was offered to it. */
  long usedNanos;

  /** Messages under way in the lane for troubled topics; any thread. */
  final AtomicInteger underWay = new AtomicInteger();

  /** True from a failure of its own to the next acknowledgement; any thread. */
  volatile boolean troubled;

  /** Whose times its records have; any thread. */
  final RecordClock clock = new RecordClock();

  /** False if no broker can have a topic of this name. */
  final boolean isLegal;

  KafkaTopic(String name, ProducerLine lane) {
    this.name = name;
    this.lane = lane;
    this.isLegal = isLegal(name);
  }

  /** A producer has taken a message for it: it is there, or was until a moment ago. */
  void taken(long nowNanos) {
    known = true;
    absence.lookedUp(false, nowNanos);
  }

  /** True if nothing of it is under way in the lane for troubled topics and the last was stored. */
  boolean isWell() {
    return !troubled && held.isEmpty() && underWay.get() == 0;
  }

  static boolean isLegal(String name) {
    return LEGAL.matcher(name).matches() && !name.equals(".") && !name.equals("..");
  }

  static String invalid(String name) {
    return "'"
        + name
        + "' cannot be a topic of Kafka (expected: 1..249 letters, digits, '.', '_' or '-');"
        + " correct the destination and send it anew";
  }
}
