package io.angarium.micrometer;

import io.angarium.Headers;
import io.angarium.intake.StoredMessage;
import io.angarium.relay.settings.Route;
import io.angarium.transport.SendResult;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to send a message, as an observation. It takes the trace context out of the stored
 * headers, as a receiver does, but is a producer. Not thread-safe: one thread at a time.
 */
public final class SendContext extends ReceiverContext<Headers> {
  private final StoredMessage message;
  private final Route route;
  private @Nullable SendResult result;

  SendContext(StoredMessage message, Route route) {
    super(Headers::get, Kind.PRODUCER);
    this.message = message;
    this.route = route;
    setCarrier(message.message().headers());
  }

  /** The message that is sent. */
  public StoredMessage message() {
    return message;
  }

  /** How it came to be sent. */
  public Route route() {
    return route;
  }

  /** What became of the attempt; null while it lasts. */
  public @Nullable SendResult result() {
    return result;
  }

  void result(SendResult result) {
    this.result = result;
  }
}
