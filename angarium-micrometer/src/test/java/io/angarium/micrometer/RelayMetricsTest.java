package io.angarium.micrometer;

import static io.angarium.micrometer.Situation.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.relay.Relay;
import io.angarium.relay.settings.RelayListener;
import io.angarium.store.Invariant;
import io.angarium.testkit.memory.StoreCall;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RelayMetricsTest {
  private final Situation situation = new Situation();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final RelayMetrics metrics = new RelayMetrics(registry, MetricsConfig.DEFAULTS);

  @Test
  void brokenInvariantsAreCountedFromZeroByKind() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    RelayMetrics metrics = new RelayMetrics(registry, MetricsConfig.DEFAULTS);

    metrics.invariantBroken(Invariant.OVERDUE, "found");

    assertThat(registry.get("angarium.invariant.broken").tag("which", "overdue").counter().count())
        .isEqualTo(1);
    assertThat(registry.get("angarium.invariant.broken").tag("which", "sequence").counter().count())
        .isZero();
  }

  @Test
  void messagesThatAreSentAgainAreCounted() {
    double before = registry.get("angarium.resent").counter().count();

    metrics.resent(3);
    metrics.resent(1);

    assertThat(before).isZero();
    assertThat(registry.get("angarium.resent").counter().count()).isEqualTo(4);
  }

  @Test
  void confirmedMessagesAreCounted() {
    double before = registry.get("angarium.confirmed").counter().count();

    metrics.confirmed(2);
    metrics.confirmed(3);

    assertThat(before).isZero();
    assertThat(registry.get("angarium.confirmed").counter().count()).isEqualTo(5);
  }

  @Test
  void messageSentStraightAfterItsCommitIsTimedAsPrompt() {
    Relay relay = started(metrics);
    situation.transport.manual();
    situation.commit(message("fake:orders"), relay, List.of());
    situation.settle(relay);

    situation.database.clock().advance(Duration.ofMillis(40));
    situation.transport.acknowledgeAll();
    situation.settle(relay);

    Timer prompt = delivery("fake:orders", "prompt");
    assertThat(prompt.count()).isEqualTo(1);
    assertThat(prompt.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(40);
    assertThat(delivery("fake:orders", "compensated").count()).isZero();
    assertThat(delivery("fake:orders", "retried").count()).isZero();
  }

  @Test
  void messageNobodyHandedOverIsCountedAsCompensated() {
    Relay relay = started(metrics);
    situation.commit(message("fake:orders"));

    situation.run(relay, Duration.ofSeconds(5));

    assertThat(delivery("fake:orders", "compensated").count()).isEqualTo(1);
    assertThat(delivery("fake:orders", "prompt").count()).isZero();
  }

  @Test
  void failedAttemptIsCountedAndItsRetryHasARouteOfItsOwn() {
    Relay relay = started(metrics);
    situation.transport.failNext(2);
    situation.commit(message("fake:orders"), relay, List.of());

    situation.run(relay, Duration.ofSeconds(10));

    assertThat(failed("fake:orders", "failed")).isEqualTo(2);
    assertThat(delivery("fake:orders", "retried").count()).isEqualTo(1);
    assertThat(delivery("fake:orders", "prompt").count()).isZero();
    assertThat(dead("fake:orders")).isZero();
  }

  @Test
  void messageWhoseAttemptsAreUsedUpIsCountedAsDead() {
    Relay relay = started(metrics);
    situation.transport.failNext(3);
    situation.commit(message("fake:orders"), relay, List.of());

    situation.run(relay, Duration.ofSeconds(10));

    assertThat(failed("fake:orders", "failed")).isEqualTo(3);
    assertThat(dead("fake:orders")).isEqualTo(1);
  }

  @Test
  void refusedMessageIsCountedAsRefusedAndDead() {
    Relay relay = started(metrics);
    situation.transport.refuseNext(1);
    situation.commit(message("fake:orders"), relay, List.of());

    situation.settle(relay);

    assertThat(failed("fake:orders", "refused")).isEqualTo(1);
    assertThat(dead("fake:orders")).isEqualTo(1);
  }

  @Test
  void circuitShowsWhetherADestinationTakesMessages() {
    Relay relay = started(metrics);
    situation.transport.unavailable("fake:orders", true);
    situation.commit(message("fake:orders"), relay, List.of());
    situation.commit(message("fake:parcels"), relay, List.of());
    situation.settle(relay);
    double down = gauge("angarium.circuit", "destination", "fake:orders");
    double other = gauge("angarium.circuit", "destination", "fake:parcels");

    situation.transport.heal();
    situation.run(relay, Duration.ofSeconds(10));

    assertThat(down).isEqualTo(2);
    assertThat(other).isZero();
    assertThat(gauge("angarium.circuit", "destination", "fake:orders")).isZero();
    assertThat(failed("fake:orders", "unavailable")).isPositive();
    assertThat(dead("fake:orders")).isZero();
  }

  @Test
  void leasesAreCountedAndThePartitionsOfTheNodeShown() {
    Relay first = started(metrics);
    metrics.watch(first);
    situation.settle(first);
    double alone = gauge("angarium.partitions");

    Relay second = started(RelayListener.NONE);
    for (int i = 0; i < 100; i++) {
      situation.run(first, Situation.STEP);
      situation.settle(second);
    }

    double shared = gauge("angarium.partitions");
    assertThat(alone).isEqualTo(80);
    assertThat(shared).isBetween(20.0, 60.0);
    assertThat(counter("angarium.lease.changes", "change", "taken")).isEqualTo(80);
    assertThat(counter("angarium.lease.changes", "change", "gone")).isEqualTo(80 - shared);
  }

  @Test
  void relayThatWasStoppedIsNotHealthyAndHoldsNothing() {
    Relay relay = started(metrics);
    metrics.watch(relay);
    relay.start();
    double running = gauge("angarium.healthy");

    relay.close();

    assertThat(running).isEqualTo(1);
    assertThat(gauge("angarium.healthy")).isZero();
    assertThat(gauge("angarium.partitions")).isZero();
  }

  @Test
  void databaseFailuresAreCountedByTask() {
    Relay relay = started(metrics);
    situation.commit(message("fake:orders"), relay, List.of());
    situation.database.faults().failNext(StoreCall.DELETE);

    situation.run(relay, Duration.ofSeconds(1));

    assertThat(registry.get("angarium.store.failures").counters())
        .singleElement()
        .satisfies(counter -> assertThat(counter.count()).isEqualTo(1));
  }

  @Test
  void tasksBeyondTheLimitShareOneTag() {
    RuntimeException cause = new IllegalStateException("on purpose");

    for (int i = 0; i < RelayMetrics.TASKS_MAX + 10; i++) {
      metrics.storeFailed("task " + i, cause);
    }

    assertThat(registry.get("angarium.store.failures").counters())
        .hasSize(RelayMetrics.TASKS_MAX + 1);
    assertThat(counter("angarium.store.failures", "task", "other")).isEqualTo(10);
  }

  @Test
  void destinationsBeyondTheLimitShareOneTag() {
    RelayMetrics two =
        new RelayMetrics(
            registry, new MetricsConfig(Tags.empty(), 2, false, Duration.ofMinutes(1)));
    Relay relay = started(two);
    for (String destination : List.of("fake:a", "fake:b", "fake:c", "fake:d", "fake:a")) {
      situation.commit(message(destination), relay, List.of());
    }
    situation.transport.unavailable("fake:d", true);

    situation.settle(relay);

    assertThat(delivery("fake:a", "prompt").count()).isEqualTo(2);
    assertThat(delivery("fake:b", "prompt").count()).isEqualTo(1);
    assertThat(delivery("other", "prompt").count()).isEqualTo(1);
    assertThat(gauge("angarium.circuit", "destination", "other")).isEqualTo(2);
    assertThat(registry.find("angarium.delivery").tag("destination", "fake:c").timer()).isNull();
  }

  @Test
  void registryThatThrowsDoesNotHoldUpDelivery() {
    registry
        .config()
        .meterFilter(
            new MeterFilter() {
              @Override
              public Meter.Id map(Meter.Id id) {
                if (id.getName().equals("angarium.delivery")) {
                  throw new IllegalStateException("on purpose");
                }
                return id;
              }
            });
    Relay relay = started(metrics);
    situation.commit(message("fake:orders").key("1"), relay, List.of());
    situation.commit(message("fake:orders").key("1"), relay, List.of());

    situation.run(relay, Duration.ofSeconds(1));

    assertThat(situation.transport.stored("fake:orders")).hasSize(2);
    assertThat(situation.database.unsent()).isEmpty();
  }

  @Test
  void tagsOfTheConfigurationAreOnEveryMeter() {
    RelayMetrics tagged =
        new RelayMetrics(registry, MetricsConfig.DEFAULTS.tags(Tags.of("outbox", "warehouse")));
    Relay relay = started(tagged);
    situation.commit(message("fake:orders"), relay, List.of());

    situation.settle(relay);

    Timer timer =
        registry.get("angarium.delivery").tag("outbox", "warehouse").timers().iterator().next();
    assertThat(timer.getId().getTag("destination")).isEqualTo("fake:orders");
    assertThat(registry.get("angarium.lease.changes").tag("outbox", "warehouse").counters())
        .hasSize(2);
  }

  @Test
  void closingRemovesTheMetersSoThatANewRelayStartsAfresh() {
    Relay relay = started(metrics);
    metrics.watch(relay);
    situation.commit(message("fake:orders"), relay, List.of());
    situation.settle(relay);

    metrics.close();
    metrics.close();

    assertThat(registry.getMeters()).isEmpty();
  }

  private Relay started(RelayListener listener) {
    Relay relay = situation.relay("node-" + listener.hashCode(), listener);
    situation.settle(relay);
    return relay;
  }

  private Timer delivery(String destination, String route) {
    return registry
        .get("angarium.delivery")
        .tags("destination", destination, "route", route)
        .timer();
  }

  private double failed(String destination, String outcome) {
    return registry
        .get("angarium.attempts.failed")
        .tags("destination", destination, "outcome", outcome)
        .counter()
        .count();
  }

  private double dead(String destination) {
    return counter("angarium.dead", "destination", destination);
  }

  private double counter(String name, String... tags) {
    Counter counter = registry.get(name).tags(tags).counter();
    return counter.count();
  }

  private double gauge(String name, String... tags) {
    Gauge gauge = registry.get(name).tags(tags).gauge();
    return gauge.value();
  }
}
