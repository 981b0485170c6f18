package io.angarium.micrometer;

import io.angarium.MessageId;
import io.angarium.intake.StoredMessage;
import io.angarium.relay.settings.RelayListener;
import io.angarium.relay.settings.Route;
import io.angarium.transport.SendResult;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.ObservationRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes every attempt to send a message an observation, whose span joins the trace of the
 * transaction that wrote the message (see {@link TraceCapture}), however much later and on whatever
 * node it is sent. Attributes: {@link SendConvention}. One per relay.
 *
 * <p>The record that leaves carries the stored trace context unchanged, so the consumer's span is a
 * child of the writer's span and a sibling of the attempts. A message without a stored context gets
 * a trace of its own.
 *
 * <p>Does not block. Costs nothing where the registry has no handlers. Thread-safe.
 */
public final class RelayTracing implements RelayListener {
  /** The most attempts observed at a time; further ones are sent without a span. */
  public static final int OBSERVED_MAX = 20_000;

  private final ObservationRegistry registry;
  private final @Nullable ObservationConvention<SendContext> custom;
  private final SendConvention standard;
  private final Map<MessageId, Running> running = new ConcurrentHashMap<>();

  private record Running(Observation observation, SendContext context) {}

  /**
   * Creates the listener.
   *
   * @param registry whose handlers make spans
   * @param config gives the limit of destinations
   * @param custom names and attributes instead of {@link SendConvention}; null for that one
   */
  public RelayTracing(
      ObservationRegistry registry,
      MetricsConfig config,
      @Nullable ObservationConvention<SendContext> custom) {
    this.registry = registry;
    this.custom = custom;
    this.standard = new SendConvention(config.destinationsMax());
  }

  @Override
  public void sending(StoredMessage message, Route route) {
    if (registry.isNoop() || running.size() >= OBSERVED_MAX) {
      return;
    }
    SendContext context = new SendContext(message, route);
    Observation observation =
        Observation.createNotStarted(custom, standard, () -> context, registry);
    if (!observation.isNoop()) {
      running.put(message.id(), new Running(observation.start(), context));
    }
  }

  @Override
  public void attempted(StoredMessage message, Route route, SendResult result) {
    Running attempt = running.remove(message.id());
    if (attempt == null) {
      return;
    }
    attempt.context().result(result);
    Throwable error = error(result);
    if (error != null) {
      attempt.observation().error(error);
    }
    attempt.observation().stop();
  }

  private static @Nullable Throwable error(SendResult result) {
    if (result instanceof SendResult.Failed failed) {
      return new NotAcknowledged(failed.reason(), failed.cause());
    }
    if (result instanceof SendResult.Refused refused) {
      return new NotAcknowledged(refused.reason(), refused.cause());
    }
    return result instanceof SendResult.Unavailable unavailable
        ? new NotAcknowledged(unavailable.reason(), unavailable.cause())
        : null;
  }

  /** Carries a reason into the span; never thrown, so it has no stack of its own. */
  private static final class NotAcknowledged extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotAcknowledged(String reason, @Nullable Throwable cause) {
      super(reason, cause, false, false);
    }
  }
}
