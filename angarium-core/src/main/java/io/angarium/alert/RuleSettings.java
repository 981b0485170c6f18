package io.angarium.alert;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a rule is used. Immutable.
 *
 * @param enabled whether it is asked
 * @param threshold the number that is too large, 0 or more; null for that of the rule
 * @param hold how long it must be found until it is told, zero..1 d; null for that of the rule
 * @param severity of what it finds; null for that of the rule
 * @param repeat time between reminders of an alert that has not been taken, 1 min..30 d
 */
public record RuleSettings(
    boolean enabled,
    @Nullable Double threshold,
    @Nullable Duration hold,
    @Nullable Severity severity,
    Duration repeat) {
  /** What the rule says, and every four hours again. */
  public static final RuleSettings DEFAULTS =
      new RuleSettings(true, null, null, null, Duration.ofHours(4));
}
