package io.angarium.micrometer;

import io.micrometer.observation.ObservationHandler.FirstMatchingCompositeObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingReceiverTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelPropagator;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.micrometer.tracing.propagation.Propagator;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.List;
import java.util.function.Supplier;

/** The tracing of one process, with real OpenTelemetry and spans kept in memory. */
final class Traces {
  final InMemorySpanExporter exporter = InMemorySpanExporter.create();
  final Tracer tracer;
  final Propagator propagator;
  final ObservationRegistry observations = ObservationRegistry.create();

  Traces() {
    var provider =
        SdkTracerProvider.builder()
            .addSpanProcessor(SimpleSpanProcessor.create(exporter))
            .build()
            .get("test");
    this.tracer = new OtelTracer(provider, new OtelCurrentTraceContext(), event -> {});
    this.propagator =
        new OtelPropagator(
            ContextPropagators.create(W3CTraceContextPropagator.getInstance()), provider);
    observations
        .observationConfig()
        .observationHandler(
            new FirstMatchingCompositeObservationHandler(
                new PropagatingReceiverTracingObservationHandler<>(tracer, propagator),
                new DefaultTracingObservationHandler(tracer)));
  }

  /** Runs something within a span and gives its result. */
  <T> T inSpan(String name, Supplier<T> work) {
    Span span = tracer.nextSpan().name(name).start();
    Tracer.SpanInScope scope = tracer.withSpan(span);
    try {
      return work.get();
    } finally {
      scope.close();
      span.end();
    }
  }

  List<SpanData> spans() {
    return exporter.getFinishedSpanItems();
  }

  SpanData span(String name) {
    return spans().stream()
        .filter(span -> span.getName().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("No span " + name + " among " + spans()));
  }
}
