package io.angarium.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.half.HalfListener;
import io.angarium.half.Verdict;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HalfBacklogMetricsTest {
  private static final Duration LONG = Duration.ofDays(1);

  private final HalfSituation situation = new HalfSituation(HalfListener.NONE);
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final HalfBacklogMetrics backlog =
      new HalfBacklogMetrics(registry, MetricsConfig.DEFAULTS, situation.desk, situation.clock);

  @AfterEach
  void close() {
    backlog.close();
  }

  @Test
  void showsWhatIsOpenForTooLong() {
    situation.prepared("orders", "1");
    situation.producers.answer(situation.prepared("orders", "2"), Verdict.IN_FLIGHT);
    situation.producers.answer(situation.prepared("orders", "3"), Verdict.IN_FLIGHT);
    situation.after(Duration.ofMinutes(2));
    situation.prepared("orders", "young");

    backlog.sample();

    assertThat(gauge("undecided")).isEqualTo(2);
    assertThat(gauge("overdue")).isZero();
    assertThat(gauge("unresolved")).isEqualTo(1);

    situation.clock.advance(LONG);
    backlog.sample();

    assertThat(gauge("overdue")).isEqualTo(2);
  }

  @Test
  void showsNoNumberWhileTheDatabaseCannotBeAsked() {
    double before = gauge("unresolved");
    situation.prepared("orders", "1");
    situation.after(Duration.ofMinutes(2));
    situation.half.unreachable(true);
    backlog.sample();
    double away = gauge("unresolved");
    situation.half.unreachable(false);
    backlog.sample();

    assertThat(before).isNaN();
    assertThat(away).isNaN();
    assertThat(gauge("unresolved")).isEqualTo(1);
    assertThat(
            registry.get("angarium.store.failures").tag("task", "half-backlog").counter().count())
        .isEqualTo(1);
  }

  @Test
  void closingRemovesTheGauges() {
    backlog.close();

    assertThat(registry.getMeters()).isEmpty();
  }

  private double gauge(String name) {
    return registry.get("angarium.half.backlog." + name).gauge().value();
  }
}
