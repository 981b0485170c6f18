package io.angarium.micrometer;

import static io.angarium.micrometer.Situation.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import java.util.List;
import org.junit.jupiter.api.Test;

class TraceCaptureTest {
  private final Traces traces = new Traces();
  private final TraceCapture capture = new TraceCapture(traces.tracer, traces.propagator);

  @Test
  void storesTheContextOfTheSenderInTheFormOfW3c() {
    Message sent = traces.inSpan("place order", () -> capture.apply(message("fake:orders")));

    var span = traces.span("place order");
    assertThat(sent.headers().get("traceparent"))
        .startsWith("00-" + span.getTraceId() + "-" + span.getSpanId() + "-0");
  }

  @Test
  void leavesAMessageAloneThatIsSentOutsideOfATrace() {
    Message message = message("fake:orders");

    assertThat(capture.apply(message)).isSameAs(message);
  }

  @Test
  void keepsTheContextThatAMessageBrings() {
    String own = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    Message message = message("fake:orders").header("traceparent", own);

    Message sent = traces.inSpan("place order", () -> capture.apply(message));

    assertThat(sent.headers().get("traceparent")).isEqualTo(own);
  }

  @Test
  void keepsTheHeadersOfTheMessage() {
    Message message = message("fake:orders").header("tenant", "eu");

    Message sent = traces.inSpan("place order", () -> capture.apply(message));

    assertThat(sent.headers().asMap()).containsEntry("tenant", "eu").containsKey("traceparent");
  }

  @Test
  void leavesOutBaggageThatWouldFillTheRow() {
    TraceCapture wordy =
        new TraceCapture(traces.tracer, injecting("baggage", "x".repeat(TraceCapture.LENGTH_MAX)));

    Message sent = traces.inSpan("place order", () -> wordy.apply(message("fake:orders")));

    assertThat(sent.headers().isEmpty()).isTrue();
  }

  @Test
  void messageIsSentWithoutContextWhenThePropagatorThrows() {
    TraceCapture malformed = new TraceCapture(traces.tracer, injecting("bad name", "x"));

    Message sent = traces.inSpan("place order", () -> malformed.apply(message("fake:orders")));

    assertThat(sent.headers().isEmpty()).isTrue();
  }

  @Test
  void tracingThatIsSwitchedOffStoresNothing() {
    TraceCapture off = new TraceCapture(Tracer.NOOP, Propagator.NOOP);
    Message message = message("fake:orders");

    assertThat(off.apply(message).headers().isEmpty()).isTrue();
  }

  private static Propagator injecting(String name, String value) {
    return new Propagator() {
      @Override
      public List<String> fields() {
        return List.of(name);
      }

      @Override
      public <C> void inject(TraceContext context, C carrier, Setter<C> setter) {
        setter.set(carrier, name, value);
      }

      @Override
      public <C> Span.Builder extract(C carrier, Getter<C> getter) {
        return Span.Builder.NOOP;
      }
    };
  }
}
