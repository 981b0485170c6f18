package io.angarium.spring.autoconfigure.internal.run;

import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;

/** The report as Spring Boot 3 wants it. */
public final class Boot3Health implements HealthIndicator {
  private final RelayHealth relay;

  public Boot3Health(RelayHealth relay) {
    this.relay = relay;
  }

  @Override
  public Health health() {
    RelayHealth.Report report = relay.report();
    return (report.up() ? Health.up() : Health.down()).withDetails(report.details()).build();
  }
}
