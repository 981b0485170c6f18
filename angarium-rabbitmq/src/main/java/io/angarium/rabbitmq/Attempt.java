package io.angarium.rabbitmq;

import io.angarium.store.StoredMessage;
import io.angarium.transport.SendResult;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One message on its way to one result. Guarded by the lock of {@link Lanes}. */
final class Attempt {
  private static final Logger LOG = LoggerFactory.getLogger(Attempt.class);

  final StoredMessage message;
  final RabbitAddress address;
  private final BiConsumer<StoredMessage, SendResult> results;

  /** When it was handed over to the transport. */
  final long offeredNanos;

  /** When it began to wait for its exchange or its lane. */
  long waitingNanos;

  /** When it was given to a channel. */
  long publishedNanos;

  /** True if it has its result, though the broker may still answer. */
  boolean givenUp;

  /** True if it was on a channel that broke, perhaps because of it. */
  boolean suspect;

  Attempt(
      StoredMessage message,
      RabbitAddress address,
      BiConsumer<StoredMessage, SendResult> results,
      long offeredNanos) {
    this.message = message;
    this.address = address;
    this.results = results;
    this.offeredNanos = offeredNanos;
    this.waitingNanos = offeredNanos;
  }

  int payloadBytes() {
    return message.message().payload().length;
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
