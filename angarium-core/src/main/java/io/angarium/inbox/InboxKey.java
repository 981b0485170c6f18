package io.angarium.inbox;

import io.angarium.MessageId;
import io.angarium.internal.Sha256Names;
import java.util.Comparator;
import java.util.UUID;

/**
 * What is processed once: a message, or a document of the business, by one consumer. Immutable.
 * Ordered, so that two batches take the same keys in the same order.
 *
 * @param consumer who processes it, 1..100 characters; consumers do not know of each other's keys
 * @param id of the message, or made from a text by {@link #of(String, String)}
 */
public record InboxKey(String consumer, UUID id) implements Comparable<InboxKey> {
  /** The longest name of a consumer, in characters. */
  public static final int CONSUMER_LENGTH_MAX = 100;

  private static final Comparator<InboxKey> ORDER =
      Comparator.comparing(InboxKey::consumer).thenComparing(InboxKey::id);

  /**
   * Checks the name.
   *
   * @throws IllegalArgumentException if the consumer is blank or its name too long
   */
  public InboxKey {
    if (consumer.isBlank() || consumer.length() > CONSUMER_LENGTH_MAX) {
      throw new IllegalArgumentException(
          "consumer: '" + consumer + "' (expected: 1.." + CONSUMER_LENGTH_MAX + " characters)");
    }
  }

  /** A message of Angarium, by the id that every broker carries. */
  public static InboxKey of(String consumer, MessageId id) {
    return new InboxKey(consumer, id.value());
  }

  /**
   * A message of somebody else, by whatever identifies it, e.g. the id that its sender gave it, or
   * topic, partition and offset.
   *
   * @param text not blank, of any length
   */
  public static InboxKey of(String consumer, String text) {
    return hashed(consumer, "text", text);
  }

  /**
   * A document of the business, which may be told of by several messages, e.g. {@code "order-paid"}
   * and {@code "4711"}.
   */
  public static InboxKey ofBusiness(String consumer, String type, String key) {
    return hashed(consumer, "business", type, key);
  }

  private static InboxKey hashed(String consumer, String... parts) {
    for (String part : parts) {
      if (part.isBlank()) {
        throw new IllegalArgumentException("key: '" + part + "' (expected: not blank)");
      }
    }
    return new InboxKey(consumer, Sha256Names.id(parts));
  }

  /**
   * The consumer as a number, which is shorter in every row: the first 64 bits of the SHA-256 of
   * its name in UTF-8.
   */
  public long consumerNumber() {
    return Sha256Names.first64(consumer);
  }

  @Override
  public int compareTo(InboxKey other) {
    return ORDER.compare(this, other);
  }

  /** Consumer and id. */
  @Override
  public String toString() {
    return consumer + "/" + id;
  }
}
