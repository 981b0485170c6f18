package io.angarium.rocketmq;

import io.angarium.intake.StoredMessage;
import io.angarium.rocketmq.RocketCaller.Call;
import io.angarium.transport.SendResult;
import io.angarium.transport.internal.ResultReceiver;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** One message on its way to one result. Guarded by the lock of {@link Queues}. */
final class RocketAttempt {

  final StoredMessage message;
  final RocketAddress address;

  /** All but the payload in the words of RocketMQ, see {@link MessageEncoding#properties}. */
  final String properties;

  /** What it takes of a request, see {@link MessageEncoding#storedBytes}. */
  final int bytes;

  private final BiConsumer<StoredMessage, SendResult> results;

  /** When it was handed over. */
  final long offeredNanos;

  /** What handed it over. */
  final Call call;

  /** True if it was in a request that the broker refused, perhaps because of it. */
  boolean alone;

  RocketAttempt(
      StoredMessage message,
      RocketAddress address,
      String properties,
      BiConsumer<StoredMessage, SendResult> results,
      Call call,
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

  /** Removes the attempts of the same caller and key from others, and returns them in order. */
  List<RocketAttempt> takeThoseOfItsKey(Collection<RocketAttempt> others) {
    List<RocketAttempt> taken = new ArrayList<>();
    others.removeIf(other -> isOfTheKeyOf(other) && taken.add(other));
    return taken;
  }

  @SuppressWarnings("ReferenceEquality") // callers are told apart by identity
  private boolean isOfTheKeyOf(RocketAttempt other) {
    return call.caller() == other.call.caller() && Objects.equals(key(), other.key());
  }

  /** Gives the result; no lock may be held. */
  void give(SendResult result) {
    ResultReceiver.give(message, result, results);
  }
}
