package io.angarium.spring.autoconfigure;

import io.angarium.TimeSource;
import io.angarium.background.BackgroundWork;
import io.angarium.confirmation.Confirmations;
import io.angarium.half.decide.HalfMessageDesk;
import io.angarium.micrometer.AlertMetrics;
import io.angarium.micrometer.BackgroundMetrics;
import io.angarium.micrometer.BacklogMetrics;
import io.angarium.micrometer.ConfirmationMetrics;
import io.angarium.micrometer.HalfBacklogMetrics;
import io.angarium.micrometer.HalfMetrics;
import io.angarium.micrometer.MetricsConfig;
import io.angarium.micrometer.ObservationHelp;
import io.angarium.micrometer.ReconciliationMetrics;
import io.angarium.micrometer.RelayMetrics;
import io.angarium.micrometer.RelayTracing;
import io.angarium.micrometer.TraceCapture;
import io.angarium.relay.Relay;
import io.angarium.spring.autoconfigure.internal.mapping.MetricsMapping;
import io.angarium.spring.autoconfigure.internal.web.OnConfirmedDestinations;
import io.angarium.spring.operate.RelayLifecycle;
import io.angarium.spring.settings.AngariumProperties;
import io.angarium.store.OutboxStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import java.util.function.Consumer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/** Metrics and tracing, where Micrometer and our module for it are present. */
@AutoConfiguration(
    after = {
      AngariumRelayAutoConfiguration.class,
      AngariumHalfAutoConfiguration.class,
      AngariumConfirmationAutoConfiguration.class
    },
    afterName = {
      // Spring Boot 3
      "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
      "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration",
      "org.springframework.boot.actuate.autoconfigure.tracing.BraveAutoConfiguration",
      "org.springframework.boot.actuate.autoconfigure.tracing.OpenTelemetryTracingAutoConfiguration",
      // Spring Boot 4
      "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
      "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
      "org.springframework.boot.micrometer.tracing.brave.autoconfigure.BraveAutoConfiguration",
      "org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration"
    })
@ConditionalOnClass(MetricsConfig.class)
@ConditionalOnBean(AngariumProperties.class)
@ConditionalOnProperty(name = "angarium.metrics.enabled", matchIfMissing = true)
public final class AngariumMicrometerAutoConfiguration {
  /** Creates the configuration. */
  public AngariumMicrometerAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  MetricsConfig angariumMetricsConfig(AngariumProperties properties) {
    return MetricsMapping.metrics(properties.metrics());
  }

  /** Before any registry is made, so that every meter is described. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(MeterRegistry.class)
  static class Help {
    @Bean
    @ConditionalOnMissingBean
    static ObservationHelp angariumObservationHelp() {
      return new ObservationHelp();
    }
  }

  /** Counters, timers and gauges of a relay in this process. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(MeterRegistry.class)
  @ConditionalOnBean({MeterRegistry.class, RelayLifecycle.class})
  static class Metrics {
    @Bean
    @ConditionalOnMissingBean
    RelayMetrics angariumRelayMetrics(MeterRegistry registry, MetricsConfig config) {
      return new RelayMetrics(registry, config);
    }

    @Bean
    Consumer<Relay> angariumRelayWatch(RelayMetrics metrics) {
      return metrics::watch;
    }

    @Bean(initMethod = "start")
    @ConditionalOnMissingBean
    BacklogMetrics angariumBacklogMetrics(
        MeterRegistry registry,
        MetricsConfig config,
        OutboxStore store,
        ObjectProvider<TimeSource> time) {
      return new BacklogMetrics(
          registry, config, store, time.getIfAvailable(() -> TimeSource.SYSTEM));
    }
  }

  /** Metrics of half messages in the database of this process. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(MeterRegistry.class)
  @ConditionalOnBean({MeterRegistry.class, HalfMessageDesk.class})
  static class HalfMessages {
    @Bean
    @ConditionalOnMissingBean
    HalfMetrics angariumHalfMetrics(MeterRegistry registry, MetricsConfig config) {
      return new HalfMetrics(registry, config);
    }

    @Bean(initMethod = "start")
    @ConditionalOnMissingBean
    HalfBacklogMetrics angariumHalfBacklogMetrics(
        MeterRegistry registry,
        MetricsConfig config,
        HalfMessageDesk desk,
        ObjectProvider<TimeSource> time) {
      return new HalfBacklogMetrics(
          registry, config, desk, time.getIfAvailable(() -> TimeSource.SYSTEM));
    }
  }

  /** Metrics of sent messages that wait for receipts, where confirmation is on. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(MeterRegistry.class)
  @ConditionalOnBean({MeterRegistry.class, RelayLifecycle.class, Confirmations.class})
  @Conditional(OnConfirmedDestinations.class)
  static class Confirmed {
    @Bean(initMethod = "start")
    @ConditionalOnMissingBean
    ConfirmationMetrics angariumConfirmationMetrics(
        MeterRegistry registry,
        MetricsConfig config,
        Confirmations confirmations,
        ObjectProvider<TimeSource> time) {
      return new ConfirmationMetrics(
          registry, config, confirmations, time.getIfAvailable(() -> TimeSource.SYSTEM));
    }
  }

  /** Gauge for work in the background, with or without a relay. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(MeterRegistry.class)
  @ConditionalOnBean(MeterRegistry.class)
  static class Background {
    @Bean
    @ConditionalOnMissingBean
    BackgroundMetrics angariumBackgroundMetrics(
        MeterRegistry registry, MetricsConfig config, ObjectProvider<BackgroundWork> work) {
      return new BackgroundMetrics(registry, config, work::stream);
    }
  }

  /** Metrics of reconciliations, whose tasks notify every listener. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(MeterRegistry.class)
  @ConditionalOnBean(MeterRegistry.class)
  static class Reconciled {
    @Bean
    @ConditionalOnMissingBean
    ReconciliationMetrics angariumReconciliationMetrics(
        MeterRegistry registry, MetricsConfig config, AngariumProperties properties) {
      ReconciliationMetrics metrics = new ReconciliationMetrics(registry, config);
      properties.reconciliation().tasks().keySet().forEach(metrics::show);
      return metrics;
    }
  }

  /** Metrics of alerts, whose engine notifies every listener. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(MeterRegistry.class)
  @ConditionalOnBean(MeterRegistry.class)
  @ConditionalOnProperty("angarium.alerts.enabled")
  static class Alerted {
    @Bean
    @ConditionalOnMissingBean
    AlertMetrics angariumAlertMetrics(MeterRegistry registry, MetricsConfig config) {
      return new AlertMetrics(registry, config);
    }
  }

  /** One observation per attempt. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(ObservationRegistry.class)
  @ConditionalOnBean({ObservationRegistry.class, RelayLifecycle.class})
  static class Observations {
    @Bean
    @ConditionalOnMissingBean
    RelayTracing angariumRelayTracing(ObservationRegistry registry, MetricsConfig config) {
      return new RelayTracing(registry, config, null);
    }
  }

  /** The trace context of the sender, kept with the message. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({Tracer.class, Propagator.class})
  @ConditionalOnBean({Tracer.class, Propagator.class})
  static class Tracing {
    @Bean
    @ConditionalOnMissingBean
    TraceCapture angariumTraceCapture(Tracer tracer, Propagator propagator) {
      return new TraceCapture(tracer, propagator);
    }
  }
}
