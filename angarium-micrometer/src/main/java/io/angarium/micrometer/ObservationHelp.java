package io.angarium.micrometer;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import java.util.HashMap;
import java.util.Map;

/**
 * Describes meters that have no description of their own, as those that Micrometer makes of
 * observations: without one Prometheus shows an empty HELP. Add it before meters are registered,
 * {@code registry.config().meterFilter(new ObservationHelp())}; Spring Boot takes a bean of it.
 * Thread-safe.
 */
public final class ObservationHelp implements MeterFilter {
  private final Map<String, String> descriptions;

  /** Describes the meters of {@link SendConvention#NAME}. */
  public ObservationHelp() {
    this(Map.of());
  }

  /**
   * Describes further meters besides.
   *
   * @param further descriptions by the names of meters
   */
  public ObservationHelp(Map<String, String> further) {
    Map<String, String> all = new HashMap<>(further);
    all.put(SendConvention.NAME, "Attempts to send, from hand-over to the result");
    all.put(SendConvention.NAME + ".active", "Attempts to send that have no result yet");
    this.descriptions = Map.copyOf(all);
  }

  @Override
  public Meter.Id map(Meter.Id id) {
    String description = descriptions.get(id.getName());
    return description == null || id.getDescription() != null
        ? id
        : new Meter.Id(
            id.getName(),
            Tags.of(id.getTagsAsIterable()),
            id.getBaseUnit(),
            description,
            id.getType());
  }
}
