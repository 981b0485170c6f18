package io.angarium.rocketmq;

import io.angarium.store.StoredMessage;
import io.angarium.transport.SendResult;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One message on its way to one result. Guarded by the lock of {@link Queues}. */
final class Attempt {
  private static final Logger LOG = LoggerFactory.getLogger(Attempt.class);

  final StoredMessage message;
  final RocketAddress address;

  /** All but the payload in the words of RocketMQ, see {@link MessageEncoding#properties}. */
  final String properties;

  /** What it takes of a request, see {@link MessageEncoding#storedBytes}. */
  final int bytes;

  private final BiConsumer<StoredMessage, SendResult> results;

  /** When it was handed over. */
  final long offeredNanos;

  /** The call of {@code send} that handed it over, counted from 1. */
  final long call;

  /** True if it was in a request that the broker refused, perhaps because of it. */
  boolean alone;

  Attempt(
      StoredMessage message,
      RocketAddress address,
      String properties,
      BiConsumer<StoredMessage, SendResult> results,
      long call,
      long offeredNanos) {
    this.message = message;
    this.address = address;
    this.properties = properties;
    this.bytes = MessageEncoding.storedBytes(message.message(), address, properties);
    this.results = results;
    this.call = call;
    this.offeredNanos = offeredNanos;
  }

  /** The key, or null. */
  @Nullable String key() {
    return message.message().key();
  }

  /** Takes those of a key out of others, in their order. */
  static List<Attempt> takeOfKey(String key, Collection<Attempt> attempts) {
    List<Attempt> taken = new ArrayList<>();
    attempts.removeIf(attempt -> key.equals(attempt.key()) && taken.add(attempt));
    return taken;
  }

  /** Gives the result; no lock may be held. */
  void give(SendResult result) {
    give(message, result, results);
  }

  /** Gives the result of a message that takes no way at all. */
  static void give(
      StoredMessage message, SendResult result, BiConsumer<StoredMessage, SendResult> results) {
    try {
      results.accept(message, result);
    } catch (RuntimeException e) { // breaks its contract, but must not cost the others theirs
      LOG.error("The receiver of results failed on message {}.", message, e);
    }
  }
}
