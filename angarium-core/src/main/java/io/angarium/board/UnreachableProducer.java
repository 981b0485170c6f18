package io.angarium.board;

import io.angarium.internal.UnicodeText;
import java.time.Instant;

/**
 * A producer of half messages that a node cannot ask. Immutable.
 *
 * @param endpoint its address, or {@code in-process:} and the business, cut to {@link
 *     #TEXT_LENGTH_MAX} characters
 * @param since since when, by the clock of the node
 * @param reason why, cut to the same length
 */
public record UnreachableProducer(String endpoint, Instant since, String reason) {
  /** The longest endpoint or reason. */
  public static final int TEXT_LENGTH_MAX = 200;

  /** Cuts the texts. */
  public UnreachableProducer {
    endpoint = cut(endpoint);
    reason = cut(reason);
  }

  private static String cut(String text) {
    return UnicodeText.cut(text, TEXT_LENGTH_MAX);
  }
}
