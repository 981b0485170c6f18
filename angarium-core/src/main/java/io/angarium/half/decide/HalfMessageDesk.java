package io.angarium.half.decide;

import io.angarium.half.HalfKey;
import io.angarium.half.HalfState;
import io.angarium.half.HalfStep;
import io.angarium.half.RefusedStepException;
import io.angarium.internal.DurationText;
import io.angarium.internal.UnicodeText;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Where a person looks after half messages: sees which ones nobody could decide, and decides them.
 * Every act is noted, with who and why, in the transaction in which it takes effect.
 *
 * <p>Implementations must pass {@code HalfDeskTck} of angarium-testkit. Methods that are added will
 * have a default. All methods block, commit before they return, and throw {@link
 * io.angarium.StoreException} if the database cannot be reached or refuses; whether an act took
 * effect is then unknown, and it can be repeated. Thread-safe.
 */
public interface HalfMessageDesk {
  /** The most half messages on one page. */
  int PAGE_MAX = 1_000;

  /** The longest time of {@link #undecided}. */
  Duration OLDER_MAX = Duration.ofDays(365);

  /** The most acts that {@link #acts} gives. */
  int ACTS_MAX = 100;

  /** The longest name of who acts, in characters. */
  int BY_LENGTH_MAX = 128;

  /** The longest reason, in characters. */
  int REASON_LENGTH_MAX = 1_000;

  /**
   * A page of those that wait for a person, oldest first.
   *
   * @param after the number of the last one of the page before; 0 for the first page
   * @param limit 1..{@link #PAGE_MAX}
   * @throws IllegalArgumentException if the limit is out of range
   */
  List<HalfDetails> unresolved(long after, int limit);

  /**
   * A page of those that nobody has decided although it is long ago that they were prepared, oldest
   * first: what is asked for in vain, or answered that it is in flight, without end; what nobody
   * can be asked about; and what waits for a person. Only what is asked for is among them, so what
   * is younger than the first question is not.
   *
   * @param olderThan how long ago they were prepared at least, 0..{@link #OLDER_MAX}
   * @param after the number of the last one of the page before; 0 for the first page
   * @param limit 1..{@link #PAGE_MAX}
   * @return each with what asking has brought
   * @throws IllegalArgumentException if the time or the limit is out of range
   * @throws UnsupportedOperationException if an implementation does not know them
   */
  default List<HalfDetails> undecided(Duration olderThan, long after, int limit) {
    throw new UnsupportedOperationException("this desk does not list what is undecided");
  }

  /**
   * What is known of one, whatever its state.
   *
   * @return empty if nothing is
   */
  Optional<HalfDetails> find(HalfKey key);

  /** What persons did to one, latest first, {@link #ACTS_MAX} at most. */
  List<OperatorDecision> acts(HalfKey key);

  /** How many are open for too long. */
  HalfBacklog backlog();

  /**
   * Has the producer asked again, at once and with no answer counted.
   *
   * @param by who wants that, 1..{@link #BY_LENGTH_MAX} characters
   * @param reason why, 1..{@link #REASON_LENGTH_MAX} characters
   * @return {@link HalfState#PREPARED}
   * @throws RefusedStepException if it is decided, or unknown
   * @throws IllegalArgumentException if {@code by} or {@code reason} is blank or too long
   */
  default HalfState resume(HalfKey key, String by, String reason) {
    return act(key, HalfStep.RESUME, by, reason);
  }

  /**
   * Has the message sent, whatever its producer would say.
   *
   * @param by as of {@link #resume}
   * @param reason likewise
   * @return {@link HalfState#COMMITTED}
   * @throws RefusedStepException if it was rolled back, or is unknown
   * @throws IllegalArgumentException as of {@link #resume}
   */
  default HalfState commit(HalfKey key, String by, String reason) {
    return act(key, HalfStep.COMMIT, by, reason);
  }

  /**
   * Drops the message, whatever its producer would say.
   *
   * @param by as of {@link #resume}
   * @param reason likewise
   * @return {@link HalfState#ROLLED_BACK}
   * @throws RefusedStepException if it was committed, or is unknown
   * @throws IllegalArgumentException as of {@link #resume}
   */
  default HalfState rollback(HalfKey key, String by, String reason) {
    return act(key, HalfStep.ROLLBACK, by, reason);
  }

  /**
   * What the calls above do. For implementations.
   *
   * @param step {@code RESUME}, {@code COMMIT} or {@code ROLLBACK}
   */
  HalfState act(HalfKey key, HalfStep step, String by, String reason);

  /**
   * Checks what a page is asked for with. For implementations.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  static void requirePage(Duration olderThan, int limit) {
    if (olderThan.isNegative() || olderThan.compareTo(OLDER_MAX) > 0) {
      throw new IllegalArgumentException(
          "older than: "
              + DurationText.of(olderThan)
              + " (expected: 0s.."
              + DurationText.of(OLDER_MAX)
              + ")");
    }
    if (limit < 1 || limit > PAGE_MAX) {
      throw new IllegalArgumentException("limit: " + limit + " (expected: 1.." + PAGE_MAX + ")");
    }
  }

  /**
   * Checks what an act must bring. For implementations.
   *
   * @throws IllegalArgumentException if something is missing or too long
   */
  static void require(HalfStep step, String by, String reason) {
    if (step != HalfStep.RESUME && step != HalfStep.COMMIT && step != HalfStep.ROLLBACK) {
      throw new IllegalArgumentException(
          "step: " + step + " (expected: RESUME, COMMIT or ROLLBACK)");
    }
    require("by", by, BY_LENGTH_MAX);
    require("reason", reason, REASON_LENGTH_MAX);
  }

  private static void require(String name, String value, int lengthMax) {
    if (value.isBlank()
        || value.length() > lengthMax
        || value.indexOf(0) >= 0
        || UnicodeText.brokenAt(value) >= 0) {
      throw new IllegalArgumentException(
          name
              + ": "
              + value.length()
              + " characters (expected: 1.."
              + lengthMax
              + ", not blank, without U+0000 and halves of surrogate pairs)");
    }
  }
}
