package io.angarium.spring.operate;

import io.angarium.deadletter.DeadLetterRow;
import io.angarium.intake.Position;
import io.angarium.internal.UnicodeText;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A dead letter as JSON shows it: never its payload or headers. Instants and sequences are texts,
 * so that no mapper of an application changes them. Immutable.
 *
 * @param stage always {@code dead}
 * @param id of the message
 * @param partition where it was written
 * @param sequence likewise
 * @param destination in its text form
 * @param key the message key
 * @param type the logical type name
 * @param business what the message is about
 * @param createdBy which application wrote it
 * @param updatedBy who requeued it last
 * @param payloadBytes size of the payload
 * @param attempts finished attempts
 * @param createdAt when it was written
 * @param at when it was given up
 * @param error why the last attempt failed
 * @param blocksKey true if later messages of its key wait for it
 */
public record DeadLetterItem(
    String stage,
    String id,
    int partition,
    String sequence,
    String destination,
    @Nullable String key,
    @Nullable String type,
    @Nullable Business business,
    @Nullable String createdBy,
    @Nullable String updatedBy,
    long payloadBytes,
    int attempts,
    String createdAt,
    String at,
    String error,
    boolean blocksKey) {
  /** Characters of an error that a list shows. */
  public static final int ERROR_LENGTH_MAX = 300;

  private static final Pattern CURSOR = Pattern.compile("(\\d{1,18})\\.(-?\\d{1,5})");

  /**
   * What a message is about. Immutable.
   *
   * @param type of the business object
   * @param key of the business object
   */
  public record Business(String type, String key) {}

  /**
   * Returns a dead letter as a list shows it, with an error of at most {@link #ERROR_LENGTH_MAX}
   * characters.
   */
  public static DeadLetterItem listed(DeadLetterRow row) {
    String error = row.reason();
    return of(
        row,
        error.length() <= ERROR_LENGTH_MAX
            ? error
            : UnicodeText.cut(error, ERROR_LENGTH_MAX - 1) + "…");
  }

  /** With the whole error. */
  public static DeadLetterItem whole(DeadLetterRow row) {
    return of(row, row.reason());
  }

  private static DeadLetterItem of(DeadLetterRow row, String error) {
    String businessType = row.businessType();
    String businessKey = row.businessKey();
    return new DeadLetterItem(
        "dead",
        row.id().value().toString(),
        row.position().partition(),
        String.valueOf(row.position().sequence()),
        row.destination(),
        row.key(),
        row.type(),
        businessType == null || businessKey == null
            ? null
            : new Business(businessType, businessKey),
        row.createdBy(),
        row.updatedBy(),
        row.payloadBytes(),
        row.attempts(),
        row.createdAt().toString(),
        row.deadSince().toString(),
        error,
        row.blocksKey());
  }

  /** The text that stands for a position in answers and requests; null for null. */
  public static @Nullable String cursor(@Nullable Position position) {
    return position == null ? null : position.sequence() + "." + position.partition();
  }

  /** Reads {@link #cursor}; empty for any other text. */
  public static Optional<Position> position(String cursor) {
    Matcher parts = CURSOR.matcher(cursor);
    return parts.matches()
        ? Optional.of(
            new Position(Integer.parseInt(parts.group(2)), Long.parseLong(parts.group(1))))
        : Optional.empty();
  }
}
