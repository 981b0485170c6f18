package io.angarium.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.half.HalfKey;
import io.angarium.half.RefusedStepException;
import io.angarium.half.Verdict;
import io.angarium.half.WhenUnknown;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HalfMetricsTest {
  private static final Duration TWO_MINUTES = Duration.ofMinutes(2);

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final HalfMetrics metrics = new HalfMetrics(registry, MetricsConfig.DEFAULTS);
  private final HalfSituation situation = new HalfSituation(metrics);

  @Test
  void everyMessageIsCountedOnceHoweverOftenItsCallsAreRepeated() {
    HalfKey key = situation.prepared("orders", "1");
    situation.prepared("orders", "1");
    situation.prepared("orders", "2");
    situation.clock.advance(Duration.ofSeconds(3));
    situation.half.commit(key);
    situation.half.commit(key);

    assertThat(count("prepared", "orders")).isEqualTo(2);
    assertThat(decided("orders", "committed").count()).isEqualTo(1);
    assertThat(decided("orders", "committed").totalTime(TimeUnit.SECONDS)).isEqualTo(3);
    assertThat(decided("orders", "rolled_back").count()).isZero();
  }

  @Test
  void refusalsAreCountedByTheirReason() {
    HalfKey key = situation.prepared("orders", "1");
    situation.half.rollback(key);
    assertThatThrownBy(() -> situation.half.commit(key)).isInstanceOf(RefusedStepException.class);
    assertThatThrownBy(() -> situation.half.commit(new HalfKey("orders", "none")))
        .isInstanceOf(RefusedStepException.class);

    assertThat(decided("orders", "rolled_back").count()).isEqualTo(1);
    assertThat(refused("already_rolled_back")).isEqualTo(1);
    assertThat(refused("unknown")).isEqualTo(1);
    assertThat(refused("already_committed")).isZero();
  }

  @Test
  void whatWasDecidedBeforeItCameLeavesNothingOpen() {
    HalfKey committed = new HalfKey("orders", "1");
    HalfKey dropped = new HalfKey("orders", "2");
    situation.half.commit(committed, WhenUnknown.REMEMBER);
    situation.half.rollback(dropped, WhenUnknown.REMEMBER);
    situation.prepared("orders", "1");
    assertThatThrownBy(() -> situation.prepared("orders", "2"))
        .isInstanceOf(RefusedStepException.class);

    assertThat(count("prepared", "orders")).isEqualTo(1);
    assertThat(decided("orders", "committed").count()).isEqualTo(1);
    assertThat(decided("orders", "rolled_back").count()).isZero();
    assertThat(refused("already_rolled_back")).isEqualTo(1);
  }

  @Test
  void questionsAreCountedByTheirAnswer() {
    situation.producers.answer(situation.prepared("orders", "1"), Verdict.COMMITTED);
    situation.producers.answer(situation.prepared("orders", "2"), Verdict.IN_FLIGHT);
    situation.prepared("orders", "3");

    situation.after(TWO_MINUTES);

    assertThat(checks("committed")).isEqualTo(1);
    assertThat(checks("in_flight")).isEqualTo(1);
    assertThat(checks("unknown")).isEqualTo(1);
    assertThat(checks("unreachable")).isZero();
    assertThat(decided("orders", "committed").count()).isEqualTo(1);
    assertThat(count("given.up", "orders")).isEqualTo(1);
  }

  @Test
  void personWhoDecidesIsMeasuredAsWell() {
    HalfKey key = situation.prepared("orders", "1");
    situation.after(TWO_MINUTES);
    situation.desk.resume(key, "ann", "once more");
    situation.desk.rollback(key, "ann", "never paid");

    assertThat(count("prepared", "orders")).isEqualTo(1);
    assertThat(decided("orders", "rolled_back").totalTime(TimeUnit.MINUTES)).isEqualTo(2);
  }

  @Test
  void addressesWhereNobodyIsFoundAreGauged() {
    situation.prepared("orders", "1");
    situation.prepared("refunds", "1");
    situation.prepared("orders", "2", "fake://other");
    situation.producers.unreachable(HalfSituation.SHOP, true);
    situation.producers.unreachable("fake://other", true);
    for (int i = 0; i < 12; i++) {
      situation.after(Duration.ofMinutes(6));
    }
    double both = unreachable();

    situation.producers.unreachable(HalfSituation.SHOP, false);
    situation.after(Duration.ofHours(1));
    situation.after(Duration.ofHours(1));
    double one = unreachable();
    situation.half.rollback(new HalfKey("orders", "2"));
    situation.after(Duration.ofHours(2));
    situation.after(Duration.ofHours(2));
    situation.after(Duration.ofHours(2));

    assertThat(both).isEqualTo(2);
    assertThat(one).isEqualTo(1);
    assertThat(unreachable()).isZero();
  }

  @Test
  void businessesBeyondTheLimitShareATag() {
    MetricsConfig two = new MetricsConfig(Tags.empty(), 2, false, Duration.ofSeconds(10));
    HalfMetrics bounded = new HalfMetrics(registry, two);
    HalfSituation many = new HalfSituation(bounded);
    for (int i = 0; i < 10; i++) {
      many.prepared("business-" + i, "1");
    }

    assertThat(count("prepared", "business-1")).isEqualTo(1);
    assertThat(count("prepared", "other")).isEqualTo(8);
    assertThat(registry.find("angarium.half.prepared").counters()).hasSize(3);
  }

  @Test
  void closingRemovesTheMeters() {
    situation.prepared("orders", "1");

    metrics.close();

    assertThat(registry.getMeters()).isEmpty();
  }

  private double count(String meter, String business) {
    return registry.get("angarium.half." + meter).tag("business", business).counter().count();
  }

  private Timer decided(String business, String outcome) {
    return registry
        .get("angarium.half.decided")
        .tag("business", business)
        .tag("outcome", outcome)
        .timer();
  }

  private double refused(String refusal) {
    return registry.get("angarium.half.refused").tag("refusal", refusal).counter().count();
  }

  private double checks(String verdict) {
    return registry.get("angarium.half.checks").tag("verdict", verdict).counter().count();
  }

  private double unreachable() {
    return registry.get("angarium.half.unreachable").gauge().value();
  }
}
