package io.angarium.micrometer;

import io.angarium.MessageId;
import io.angarium.MessageLimits;
import io.angarium.TimeSource;
import io.angarium.deadletter.DeadLetterFilter;
import io.angarium.deadletter.DeadLetterQuery;
import io.angarium.deadletter.DeadLetterQuery.Order;
import io.angarium.deadletter.DeadLetters;
import io.angarium.deadletter.Decision;
import io.angarium.half.HalfListener;
import io.angarium.half.HalfMessages;
import io.angarium.half.check.CheckBackLoop;
import io.angarium.half.check.CheckStore;
import io.angarium.half.decide.HalfMessageDesk;
import io.angarium.intake.MessageIntake;
import io.angarium.intake.Partitioning;
import io.angarium.relay.Relay;
import io.angarium.store.OutboxStore;
import io.angarium.store.lease.LeaseStore;
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

  static void decide(DeadLetters deadLetters, MessageId repaired, MessageId worthless) {
    DeadLetterFilter tooLarge = DeadLetterFilter.of("kafka:orders").reasonHas("max.message.bytes");
    DeadLetterQuery newest = DeadLetterQuery.of(tooLarge, Order.NEWEST, 100);
    deadLetters
        .search(newest)
        .rows()
        .forEach(row -> System.out.println(row.id() + " " + row.reason()));

    Decision decision = new Decision("alice", "max.message.bytes raised");
    deadLetters.requeue(List.of(repaired), decision); // sent again, with no attempts counted
    deadLetters.requeueAll(tooLarge, decision); // all that match; says if it has to be continued
    deadLetters.discard(List.of(worthless), "alice"); // gone for good
  }
}
