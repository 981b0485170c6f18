package io.angarium.micrometer;

import static io.angarium.micrometer.Situation.message;
import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.angarium.BusinessKey;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.intake.Handover;
import io.angarium.intake.StoredMessage;
import io.angarium.relay.Relay;
import io.angarium.relay.settings.RelayListener;
import io.angarium.relay.settings.Route;
import io.angarium.testkit.fake.FakeTransport;
import io.angarium.testkit.memory.StoreCall;
import io.angarium.transport.SendResult;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RelayTracingTest {
  private final Situation situation = new Situation();
  private final Traces traces = new Traces();

  @Test
  void messageSentByAnotherNodeHoursLaterJoinsTheTraceOfItsWriter() {
    Relay first = situation.relay("first", tracing(traces));
    situation.settle(first);
    situation.transport.failNext(1);
    MessageId id = commitInSpan(message("fake:orders").key("4711"), first);
    situation.settle(first);
    SpanData failed = traces.span("send fake:orders");
    Traces ofSecondProcess = new Traces();
    Relay second = situation.relay("second", tracing(ofSecondProcess));

    situation.database.clock().advance(Duration.ofHours(5)); // the first node is gone
    situation.run(second, Duration.ofSeconds(15));

    SpanData written = traces.span("place order");
    SpanData sent = ofSecondProcess.span("send fake:orders");
    assertThat(sent.getTraceId()).isEqualTo(written.getTraceId()).isEqualTo(failed.getTraceId());
    assertThat(sent.getParentSpanId()).isEqualTo(written.getSpanId());
    assertThat(sent.getKind()).isEqualTo(SpanKind.PRODUCER);
    assertThat(attribute(sent, "angarium.message.key")).isEqualTo("4711");
    assertThat(attribute(sent, "messaging.message.id")).isEqualTo(id.toString());
    assertThat(attribute(sent, "route")).isEqualTo("retried");
    assertThat(attribute(sent, "angarium.attempt")).isEqualTo("2");
  }

  @Test
  void recordCarriesTheContextOfTheWriterSoThatTheConsumerJoinsItsTrace() {
    Relay relay = situation.relay("first", tracing(traces));
    situation.settle(relay);

    commitInSpan(message("fake:orders"), relay);
    situation.settle(relay);

    SpanData written = traces.span("place order");
    assertThat(situation.transport.stored("fake:orders"))
        .singleElement()
        .extracting(row -> row.message().headers().get("traceparent"), as(STRING))
        .startsWith("00-" + written.getTraceId() + "-" + written.getSpanId() + "-0");
  }

  @Test
  void spanTellsWhatWasSentWhereAndHow() {
    Relay relay = situation.relay("first", tracing(traces));
    situation.settle(relay);
    Message message =
        message("fake:orders")
            .key("4711")
            .type("order-paid")
            .business(new BusinessKey("order", "4711", BusinessKey.Uniqueness.NONE));

    commitInSpan(message, relay);
    situation.settle(relay);

    SpanData span = traces.span("send fake:orders");
    assertThat(attribute(span, "destination")).isEqualTo("fake:orders");
    assertThat(attribute(span, "messaging.destination.name")).isEqualTo("fake:orders");
    assertThat(attribute(span, "route")).isEqualTo("prompt");
    assertThat(attribute(span, "outcome")).isEqualTo("acknowledged");
    assertThat(attribute(span, "angarium.attempt")).isEqualTo("1");
    assertThat(attribute(span, "angarium.message.type")).isEqualTo("order-paid");
    assertThat(attribute(span, "angarium.business.key")).isEqualTo("order/4711");
    assertThat(span.getStatus().getStatusCode()).isNotEqualTo(StatusCode.ERROR);
  }

  @Test
  void attemptThatFailedIsAnErrorWithItsReason() {
    Relay relay = situation.relay("first", tracing(traces));
    situation.settle(relay);
    situation.transport.refuseNext(1);

    commitInSpan(message("fake:orders"), relay);
    situation.settle(relay);

    SpanData span = traces.span("send fake:orders");
    assertThat(attribute(span, "outcome")).isEqualTo("refused");
    assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(span.getStatus().getDescription()).contains("does not take this message");
  }

  @Test
  void messageWrittenOutsideOfATraceGetsOneOfItsOwn() {
    Relay relay = situation.relay("first", tracing(traces));
    situation.settle(relay);

    situation.commit(message("fake:orders").key("4711"), relay, List.of());
    situation.settle(relay);

    SpanData span = traces.span("send fake:orders");
    assertThat(span.getParentSpanContext().isValid()).isFalse();
    assertThat(attribute(span, "angarium.message.key")).isEqualTo("4711");
  }

  @Test
  void everyAttemptEndsOnceWhateverBecomesOfItsKey() {
    Attempts attempts = new Attempts();
    Relay relay = situation.relay("first", attempts);
    situation.settle(relay);
    situation.transport.manual();
    for (int i = 0; i < 6; i++) {
      situation.commit(message("fake:orders").key("same"), relay, List.of());
      situation.commit(message("fake:parcels").key("k" + i), relay, List.of());
    }
    situation.settle(relay);

    List<StoredMessage> inFlight = situation.transport.inFlight();
    situation.transport.resolve(inFlight.get(0).id(), FakeTransport.Outcome.FAIL);
    situation.transport.unavailable("fake:parcels", true);
    situation.transport.acknowledgeAll();
    situation.transport.automatic();
    situation.run(relay, Duration.ofSeconds(5));
    situation.transport.heal();
    situation.run(relay, Duration.ofSeconds(20));

    assertThat(inFlight).hasSizeGreaterThan(6);
    assertThat(attempts.open).isEmpty();
    assertThat(attempts.faults).isEmpty();
    assertThat(situation.database.unsent()).isEmpty();
    assertThat(situation.database.parked()).isEmpty();
  }

  @Test
  void messageTakenBackBecauseTheLeaseEndedIsNoAttempt() {
    Attempts attempts = new Attempts();
    Relay relay = situation.relay("first", attempts);
    situation.settle(relay);
    situation.commit(message("fake:orders").key("4711"), relay, List.of());
    situation
        .database
        .faults()
        .beforeNext(
            StoreCall.READ, () -> situation.database.clock().advance(Duration.ofSeconds(20)));

    relay.runOnce(Relay.Step.SEND);

    assertThat(attempts.started).isZero();
    assertThat(situation.transport.stored("fake:orders")).isEmpty();
  }

  @Test
  void handlerThatThrowsDoesNotHoldUpDelivery() {
    ObservationRegistry broken = ObservationRegistry.create();
    broken
        .observationConfig()
        .observationHandler(
            new ObservationHandler<Observation.Context>() {
              @Override
              public void onStart(Observation.Context context) {
                throw new IllegalStateException("on purpose");
              }

              @Override
              public boolean supportsContext(Observation.Context context) {
                return true;
              }
            });
    Relay relay = situation.relay("first", new RelayTracing(broken, MetricsConfig.DEFAULTS, null));
    situation.settle(relay);

    situation.commit(message("fake:orders"), relay, List.of());
    situation.settle(relay);

    assertThat(situation.transport.stored("fake:orders")).hasSize(1);
    assertThat(situation.database.unsent()).isEmpty();
  }

  @Test
  void attemptsAreMetersTooWhereTheRegistryMakesThem() {
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    traces
        .observations
        .observationConfig()
        .observationHandler(new DefaultMeterObservationHandler(meters));
    Relay relay = situation.relay("first", tracing(traces));
    situation.settle(relay);

    commitInSpan(message("fake:orders").key("4711"), relay);
    situation.settle(relay);

    assertThat(meters.get("angarium.send").timer().getId().getTags())
        .extracting(tag -> tag.getKey())
        .containsExactlyInAnyOrder("destination", "route", "outcome", "error");
  }

  private MessageId commitInSpan(Message message, Handover handover) {
    TraceCapture capture = new TraceCapture(traces.tracer, traces.propagator);
    return traces.inSpan(
        "place order", () -> situation.commit(message, handover, List.of(capture)));
  }

  private static RelayTracing tracing(Traces traces) {
    return new RelayTracing(traces.observations, MetricsConfig.DEFAULTS, null);
  }

  private static String attribute(SpanData span, String name) {
    return span.getAttributes().get(AttributeKey.stringKey(name));
  }

  /** Checks that attempts start and end in pairs. */
  private static final class Attempts implements RelayListener {
    final List<MessageId> open = new ArrayList<>();
    final List<String> faults = new ArrayList<>();
    int started;

    @Override
    public void sending(StoredMessage message, Route route) {
      started++;
      if (open.contains(message.id())) {
        faults.add("second start of " + message);
      }
      open.add(message.id());
    }

    @Override
    public void attempted(StoredMessage message, Route route, SendResult result) {
      if (!open.remove(message.id())) {
        faults.add("end without start of " + message);
      }
    }
  }
}
