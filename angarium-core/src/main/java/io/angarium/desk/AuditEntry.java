package io.angarium.desk;

import io.angarium.internal.UnicodeText;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What somebody did. Has no payload, key or header of a message. Immutable.
 *
 * @param id its number; 0 for one that is not stored yet
 * @param at when, by the database's clock
 * @param act e.g. {@code requeue}; at most {@link #WORD_LENGTH_MAX} characters
 * @param targetKind what was acted on, e.g. {@code message}; at most {@link #WORD_LENGTH_MAX}
 *     characters
 * @param target which one, e.g. the id; at most {@link #TARGET_LENGTH_MAX} characters
 * @param details what else is worth knowing; null if nothing is; at most {@link
 *     #DETAILS_LENGTH_MAX} characters
 */
public record AuditEntry(
    long id,
    Instant at,
    ActBy by,
    String act,
    String targetKind,
    String target,
    @Nullable String details) {
  /** The kind of a target that is a message. */
  public static final String MESSAGE = "message";

  /** The most characters of an act and of the kind of a target. */
  public static final int WORD_LENGTH_MAX = 32;

  /** The most characters of a target. */
  public static final int TARGET_LENGTH_MAX = 300;

  /** The most characters of the details. */
  public static final int DETAILS_LENGTH_MAX = 2_000;

  /**
   * Checks the lengths.
   *
   * @throws IllegalArgumentException if a text is too long, or one but the details is empty
   */
  public AuditEntry {
    require("act", act, WORD_LENGTH_MAX);
    require("targetKind", targetKind, WORD_LENGTH_MAX);
    require("target", target, TARGET_LENGTH_MAX);
    if (details != null) {
      require("details", details, DETAILS_LENGTH_MAX);
    }
  }

  private static void require(String name, String text, int lengthMax) {
    if (text.isEmpty() || text.length() > lengthMax) {
      throw new IllegalArgumentException(
          "%s: %d characters (expected: 1..%d)".formatted(name, text.length(), lengthMax));
    }
  }

  /**
   * One that is not stored yet; its number and time are given when it is.
   *
   * @param target cut if it is too long
   */
  public static AuditEntry of(
      ActBy by, String act, String targetKind, String target, @Nullable String details) {
    return new AuditEntry(
        0, Instant.EPOCH, by, act, targetKind, UnicodeText.cut(target, TARGET_LENGTH_MAX), details);
  }
}
