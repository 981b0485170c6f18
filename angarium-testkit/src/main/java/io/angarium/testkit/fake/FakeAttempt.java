package io.angarium.testkit.fake;

import io.angarium.intake.StoredMessage;
import io.angarium.testkit.fake.FakeTransport.Outcome;
import io.angarium.transport.SendResult;
import java.util.function.BiConsumer;

/** One message handed to a {@link FakeTransport}. Guarded by the transport's lock. */
final class FakeAttempt {
  private enum Fate {
    OPEN,
    STORED,
    REFUSED,
    NEVER_STORED
  }

  final StoredMessage message;
  private final Object caller;
  private final BiConsumer<StoredMessage, SendResult> results;

  /** Computed once: every attempt is compared with all that are in flight. */
  private final long keyHash;

  private Fate fate = Fate.OPEN;
  private boolean decided;
  private boolean reported;

  FakeAttempt(Object caller, StoredMessage message, BiConsumer<StoredMessage, SendResult> results) {
    this.caller = caller;
    this.message = message;
    this.results = results;
    this.keyHash = message.keyHash();
  }

  boolean isDecided() {
    return decided;
  }

  boolean isReported() {
    return reported;
  }

  void reported() {
    reported = true;
  }

  boolean isNeverStored() {
    return fate == Fate.NEVER_STORED;
  }

  @SuppressWarnings("ReferenceEquality") // callers are told apart by identity
  boolean isOf(Object asked) {
    return caller == asked;
  }

  boolean sameKey(FakeAttempt other) {
    return keyHash == other.keyHash
        && isOf(other.caller)
        && message.isKeyed()
        && message.message().destination().equals(other.message.message().destination());
  }

  void store(FakeBroker broker) {
    if (fate == Fate.OPEN) {
      fate = Fate.STORED;
      broker.store(message);
    }
  }

  void neverStore() {
    if (fate == Fate.OPEN) {
      fate = Fate.NEVER_STORED;
    }
  }

  void refuse() {
    if (fate == Fate.OPEN) {
      fate = Fate.REFUSED;
    }
  }

  /** The result that is true to the fate, as near to what was wanted as possible. */
  SendResult decide(Outcome wanted) {
    decided = true;
    return switch (wanted) {
      case UNAVAILABLE, UNAVAILABLE_AFTER_STORING ->
          new SendResult.Unavailable("simulated: destination is down", null);
      case FAIL, LOSE_ACK -> new SendResult.Failed("simulated: attempt failed", null);
      case REFUSE ->
          fate == Fate.REFUSED
              ? new SendResult.Refused(refusal(), null)
              : new SendResult.Failed("simulated: attempt failed", null);
      case ACKNOWLEDGE ->
          fate == Fate.STORED
              ? SendResult.ACKNOWLEDGED
              : new SendResult.Failed("simulated: an earlier message of its key failed", null);
    };
  }

  private String refusal() {
    return "simulated: "
        + message.message().destination()
        + " does not take this message of "
        + message.message().payload().length
        + " bytes";
  }

  void report(SendResult result) {
    results.accept(message, result);
  }
}
