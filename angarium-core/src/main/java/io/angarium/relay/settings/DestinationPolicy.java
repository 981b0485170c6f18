package io.angarium.relay.settings;

import java.util.concurrent.ThreadLocalRandom;

/**
 * How one destination treats failures. Immutable.
 *
 * @param onDead what happens to the later messages of a key whose message became a dead letter
 */
public record DestinationPolicy(RetryPolicy retry, OnDead onDead, CircuitTiming circuit) {

  /** What happens to the later messages of a key whose message became a dead letter. */
  public enum OnDead {
    /** They go on; the dead one is missing until it is requeued. The default. */
    SKIP,
    /** They wait until a person requeues or discards the dead one. */
    BLOCK_KEY
  }

  /**
   * {@link ExponentialBackoff} and {@link CircuitTiming} with their defaults, skipping dead ones.
   */
  public static DestinationPolicy defaults() {
    RetryPolicy retry =
        new ExponentialBackoff(
            ExponentialBackoff.Timing.DEFAULTS, () -> ThreadLocalRandom.current().nextLong());
    return new DestinationPolicy(retry, OnDead.SKIP, CircuitTiming.DEFAULTS);
  }
}
