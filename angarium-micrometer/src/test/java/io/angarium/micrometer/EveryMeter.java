package io.angarium.micrometer;

import static io.angarium.micrometer.Situation.message;

import io.angarium.alert.Severity;
import io.angarium.reconciliation.Digest;
import io.angarium.reconciliation.Report;
import io.angarium.reconciliation.Window;
import io.angarium.relay.Relay;
import io.angarium.testkit.memory.StoreCall;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/** A life in which every meter has a value. */
final class EveryMeter {
  private EveryMeter() {}

  /** Makes everything happen that has a meter. */
  static void use(MeterRegistry registry) {
    Situation situation = new Situation();
    MetricsConfig config = new MetricsConfig(Tags.empty(), 10, true, Duration.ofSeconds(10));
    RelayMetrics metrics = new RelayMetrics(registry, config);
    new BackgroundMetrics(registry, config, Stream::empty);
    Relay relay = situation.relay("one", metrics);
    metrics.watch(relay);
    situation.settle(relay);
    situation.database.faults().failNext(StoreCall.DELETE);
    situation.transport.refuseNext(1);
    situation.commit(message("fake:orders"), relay, List.of());
    situation.commit(message("fake:orders"), relay, List.of());
    situation.run(relay, Duration.ofSeconds(1));
    new BacklogMetrics(
            registry, config, situation.database.outboxStore(), situation.database.clock())
        .sample();
    new ConfirmationMetrics(registry, config, new NotedConfirmations(), situation.database.clock())
        .sample();
    new ReconciliationMetrics(registry, config)
        .compared(
            "orders",
            new Report(
                new Window(Instant.EPOCH, Instant.EPOCH.plusSeconds(3_600)),
                Digest.NONE,
                Digest.NONE,
                List.of("1"),
                List.of(),
                List.of(),
                true));
    useHalfMessages(registry, config);
    AlertMetrics alerts = new AlertMetrics(registry, config);
    alerts.firing("dead-letters", Severity.WARNING, 1);
    alerts.told("log", true);
  }

  private static void useHalfMessages(MeterRegistry registry, MetricsConfig config) {
    HalfSituation situation = new HalfSituation(new HalfMetrics(registry, config));
    situation.prepared("orders", "1");
    new HalfBacklogMetrics(registry, config, situation.desk, situation.clock).sample();
  }
}
