package io.angarium.spring.autoconfigure.internal.run;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** The report as Spring Boot 4 wants it. */
public final class Boot4Health implements HealthIndicator {
  private final RelayHealth relay;

  public Boot4Health(RelayHealth relay) {
    this.relay = relay;
  }

  @Override
  public Health health() {
    RelayHealth.Report report = relay.report();
    return (report.up() ? Health.up() : Health.down()).withDetails(report.details()).build();
  }
}
