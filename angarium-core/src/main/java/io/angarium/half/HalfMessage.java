package io.angarium.half;

import io.angarium.BusinessKey;
import io.angarium.BusinessKey.Uniqueness;
import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.internal.DurationText;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A message that nobody receives before it is committed. Immutable.
 *
 * @param key under which it is committed or rolled back
 * @param message what is sent then; without a unique business key, as {@code key} is unique
 * @param delay how long it is not sent after the commit came to the database (waiting for locks is
 *     not added), 0..366 days; zero for at once. Not together with {@link Message#notBefore}
 * @param checkBack where the producer is asked for what became of its business transaction, an
 *     address with a scheme, at most 1000 characters, e.g. {@code http://shop:8080/check-back};
 *     null for the {@link CheckBack} that is registered for the business
 */
public record HalfMessage(HalfKey key, Message message, Duration delay, @Nullable URI checkBack) {
  /** The longest delay. */
  public static final Duration DELAY_MAX = Duration.ofDays(366);

  /** The longest address of a check-back, in characters. */
  public static final int CHECK_BACK_LENGTH_MAX = 1000;

  /**
   * Checks the parts.
   *
   * @throws InvalidMessageException if the delay is out of range or there are two of them, the
   *     message demands a unique business key, or the address of the check-back is too long or has
   *     no scheme
   */
  public HalfMessage {
    require(
        !delay.isNegative() && delay.compareTo(DELAY_MAX) <= 0,
        key,
        "delay " + DurationText.of(delay) + " (expected: 0s.." + DurationText.of(DELAY_MAX) + ")");
    require(
        delay.isZero() || message.notBefore() == null,
        key,
        "delay "
            + DurationText.of(delay)
            + " and not before "
            + message.notBefore()
            + " (expected: one of them)");
    require(
        !isUnique(message.business()),
        key,
        "a unique business key (expected: none, as the half message has a unique key itself)");
    require(
        checkBack == null
            || (checkBack.isAbsolute() && checkBack.toString().length() <= CHECK_BACK_LENGTH_MAX),
        key,
        "check-back '"
            + checkBack
            + "' (expected: an address with a scheme, e.g. http://shop:8080/check-back, at most "
            + CHECK_BACK_LENGTH_MAX
            + " characters)");
  }

  /** A half message that is sent right after its commit, or at the time the message says. */
  public static HalfMessage of(HalfKey key, Message message) {
    return new HalfMessage(key, message, Duration.ZERO, null);
  }

  private static boolean isUnique(@Nullable BusinessKey business) {
    return business != null && business.uniqueness() != Uniqueness.NONE;
  }

  private static void require(boolean met, HalfKey key, String fault) {
    if (!met) {
      throw new InvalidMessageException("half message " + key + ": " + fault);
    }
  }

  /** A copy that is sent so long after its commit, by the clock of the half message's database. */
  public HalfMessage delay(Duration delay) {
    return new HalfMessage(key, message, delay, checkBack);
  }

  /** A copy whose producer is asked there. */
  public HalfMessage checkBack(@Nullable URI checkBack) {
    return new HalfMessage(key, message, delay, checkBack);
  }
}
