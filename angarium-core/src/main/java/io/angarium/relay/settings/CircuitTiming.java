package io.angarium.relay.settings;

import io.angarium.ConfigFaults;
import java.time.Duration;

/**
 * How an unavailable destination is probed. Immutable.
 *
 * @param firstPause before the first probe, 1 ms..1 h; default 200 ms
 * @param pauseMax longest pause between probes, at least {@code firstPause}, at most 1 h; default 5
 *     s
 */
public record CircuitTiming(Duration firstPause, Duration pauseMax) {
  /** 200 ms, doubling up to 5 s. */
  public static final CircuitTiming DEFAULTS =
      new CircuitTiming(Duration.ofMillis(200), Duration.ofSeconds(5));

  /** Checks the ranges. */
  public CircuitTiming {
    new ConfigFaults()
        .range("circuit.first-pause", firstPause, Duration.ofMillis(1), Duration.ofHours(1))
        .range("circuit.max-pause", pauseMax, firstPause, Duration.ofHours(1))
        .throwIfAny();
  }
}
