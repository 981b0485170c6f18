package io.angarium.rabbitmq;

import io.angarium.intake.StoredMessage;
import io.angarium.transport.SendResult;
import io.angarium.transport.internal.ResultReceiver;
import java.time.Duration;
import java.util.function.BiConsumer;

/** One message on its way to one result. Guarded by the lock of {@link ChannelQueues}. */
final class RabbitAttempt {
  private static final long NEVER = 0;

  final StoredMessage message;
  final RabbitAddress address;
  private final BiConsumer<StoredMessage, SendResult> results;

  /** When it was handed over to the transport. */
  final long offeredNanos;

  /** When it began to wait for its exchange or its lane. */
  long waitingNanos;

  /** When it was given to a channel. */
  long publishedNanos;

  /** When the publisher's thread began to write it, and had; not guarded by the lock. */
  private volatile long writingNanos = NEVER;

  private volatile long writtenNanos = NEVER;

  /** True if it has its result, though the broker may still answer. */
  boolean givenUp;

  /** True if it was on a channel that broke, perhaps because of it. */
  boolean suspect;

  /** True if it was on one that broke perhaps because of another: then it is stored, or not. */
  boolean perhapsStored;

  RabbitAttempt(
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

  /** Given to a channel, perhaps for the second time. */
  void published(long nowNanos) {
    publishedNanos = nowNanos;
    writingNanos = NEVER;
    writtenNanos = NEVER;
  }

  void writing(long nowNanos) {
    writingNanos = nowNanos | 1; // never the sign of none
  }

  void written(long nowNanos) {
    writtenNanos = nowNanos | 1;
  }

  /** True if it was not written in all this time. */
  boolean isBeingWrittenFor(Duration time, long nowNanos) {
    return writingNanos != NEVER && !isWritten() && nowNanos - writingNanos > time.toNanos();
  }

  boolean isWritten() {
    return writtenNanos != NEVER;
  }

  /** Since when only the broker can be what it waits for. */
  long awaitingNanos() {
    return isWritten() ? writtenNanos : publishedNanos;
  }

  int payloadBytes() {
    return message.message().payload().length;
  }

  /** Gives the result; no lock may be held. */
  void give(SendResult result) {
    ResultReceiver.give(message, result, results);
  }
}
