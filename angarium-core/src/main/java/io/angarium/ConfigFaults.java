package io.angarium;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the faults of a configuration, so that all are reported at once. Not thread-safe: one
 * thread at a time.
 */
public final class ConfigFaults {
  private final List<String> faults = new ArrayList<>();

  /** Adds a fault unless {@code holds}. */
  public ConfigFaults require(boolean holds, String name, @Nullable Object value, String expected) {
    if (!holds) {
      faults.add(name + ": " + value + " (expected: " + expected + ")");
    }
    return this;
  }

  /** Adds a fault unless {@code value} lies in {@code min..max}. */
  public ConfigFaults range(String name, long value, long min, long max) {
    return require(value >= min && value <= max, name, value, min + ".." + max);
  }

  /** Adds a fault unless {@code value} lies in {@code min..max}. */
  public ConfigFaults range(String name, Duration value, Duration min, Duration max) {
    boolean inside = value.compareTo(min) >= 0 && value.compareTo(max) <= 0;
    return require(inside, name, value, min + ".." + max);
  }

  /** Adds a fault already worded. */
  public ConfigFaults add(String fault) {
    faults.add(fault);
    return this;
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
