package io.angarium.recipes.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.relay.settings.RelayConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.context.LifecycleProperties;
import org.springframework.boot.convert.DurationStyle;

class DeploymentTest {
  /** For the end of the JVM, and for a machine that is busy. */
  private static final Duration MARGIN = Duration.ofSeconds(10);

  /** Of Kubernetes. */
  private static final Duration GRACE_PERIOD_DEFAULT = Duration.ofSeconds(30);

  private final Deployment deployment = read();

  private static Deployment read() {
    try {
      return Deployment.read();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Duration setting(String name) {
    return DurationStyle.detectAndParse(deployment.application().getProperty(name));
  }

  @Test
  void gracePeriodCoversEveryPhaseOfTheStop() {
    Duration needed =
        deployment
            .preStop()
            .plus(setting("spring.lifecycle.timeout-per-shutdown-phase"))
            .plus(setting("angarium.relay.close-timeout"))
            .plus(MARGIN);

    assertThat(deployment.gracePeriod()).isGreaterThanOrEqualTo(needed);
  }

  @Test
  void closeTimeoutIsTheDefault() {
    assertThat(setting("angarium.relay.close-timeout"))
        .isEqualTo(RelayConfig.CLOSE_TIMEOUT_DEFAULT);
  }

  @Test
  void defaultPhaseOfSpringBootNeedsMoreThanTheDefaultGracePeriod() {
    Duration phase = new LifecycleProperties().getTimeoutPerShutdownPhase();

    assertThat(phase.plus(MARGIN)).isGreaterThan(GRACE_PERIOD_DEFAULT);
  }

  @Test
  void serviceLinksAreOff() {
    assertThat(deployment.pod()).containsEntry("enableServiceLinks", false);
  }
}
