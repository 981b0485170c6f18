package io.angarium.half.intake;

import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A Kafka topic that is registered for half messages. Rows that somebody writes manually may hold
 * any name. Names that no topic can have are skipped where topics are read, see {@link #isName}.
 * Immutable.
 *
 * @param topic its name, the whole of it
 * @param onlyMarked whether only its records that are marked as half messages count, and others are
 *     passed over; false for all of them, which suits topics that hold nothing else
 * @param enabled false for one that is registered and not read at present
 * @param registeredBy who did it, 1..128 characters; null if nobody said
 * @param createdAt when it was registered first; null as long as it is not
 */
public record IntakeTopic(
    String topic,
    boolean onlyMarked,
    boolean enabled,
    @Nullable String registeredBy,
    @Nullable Instant createdAt) {
  /** The most characters of {@code registeredBy}. */
  public static final int REGISTERED_BY_MAX = 128;

  private static final Pattern NAME = Pattern.compile("(?!\\.{1,2}$)(?!__)[a-zA-Z0-9._-]{1,249}");

  /** One that is read, all of its records. */
  public static IntakeTopic of(String topic) {
    return new IntakeTopic(topic, false, true, null, null);
  }

  /**
   * Returns whether a topic of an application can have this name, 1..249 characters of {@code a-z
   * A-Z 0-9 . _ -}. Names that begin with two underscores belong to Kafka's own topics.
   */
  public static boolean isName(String topic) {
    return NAME.matcher(topic).matches();
  }
}
