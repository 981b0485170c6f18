package io.angarium.spring.autoconfigure;

import static io.angarium.spring.autoconfigure.PropertyMapping.or;

import io.angarium.micrometer.MetricsConfig;

/** Maps the properties of metrics; apart, because the Micrometer module need not be present. */
final class MetricsMapping {
  private MetricsMapping() {}

  static MetricsConfig metrics(AngariumProperties.Metrics given) {
    MetricsConfig standard = MetricsConfig.DEFAULTS;
    return new MetricsConfig(
        standard.tags(),
        or(given.maxDestinations(), standard.destinationsMax()),
        or(given.histogram(), standard.histogram()),
        or(given.backlogInterval(), standard.backlogInterval()));
  }
}
