package io.angarium.alert;

import org.jspecify.annotations.Nullable;

/**
 * What people hear about one alert. Immutable.
 *
 * @param kind why now
 * @param alert as it is
 * @param meaning what it means and what to do, in a sentence; empty if its rule is not there any
 *     more
 * @param before the severity that the channel told last of this time; null if it told nothing of it
 */
public record Notice(Kind kind, Alert alert, String meaning, @Nullable Severity before) {
  /** Makes a notice of something that the channel has not told yet. */
  public Notice(Kind kind, Alert alert, String meaning) {
    this(kind, alert, meaning, null);
  }

  /** Why a person is told. */
  public enum Kind {
    /** It is on, or worse than before. */
    FIRING,
    /** It is still on and has not been taken, or the channel wants to hear of it regularly. */
    REMINDER,
    /** It is over. */
    RESOLVED,
    /** Somebody tries the channel; there is no such alert. */
    TEST
  }
}
