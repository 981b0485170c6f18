package io.angarium.micrometer;

import io.angarium.half.CheckAnswer;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfListener;
import io.angarium.half.HalfState;
import io.angarium.half.HalfStep;
import io.angarium.half.Refusal;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts and times what becomes of half messages and of the questions for them, see {@link
 * OutboxMeter}. One per database and process:
 *
 * <pre>{@code
 * HalfMetrics metrics = new HalfMetrics(registry, MetricsConfig.DEFAULTS);
 * HalfMessages half = database.halfMessages(intake, relay, HalfListener.all(() -> List.of(metrics)));
 * CheckBackLoop loop = CheckBackLoop.builder(half, database.checkStore()).listener(metrics).build();
 * }</pre>
 *
 * What is prepared and what is decided is counted once, by the process that did it, so that over
 * all nodes the difference is what is open. Does not block; allocates nothing. Thread-safe.
 */
public final class HalfMetrics implements HalfListener, AutoCloseable {
  private final Registration meters;
  private final PerTag<String, BusinessMeters> businesses;
  private final Map<String, Integer> unreachable = new ConcurrentHashMap<>();

  /**
   * Creates the metrics and registers those that need no business.
   *
   * @param registry where the meters are registered; two of these that share one need different
   *     {@link MetricsConfig#tags}
   * @param config {@link MetricsConfig#destinationsMax} is the limit of businesses, too
   */
  public HalfMetrics(MeterRegistry registry, MetricsConfig config) {
    this.meters = new Registration(registry, config);
    this.businesses =
        new PerTag<>(config.destinationsMax(), tag -> new BusinessMeters(meters, tag));
    meters.gauge(OutboxMeter.HALF_UNREACHABLE, unreachable, Map::size);
  }

  private BusinessMeters of(HalfKey key) {
    return businesses.of(key.business());
  }

  @Override
  public void changed(HalfKey key, HalfState before, HalfState after, Duration age) {
    BusinessMeters business = of(key);
    boolean stored = after == HalfState.PREPARED || after == HalfState.COMMITTED;
    if (!before.isOpen() && stored) {
      business.prepared();
    }
    if (before.isOpen() || stored) {
      business.decided(after, age);
    }
  }

  @Override
  public void refused(HalfKey key, HalfStep step, Refusal refusal) {
    of(key).refused(refusal);
  }

  @Override
  public void checked(HalfKey key, CheckAnswer answer) {
    of(key).checked(answer.verdict());
  }

  @Override
  public void gaveUp(HalfKey key, int checks) {
    of(key).givenUp();
  }

  /** Told for each business that is asked for there. */
  @Override
  public void endpointUnreachable(String endpoint, Duration since, String reason) {
    unreachable.merge(endpoint, 1, Integer::sum);
  }

  @Override
  public void endpointReachable(String endpoint) {
    unreachable.computeIfPresent(endpoint, (name, times) -> times > 1 ? times - 1 : null);
  }

  @Override
  public void endpointForgotten(String endpoint) {
    endpointReachable(endpoint);
  }

  /** Removes the meters from the registry. May be called twice. */
  @Override
  public void close() {
    meters.close();
  }
}
