package io.angarium.micrometer;

import static io.angarium.micrometer.Situation.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.TimeSource;
import io.angarium.relay.Relay;
import io.angarium.testkit.memory.StoreCall;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BacklogMetricsTest {
  private final Situation situation = new Situation();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final BacklogMetrics backlog =
      new BacklogMetrics(
          registry,
          MetricsConfig.DEFAULTS,
          situation.database.outboxStore(),
          situation.database.clock());

  @AfterEach
  void close() {
    backlog.close();
  }

  @Test
  void showsWhatWaitsAndSinceWhen() {
    Relay relay = situation.relay("one");
    situation.settle(relay);
    situation.transport.refuseNext(1);
    situation.commit(message("fake:refused"), relay, List.of());
    situation.settle(relay);
    situation.transport.failNext(1);
    situation.commit(message("fake:failed"), relay, List.of());
    situation.settle(relay);
    situation.commit(message("fake:orders"));
    situation.commit(message("fake:orders"));
    situation.database.clock().advance(Duration.ofMillis(1_500));

    backlog.sample();

    assertThat(gauge("angarium.backlog.depth")).isEqualTo(2);
    assertThat(gauge("angarium.backlog.parked")).isEqualTo(1);
    assertThat(gauge("angarium.backlog.retrying")).isEqualTo(1);
    assertThat(gauge("angarium.backlog.delayed")).isZero();
    assertThat(gauge("angarium.backlog.dead")).isEqualTo(1);
    assertThat(gauge("angarium.backlog.oldest.age")).isEqualTo(1.5);
  }

  @Test
  void showsDelayedMessagesThatNoRelayMoves() {
    Instant due = situation.database.clock().instant().plusSeconds(10);
    situation.commit(message("fake:orders").notBefore(due));
    situation.commit(message("fake:orders").notBefore(due.plus(Duration.ofHours(1))));
    situation.database.clock().advance(Duration.ofSeconds(60));
    backlog.sample();
    double inTime = gauge("angarium.backlog.overdue");
    situation.database.clock().advance(Duration.ofSeconds(11));

    backlog.sample();

    assertThat(inTime).isZero();
    assertThat(gauge("angarium.backlog.overdue")).isEqualTo(1);
    assertThat(gauge("angarium.backlog.delayed")).isEqualTo(2);
    assertThat(gauge("angarium.backlog.retrying")).isZero();
    Relay relay = situation.relay("one");
    situation.settle(relay);
    backlog.sample();
    assertThat(gauge("angarium.backlog.overdue")).isZero();
  }

  @Test
  void readingTheGaugesAsksTheDatabaseNothing() {
    backlog.sample();
    long before = situation.database.faults().calls();

    double depth = gauge("angarium.backlog.depth");

    assertThat(depth).isZero();
    assertThat(situation.database.faults().calls()).isEqualTo(before);
  }

  @Test
  void showsNoNumberBeforeTheFirstLook() {
    assertThat(gauge("angarium.backlog.depth")).isNaN();
  }

  @Test
  void showsNoNumberWhileTheDatabaseCannotBeAsked() {
    backlog.sample();
    situation.database.faults().failNext(StoreCall.BACKLOG);

    backlog.sample();
    double failing = gauge("angarium.backlog.dead");
    backlog.sample();

    assertThat(failing).isNaN();
    assertThat(gauge("angarium.backlog.dead")).isZero();
    assertThat(registry.get("angarium.store.failures").tag("task", "backlog").counter().count())
        .isEqualTo(1);
  }

  @Test
  void showsNoNumberThatIsOlderThanThreeIntervals() {
    backlog.sample();
    situation.database.clock().advance(Duration.ofSeconds(30));
    double stillGood = gauge("angarium.backlog.depth");

    situation.database.clock().advance(Duration.ofMillis(1));

    assertThat(stillGood).isZero();
    assertThat(gauge("angarium.backlog.depth")).isNaN();
  }

  @Test
  void looksOnAThreadOfItsOwnUntilItIsClosed() throws InterruptedException {
    CountDownLatch looked = new CountDownLatch(2);
    situation.database.faults().beforeNext(StoreCall.BACKLOG, looked::countDown);
    situation.database.faults().beforeNext(StoreCall.BACKLOG, looked::countDown);
    MetricsConfig everySecond =
        new MetricsConfig(MetricsConfig.DEFAULTS.tags(), 1, false, Duration.ofSeconds(1));
    BacklogMetrics own =
        new BacklogMetrics(
            new SimpleMeterRegistry(),
            everySecond,
            situation.database.outboxStore(),
            TimeSource.SYSTEM);

    own.start();
    own.start();
    boolean twice = looked.await(30, TimeUnit.SECONDS);
    own.close();
    own.close();
    join("angarium-backlog");
    long after = situation.database.faults().calls();

    assertThat(twice).isTrue();
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .doesNotContain("angarium-backlog");
    assertThat(situation.database.faults().calls()).isEqualTo(after);
  }

  /** Its close waits for five seconds at most, which a machine that stalls may take. */
  private static void join(String name) throws InterruptedException {
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().equals(name)) {
        thread.join(60_000);
      }
    }
  }

  @Test
  void closingRemovesTheGauges() {
    backlog.close();

    assertThat(registry.getMeters()).isEmpty();
  }

  private double gauge(String name) {
    return registry.get(name).gauge().value();
  }
}
