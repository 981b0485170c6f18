package io.angarium.half.check;

import io.angarium.half.CheckAnswer;
import io.angarium.half.HalfKey;
import org.jspecify.annotations.Nullable;

/**
 * Asks the producer of a half message what became of it, for a person who wants to know: whatever
 * it answers, nothing is decided and nothing is counted. Thread-safe.
 */
@FunctionalInterface
public interface CheckBackTrial {
  /**
   * Asks once, now, the same way as a check-back, also where check-backs rest at the moment. Blocks
   * until the answer is there, at most for the time-out of check-backs. Needs no transaction.
   *
   * @param address where the producer is asked, as its half message has it; null for a check-back
   *     of this process
   * @return {@link io.angarium.half.Verdict#UNREACHABLE} with a reason if there is no answer, also
   *     because this process asks for too many persons already
   */
  CheckAnswer tryOut(HalfKey key, @Nullable String address);
}
