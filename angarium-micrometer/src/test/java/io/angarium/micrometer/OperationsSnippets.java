package io.angarium.micrometer;

import io.angarium.MessageId;
import io.angarium.MessageIntake;
import io.angarium.MessageLimits;
import io.angarium.Partitioning;
import io.angarium.TimeSource;
import io.angarium.half.CheckBackLoop;
import io.angarium.half.CheckStore;
import io.angarium.half.HalfListener;
import io.angarium.half.HalfMessageDesk;
import io.angarium.half.HalfMessages;
import io.angarium.relay.Relay;
import io.angarium.store.DeadLetter;
import io.angarium.store.DeadLetters;
import io.angarium.store.LeaseStore;
import io.angarium.store.OutboxStore;
import io.angarium.transport.Transport;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import java.util.List;
import java.util.function.LongSupplier;

/** The code of docs/operations.md, compiled; {@link OperationsDocTest} compares the two. */
final class OperationsSnippets {
  private OperationsSnippets() {}

  static BacklogMetrics switchOn(
      MeterRegistry registry,
      ObservationRegistry observations,
      OutboxStore store,
      LeaseStore leases,
      Transport transport) {
    RelayMetrics metrics = new RelayMetrics(registry, MetricsConfig.DEFAULTS);
    RelayTracing tracing = new RelayTracing(observations, MetricsConfig.DEFAULTS, null);
    Relay relay =
        Relay.builder(store, leases)
            .transport(transport)
            .listener(metrics)
            .listener(tracing)
            .build();
    metrics.watch(relay);
    BacklogMetrics backlog =
        new BacklogMetrics(registry, MetricsConfig.DEFAULTS, store, TimeSource.SYSTEM);
    backlog.start();
    return backlog;
  }

  static List<Object> halfMessages(
      MeterRegistry registry, HalfMessages half, CheckStore checks, HalfMessageDesk desk) {
    HalfMetrics halfMetrics = new HalfMetrics(registry, MetricsConfig.DEFAULTS);
    HalfListener heard = HalfListener.all(() -> List.of(halfMetrics));
    CheckBackLoop loop = CheckBackLoop.builder(half, checks).listener(halfMetrics).build();
    HalfBacklogMetrics halfBacklog =
        new HalfBacklogMetrics(registry, MetricsConfig.DEFAULTS, desk, TimeSource.SYSTEM);
    halfBacklog.start();
    return List.of(heard, loop);
  }

  static MessageIntake capture(Tracer tracer, Propagator propagator, LongSupplier random) {
    MessageIntake intake =
        new MessageIntake(
            MessageLimits.DEFAULTS,
            Partitioning.DEFAULTS,
            "order-service",
            List.of(new TraceCapture(tracer, propagator)),
            TimeSource.SYSTEM,
            random);
    return intake;
  }

  static void decide(OutboxStore store, MessageId repaired, MessageId worthless) {
    DeadLetters deadLetters = store.deadLetters();
    for (DeadLetter letter : deadLetters.page("kafka:orders", null, 100)) {
      System.out.println(letter.message() + ", " + letter.deadSince() + ": " + letter.reason());
    }
    deadLetters.requeue(List.of(repaired), "alice"); // sent again, with no attempts counted
    deadLetters.discard(List.of(worthless), "alice"); // gone for good
  }
}
