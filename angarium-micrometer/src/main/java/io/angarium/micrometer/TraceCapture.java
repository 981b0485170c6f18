package io.angarium.micrometer;

import io.angarium.Headers;
import io.angarium.Message;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the current trace context into the headers of a message that is sent, so that it is stored
 * in the row and survives the process. A decorator for {@link io.angarium.intake.MessageIntake}.
 * The propagator defines the headers, by default {@code traceparent} and {@code tracestate} of W3C.
 *
 * <p>A message that already has one of these headers keeps its own. An exception of the tracing
 * library is logged once, and the message goes without the headers. Needs the optional dependency
 * micrometer-tracing. Does not block; thread-safe.
 */
public final class TraceCapture implements UnaryOperator<Message> {
  /** Headers that are longer in all, in characters, are left out: baggage must not fill the row. */
  public static final int LENGTH_MAX = 4_096;

  private static final Logger LOG = LoggerFactory.getLogger(TraceCapture.class);

  private final Tracer tracer;
  private final Propagator propagator;
  private final AtomicBoolean logged = new AtomicBoolean();

  /** Creates the decorator. */
  public TraceCapture(Tracer tracer, Propagator propagator) {
    this.tracer = tracer;
    this.propagator = propagator;
  }

  /** The message with the trace context of this thread, or unchanged if there is none. */
  @Override
  public Message apply(Message message) {
    try {
      TraceContext context = tracer.currentTraceContext().context();
      return context == null || hasContext(message) ? message : with(context, message);
    } catch (RuntimeException e) {
      if (logged.compareAndSet(false, true)) {
        LOG.error("Trace context not stored with {}; later failures are not logged.", message, e);
      }
      return message;
    }
  }

  private boolean hasContext(Message message) {
    Headers headers = message.headers();
    return !headers.isEmpty()
        && propagator.fields().stream().anyMatch(field -> headers.get(field) != null);
  }

  private Message with(TraceContext context, Message message) {
    Map<String, String> fields = new LinkedHashMap<>();
    propagator.inject(context, fields, (target, name, value) -> put(fields, name, value));
    int length = fields.entrySet().stream().mapToInt(TraceCapture::length).sum();
    if (length > LENGTH_MAX) {
      LOG.debug("Trace context not stored with {}: {} characters", message, length);
      return message;
    }
    Headers headers = message.headers();
    for (Map.Entry<String, String> field : fields.entrySet()) {
      headers = headers.with(field.getKey(), field.getValue());
    }
    return message.headers(headers);
  }

  private static void put(Map<String, String> fields, String name, String value) {
    if (value != null && !value.isEmpty()) {
      fields.put(name, value);
    }
  }

  private static int length(Map.Entry<String, String> field) {
    return field.getKey().length() + field.getValue().length();
  }
}
