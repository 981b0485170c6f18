package io.angarium.half;

import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a producer answered to a check-back. Immutable.
 *
 * @param reason why it is not final, for people, e.g. {@code status 503}; null if there is nothing
 *     to say
 */
public record CheckAnswer(Verdict verdict, @Nullable String reason) {
  /** An answer that needs no reason. */
  public static CheckAnswer of(Verdict verdict) {
    return new CheckAnswer(verdict, null);
  }

  /** That none of so many keys could be asked for. */
  public static List<CheckAnswer> unreachable(int keys, String reason) {
    return Collections.nCopies(keys, new CheckAnswer(Verdict.UNREACHABLE, reason));
  }
}
