package io.angarium.desk;

import io.angarium.MessageId;
import io.angarium.internal.Wildcard;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which messages of a stage are meant. Every part narrows the choice; a part that is null or empty
 * does not. Immutable.
 *
 * @param destinations text forms, where {@code *} stands for any characters; at most {@link
 *     #DESTINATIONS_MAX}
 * @param key the message key
 * @param ids at most {@link #IDS_MAX}
 * @param type the logical type name
 * @param businessType what the message is about
 * @param businessKey the key of that business object
 * @param createdBy which application wrote it
 * @param errorHas text that the error contains; case counts; at most {@link #ERROR_HAS_LENGTH_MAX}
 *     characters
 * @param cause fingerprint of the cause of the error, see {@link Cause}
 * @param from the stage's own time is this instant or later, by the database's clock
 * @param to the stage's own time is this instant or earlier
 * @param blocksKey whether later messages of its key wait for it
 * @param attemptsMin so many finished attempts, or more
 */
public record MessageFilter(
    List<String> destinations,
    @Nullable String key,
    Set<MessageId> ids,
    @Nullable String type,
    @Nullable String businessType,
    @Nullable String businessKey,
    @Nullable String createdBy,
    @Nullable String errorHas,
    @Nullable String cause,
    @Nullable Instant from,
    @Nullable Instant to,
    @Nullable Boolean blocksKey,
    int attemptsMin)
    implements Predicate<MessageRow> {
  /** The most destinations. */
  public static final int DESTINATIONS_MAX = 20;

  /** The most ids. */
  public static final int IDS_MAX = 100;

  /** The most characters that are looked for in an error. */
  public static final int ERROR_HAS_LENGTH_MAX = 200;

  /** All messages. */
  public static final MessageFilter ALL =
      new MessageFilter(
          List.of(), null, Set.of(), null, null, null, null, null, null, null, null, null, 0);

  /** Messages of these ids, at most {@link #IDS_MAX}. */
  public static MessageFilter ofIds(Set<MessageId> ids) {
    return new MessageFilter(
        List.of(), null, ids, null, null, null, null, null, null, null, null, null, 0);
  }

  /**
   * Checks the parts.
   *
   * @throws IllegalArgumentException if there are too many destinations or ids, the text for the
   *     error is too long, a fingerprint is none, {@code from} is after {@code to}, or the attempts
   *     are negative
   */
  public MessageFilter {
    destinations = List.copyOf(destinations);
    ids = Set.copyOf(ids);
    requireAtMost("destinations", destinations.size(), DESTINATIONS_MAX);
    requireAtMost("ids", ids.size(), IDS_MAX);
    requireAtMost("errorHas", errorHas == null ? 0 : errorHas.length(), ERROR_HAS_LENGTH_MAX);
    if (cause != null && !cause.matches("[0-9a-f]{16}")) {
      throw new IllegalArgumentException(
          "cause: '" + cause + "' (expected: 16 hexadecimal digits, the fingerprint of a cause)");
    }
    if (from != null && to != null && from.isAfter(to)) {
      throw new IllegalArgumentException("from: " + from + " (expected: at most to, " + to + ")");
    }
    if (attemptsMin < 0) {
      throw new IllegalArgumentException("attemptsMin: " + attemptsMin + " (expected: 0 or more)");
    }
  }

  private static void requireAtMost(String name, int size, int max) {
    if (size > max) {
      throw new IllegalArgumentException(name + ": " + size + " (expected: at most " + max + ")");
    }
  }

  /** True if the message is meant. */
  @Override
  public boolean test(MessageRow row) {
    return (destinations.isEmpty()
            || destinations.stream().anyMatch(each -> Wildcard.of(each).fits(row.destination())))
        && isOrAny(key, row.key())
        && (ids.isEmpty() || ids.contains(row.id()))
        && isOrAny(type, row.type())
        && isOrAny(businessType, row.businessType())
        && isOrAny(businessKey, row.businessKey())
        && isOrAny(createdBy, row.createdBy())
        && fitsError(row.error())
        && (from == null || !row.at().isBefore(from))
        && (to == null || !row.at().isAfter(to))
        && (blocksKey == null || blocksKey == row.blocksKey())
        && row.attempts() >= attemptsMin;
  }

  private boolean fitsError(@Nullable String error) {
    if (errorHas == null && cause == null) {
      return true;
    }
    return error != null
        && (errorHas == null || error.contains(errorHas))
        && (cause == null || Cause.of(error).fingerprint().equals(cause));
  }

  private static boolean isOrAny(@Nullable String wanted, @Nullable String value) {
    return wanted == null || wanted.equals(value);
  }
}
