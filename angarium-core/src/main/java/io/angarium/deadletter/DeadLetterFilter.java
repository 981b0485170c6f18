package io.angarium.deadletter;

import io.angarium.internal.Wildcard;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which dead letters are meant. Every part narrows the choice; a part that is null or empty does
 * not. No text has line breaks or control characters, as a log shows them. Immutable.
 *
 * @param destinations text forms, where {@code *} stands for any characters; at most {@link
 *     #DESTINATIONS_MAX}
 * @param key the message key
 * @param type the logical type name
 * @param businessType what the message is about
 * @param businessKey likewise
 * @param reasonHas text that the reason contains; case counts; at most {@link
 *     #REASON_HAS_LENGTH_MAX} characters
 * @param from given up at this instant or later, by the database's clock
 * @param to given up at this instant or earlier
 * @param blocksKey whether later messages of its key wait for it
 */
public record DeadLetterFilter(
    List<String> destinations,
    @Nullable String key,
    @Nullable String type,
    @Nullable String businessType,
    @Nullable String businessKey,
    @Nullable String reasonHas,
    @Nullable Instant from,
    @Nullable Instant to,
    @Nullable Boolean blocksKey)
    implements Predicate<DeadLetterRow> {
  /** The most destinations. */
  public static final int DESTINATIONS_MAX = 20;

  /** The most characters that are looked for in a reason. */
  public static final int REASON_HAS_LENGTH_MAX = 200;

  /** All dead letters. */
  public static final DeadLetterFilter ALL =
      new DeadLetterFilter(List.of(), null, null, null, null, null, null, null, null);

  /**
   * Checks the parts.
   *
   * @throws IllegalArgumentException if there are too many destinations, a text has a line break or
   *     a control character, the text for the reason is too long, or {@code from} is after {@code
   *     to}
   */
  public DeadLetterFilter {
    destinations = List.copyOf(destinations);
    if (destinations.size() > DESTINATIONS_MAX) {
      throw new IllegalArgumentException(
          "destinations: " + destinations.size() + " (expected: 0.." + DESTINATIONS_MAX + ")");
    }
    destinations.forEach(each -> requireOneLine("destinations", each));
    requireOneLine("key", key);
    requireOneLine("type", type);
    requireOneLine("businessType", businessType);
    requireOneLine("businessKey", businessKey);
    requireOneLine("reasonHas", reasonHas);
    if (reasonHas != null && reasonHas.length() > REASON_HAS_LENGTH_MAX) {
      throw new IllegalArgumentException(
          "reasonHas: %d characters (expected: at most %d)"
              .formatted(reasonHas.length(), REASON_HAS_LENGTH_MAX));
    }
    if (from != null && to != null && from.isAfter(to)) {
      throw new IllegalArgumentException("from: " + from + " (expected: at most to, " + to + ")");
    }
  }

  private static void requireOneLine(String name, @Nullable String text) {
    if (text != null && !LogText.isOneLine(text)) {
      throw new IllegalArgumentException(
          name + ": a line break or control character (expected: none)");
    }
  }

  /**
   * Selects the dead letters of a destination in its text form; {@code *} stands for any
   * characters.
   */
  public static DeadLetterFilter of(String destination) {
    return new DeadLetterFilter(
        List.of(destination), null, null, null, null, null, null, null, null);
  }

  /** The same, narrowed to reasons that contain a text. */
  public DeadLetterFilter reasonHas(String text) {
    return new DeadLetterFilter(
        destinations, key, type, businessType, businessKey, text, from, to, blocksKey);
  }

  /** The same, narrowed to those given up at this instant or later. */
  public DeadLetterFilter from(Instant since) {
    return new DeadLetterFilter(
        destinations, key, type, businessType, businessKey, reasonHas, since, to, blocksKey);
  }

  /** The same, narrowed to those given up at this instant or earlier. */
  public DeadLetterFilter to(Instant until) {
    return new DeadLetterFilter(
        destinations, key, type, businessType, businessKey, reasonHas, from, until, blocksKey);
  }

  /** True if the row is meant. */
  @Override
  public boolean test(DeadLetterRow row) {
    return (destinations.isEmpty()
            || destinations.stream().anyMatch(each -> Wildcard.of(each).fits(row.destination())))
        && isOrAny(key, row.key())
        && isOrAny(type, row.type())
        && isOrAny(businessType, row.businessType())
        && isOrAny(businessKey, row.businessKey())
        && (reasonHas == null || row.reason().contains(reasonHas))
        && (from == null || !row.deadSince().isBefore(from))
        && (to == null || !row.deadSince().isAfter(to))
        && (blocksKey == null || blocksKey == row.blocksKey());
  }

  private static boolean isOrAny(@Nullable String wanted, @Nullable String value) {
    return wanted == null || wanted.equals(value);
  }
}
