package io.angarium.desk;

import io.angarium.Destination;
import io.angarium.Headers;
import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.StoreException;
import io.angarium.intake.MessageIntake;
import io.angarium.internal.ShownAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What persons decide about messages. Each call is one transaction that also writes its entries of
 * the {@link AuditLog}, blocks, and throws {@link StoreException} if the database cannot be
 * reached. An id that is not in the stage is passed over, so that a repeated call changes nothing.
 * Every call takes 1..{@link #IDS_MAX} ids, else {@link IllegalArgumentException}. Thread-safe.
 */
public interface MessageActs {
  /** The most messages of one call. */
  int IDS_MAX = 1_000;

  /** How long a pause must last on so that messages of its destinations can be buried. */
  Duration PAUSE_LEFT_MIN = Duration.ofSeconds(10);

  /**
   * Sends dead letters again, with no attempts counted. One that blocks its key takes its old place
   * before the waiting ones; any other is enqueued anew at the end of its key.
   */
  ActResult requeue(Collection<MessageId> dead, ActBy by);

  /**
   * Takes dead letters away; they are kept for a while, see {@link #restore}. If one blocked its
   * key, the waiting ones go on.
   */
  ActResult discard(Collection<MessageId> dead, ActBy by);

  /**
   * Makes discarded messages dead letters again, or delayed ones if they were; a delayed one that
   * is overdue by then is due at once.
   *
   * <p>A dead letter blocks its key again if it did before, a message waited for it when it was
   * discarded, and the first of those still waits or blocks the key itself. An attempt that is
   * under way at that moment goes on, so that its message may arrive before the restored one. Any
   * other comes back without blocking its key: nothing proves then that no later message was sent,
   * and the relay would not know of it. A requeue sends that one at the end of its key.
   */
  ActResult restore(Collection<MessageId> discarded, ActBy by);

  /** Takes delayed messages away, so that they are not sent; see {@link #restore}. */
  ActResult cancel(Collection<MessageId> delayed, ActBy by);

  /**
   * Makes delayed messages, and those that are retrying, due at once; the relay finds them at its
   * next poll. One that is due already keeps its place. A held message is in neither stage.
   */
  ActResult sendNow(Collection<MessageId> delayedOrRetrying, ActBy by);

  /**
   * Makes waiting, retrying and held messages dead letters, e.g. because their destination is
   * misspelt. The later messages of their keys go on.
   *
   * <p>A relay may be sending a message that waits. So one is refused unless its destination is
   * paused, every live node has {@link io.angarium.desk.DestinationPause#applied applied} that, and
   * the pause does not end within {@link #PAUSE_LEFT_MIN}.
   */
  ActResult bury(Collection<MessageId> undelivered, ActBy by);

  /**
   * Changes parts of dead letters and sends them again, with no attempts counted: to another
   * destination because theirs is misspelt, or with a payload that the consumer can read.
   *
   * <p>One whose destination and key stay goes where {@link #requeue} puts it. One whose
   * destination or key changes is enqueued anew at the end of its new key, and the messages that
   * waited for it go on. The id stays: a consumer that has processed the message before drops it as
   * a repeat.
   *
   * @throws InvalidMessageException if a changed part is refused, see {@link Correction#check};
   *     nothing has changed then
   */
  ActResult correct(Collection<MessageId> dead, Correction change, ActBy by);

  /**
   * The parts of a message that a person changes. A part that is null stays as it is. Immutable,
   * provided the payload array is left alone after it was handed over.
   *
   * @param destination where it goes instead
   * @param payload the bytes that the consumer gets instead; may be empty
   * @param headers all of its headers; the former ones are dropped
   * @param key its key instead; a message without a key gets one
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Correction(
      @Nullable Destination destination,
      byte @Nullable [] payload,
      @Nullable Headers headers,
      @Nullable String key) {
    private static final Destination UNCHANGED = Destination.parse("unchanged");
    private static final byte[] NO_BYTES = {};

    /**
     * Checks that something changes.
     *
     * @throws IllegalArgumentException if every part is null
     */
    // not a compact one: class files lack the annotation of its array
    public Correction(
        @Nullable Destination destination,
        byte @Nullable [] payload,
        @Nullable Headers headers,
        @Nullable String key) {
      if (destination == null && payload == null && headers == null && key == null) {
        throw new IllegalArgumentException(
            "correction: nothing changes (expected: a destination, payload, headers or key)");
      }
      this.destination = destination;
      this.payload = payload;
      this.headers = headers;
      this.key = key;
    }

    /** A correction that sends messages to another destination. */
    public static Correction redirect(Destination destination) {
      return new Correction(destination, null, null, null);
    }

    /**
     * Checks the changed parts as if the message were sent now: sizes, text that every database
     * stores, names of headers, the form of the address, and the transport if the intake checks it.
     *
     * @throws InvalidMessageException naming the first part that is refused
     */
    public void check(MessageIntake intake) {
      if (destination != null) {
        intake.check(destination);
      }
      intake
          .limits()
          .check(
              Message.of(
                      destination == null ? UNCHANGED : destination,
                      payload == null ? NO_BYTES : payload)
                  .headers(headers == null ? Headers.EMPTY : headers)
                  .key(key));
    }

    /** The destination of a message that had this one. */
    public Destination destinationOf(Destination former) {
      return destination == null ? former : destination;
    }

    /** The key of a message that had this one; null if it has none. */
    public @Nullable String keyOf(@Nullable String former) {
      return key == null ? former : key;
    }

    /**
     * What the audit says about a message: both destinations and the names of the other parts,
     * never their values.
     *
     * @param former its destination in text form
     */
    public String changed(String former) {
      List<String> parts = new ArrayList<>();
      if (destination != null) {
        parts.add(
            "destination %s to %s"
                .formatted(ShownAddress.of(former), ShownAddress.of(destination.toString())));
      }
      if (payload != null) {
        parts.add("payload");
      }
      if (headers != null) {
        parts.add("headers");
      }
      if (key != null) {
        parts.add("key");
      }
      return "changed " + String.join(", ", parts);
    }

    /** Returns which parts change, never their values. */
    @Override
    public String toString() {
      return "Correction[" + changed("…") + "]";
    }
  }
}
