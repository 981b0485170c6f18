package io.angarium.spring.autoconfigure.internal.mapping;

import static io.angarium.spring.autoconfigure.internal.mapping.PropertyMapping.or;

import io.angarium.micrometer.MetricsConfig;
import io.angarium.spring.settings.AngariumProperties;

/** Maps the properties of metrics; apart, because the Micrometer module need not be present. */
public final class MetricsMapping {
  private MetricsMapping() {}

  public static MetricsConfig metrics(AngariumProperties.Metrics given) {
    MetricsConfig standard = MetricsConfig.DEFAULTS;
    return new MetricsConfig(
        standard.tags(),
        or(given.maxDestinations(), standard.destinationsMax()),
        or(given.histogram(), standard.histogram()),
        standard.backlogInterval());
  }
}
