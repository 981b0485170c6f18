package io.angarium.rabbitmq;

import io.angarium.rabbitmq.internal.ShortString;
import org.jspecify.annotations.Nullable;

/**
 * The address of a destination: {@code exchange/routing.key}. Up to the first slash it is the
 * exchange; empty for the default exchange, whose routing keys are names of queues. Immutable.
 */
record RabbitAddress(String exchange, String routingKey) {
  /** Reads the text form; null if it is none. */
  static @Nullable RabbitAddress parse(String address) {
    int slash = address.indexOf('/');
    if (slash < 0) {
      return null;
    }
    RabbitAddress parsed =
        new RabbitAddress(address.substring(0, slash), address.substring(slash + 1));
    boolean fits = ShortString.fits(parsed.exchange) && ShortString.fits(parsed.routingKey);
    return fits ? parsed : null;
  }

  /** What is wrong with an address that {@link #parse} does not read, for a person. */
  static String fault(String address) {
    return "'"
        + address
        + "' is no address of RabbitMQ (expected: exchange/routing.key, or /queue for the default"
        + " exchange; each at most "
        + ShortString.BYTES_MAX
        + " bytes); correct the destination and send it anew";
  }

  boolean isDefaultExchange() {
    return exchange.isEmpty();
  }

  @Override
  public String toString() {
    return exchange + "/" + routingKey;
  }
}
