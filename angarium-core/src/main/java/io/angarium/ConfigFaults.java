package io.angarium;

import io.angarium.internal.DurationText;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the faults of a configuration, so that all are reported at once. Not thread-safe: one
 * thread at a time.
 */
public final class ConfigFaults {
  private final List<String> faults = new ArrayList<>();

  /**
   * Adds a fault unless {@code holds}. Durations, also those in a collection, are shown as they
   * stand in properties, and null as "none".
   */
  public ConfigFaults require(boolean holds, String name, @Nullable Object value, String expected) {
    if (!holds) {
      faults.add(name + ": " + shown(value) + " (expected: " + expected + ")");
    }
    return this;
  }

  /** Adds a fault unless {@code value} lies in {@code min..max}. */
  public ConfigFaults range(String name, long value, long min, long max) {
    return require(value >= min && value <= max, name, value, min + ".." + max);
  }

  /**
   * Adds a fault unless {@code value} lies in {@code min..max}. The fault shows {@code max} in
   * whole milliseconds, since the third of a duration has no short form.
   */
  public ConfigFaults range(String name, Duration value, Duration min, Duration max) {
    boolean inside = value.compareTo(min) >= 0 && value.compareTo(max) <= 0;
    Duration shownMax = max.truncatedTo(ChronoUnit.MILLIS);
    return require(inside, name, value, DurationText.of(min) + ".." + DurationText.of(shownMax));
  }

  /** Adds a fault already worded. */
  public ConfigFaults add(String fault) {
    faults.add(fault);
    return this;
  }

  private static String shown(@Nullable Object value) {
    if (value instanceof Collection<?> several) {
      return several.stream().map(ConfigFaults::shown).toList().toString();
    }
    if (value instanceof Duration duration) {
      return DurationText.of(duration);
    }
    return value == null ? "none" : value.toString();
  }

  /**
   * Ends the gathering.
   *
   * @throws ConfigurationException if there is at least one fault
   */
  public void throwIfAny() {
    if (!faults.isEmpty()) {
      throw new ConfigurationException(faults);
    }
  }
}
