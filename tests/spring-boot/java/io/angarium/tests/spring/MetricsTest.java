package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.background.BackgroundWork;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfListener;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.micrometer.ConfirmationMetrics;
import io.angarium.micrometer.HalfMetrics;
import io.angarium.micrometer.ReconciliationMetrics;
import io.angarium.micrometer.RelayMetrics;
import io.angarium.reconciliation.ReconciliationListener;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class MetricsTest {
  private final Shop shop =
      Shop.on(Database.h2().withOrders()).withoutJpa().with(Styles.Jdbc.class).with(Registry.class);

  @Test
  void deliveriesAndTheRelayAreMeasured() {
    MeterRegistry meters;
    try (ConfigurableApplicationContext context = shop.start()) {
      meters = context.getBean(MeterRegistry.class);
      context.getBean(Orders.class).place(1);
      context.getBean(Mailbox.class).next();
      assertThat(meters.get("angarium.healthy").gauge().value()).isEqualTo(1);
      assertThat(meters.find("angarium.backlog.depth").gauge()).isNotNull();
      assertThat(meters.find("angarium.unconfirmed").gauge()).as("nobody confirms").isNull();
      context.stop();

      assertThat(meters.find("angarium.delivery").timers().stream().mapToLong(Timer::count).sum())
          .isEqualTo(1);
    }
  }

  @Test
  void workOfTheBackgroundIsMeasured() {
    try (ConfigurableApplicationContext context = shop.with(Failing.class).start()) {
      Gauge healthy = context.getBean(MeterRegistry.class).get("angarium.background.healthy").gauge();
      assertThat(healthy.value()).isEqualTo(1);
      context.getBean(Failing.class).fails.set(true);
      assertThat(healthy.value()).isZero();
    }
  }

  /** Work of the application's own. */
  static class Failing implements BackgroundWork {
    final AtomicBoolean fails = new AtomicBoolean();

    @Override
    public Optional<String> fault() {
      return fails.get() ? Optional.of("planned") : Optional.empty();
    }
  }

  @Test
  void confirmationsAndReconciliationsAreMeasured() {
    try (ConfigurableApplicationContext context =
        shop.with("angarium.confirmation.destinations[0]=mailbox:orders").start()) {
      MeterRegistry meters = context.getBean(MeterRegistry.class);
      context.getBean(Orders.class).place(1);
      context.getBean(Mailbox.class).next();
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (!(unconfirmed(meters) > 0) && System.nanoTime() < end) {
        LockSupport.parkNanos(10_000_000);
        context.getBean(ConfirmationMetrics.class).sample();
      }

      assertThat(unconfirmed(meters)).isEqualTo(1);
      assertThat(meters.get("angarium.resent").counter().count()).isZero();
      assertThat(context.getBeansOfType(ReconciliationListener.class).values())
          .hasAtLeastOneElementOfType(ReconciliationMetrics.class);
    }
  }

  private static double unconfirmed(MeterRegistry meters) {
    return meters.get("angarium.unconfirmed").gauge().value();
  }

  @Test
  void halfMessagesAreMeasuredWhereTheirDatabaseIs() {
    try (ConfigurableApplicationContext context =
        shop.with("angarium.half.enabled=true").with(Listening.class).start()) {
      HalfMessages half = context.getBean(HalfMessages.class);
      HalfKey key = new HalfKey("order-paid", "1");
      half.prepare(HalfMessage.of(key, Message.of("fake:orders", new byte[] {1})));
      half.commit(key);
      half.commit(key);

      MeterRegistry meters = context.getBean(MeterRegistry.class);
      assertThat(
              meters.get("angarium.half.decided").tag("outcome", "committed").timer().count())
          .isEqualTo(1);
      assertThat(meters.find("angarium.half.backlog.unresolved").gauge()).isNotNull();
      assertThat(context.getBean(Listening.class).heard).hasValue(2);
    }
  }

  @Test
  void halfMessagesOnAServerAreNotMeasuredHere() {
    try (ConfigurableApplicationContext context =
        shop.with("angarium.half.enabled=true")
            .with("angarium.half.http.server=http://127.0.0.1:1")
            .start()) {
      assertThat(context.getBeanProvider(HalfMetrics.class).getIfAvailable()).isNull();
    }
  }

  @Test
  void metricsCanBeSwitchedOff() {
    try (ConfigurableApplicationContext context =
        shop.with("angarium.metrics.enabled=false").start()) {
      assertThat(context.getBeanProvider(RelayMetrics.class).getIfAvailable()).isNull();
    }
  }

  /** A listener that needs the half messages itself, which must not be a circle. */
  static final class Listening implements HalfListener {
    final AtomicInteger heard = new AtomicInteger();

    Listening(HalfMessages half) {
      Objects.requireNonNull(half);
    }

    @Override
    public void changed(HalfKey key, HalfState before, HalfState after, Duration age) {
      heard.incrementAndGet();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Registry {
    @Bean
    MeterRegistry registry() {
      return new SimpleMeterRegistry();
    }
  }
}
