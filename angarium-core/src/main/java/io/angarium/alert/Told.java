package io.angarium.alert;

import io.angarium.internal.UnicodeText;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a channel told last about an alert. Immutable.
 *
 * @param key of the alert
 * @param channel its name
 * @param what what it was told
 * @param episode of the alert at that time; 0 if nothing of it could be told yet
 * @param severity of the alert at that time
 * @param at when, by the database's clock; of what is to be noted, now, unless it failed
 * @param failure why the last try failed; null if it did not
 */
public record Told(
    AlertKey key,
    String channel,
    What what,
    long episode,
    Severity severity,
    Instant at,
    @Nullable String failure) {
  /** The longest text of a failure, in characters. */
  public static final int FAILURE_LENGTH_MAX = 300;

  /** What a channel was told. */
  public enum What {
    /** Nothing yet: it could not be. */
    NOTHING,
    /** Nothing, as the alert was silenced. */
    SILENCED,
    /** That it is on. */
    FIRING,
    /** That it is over. */
    RESOLVED
  }

  /** Cuts a failure that is too long. */
  public Told {
    failure = failure == null ? null : UnicodeText.cut(failure, FAILURE_LENGTH_MAX);
  }
}
