package io.angarium;

import org.jspecify.annotations.Nullable;

/**
 * Sends objects through an outbox. Bytes, logical type name and content type are made when {@code
 * send} is called, so that the relay never meets a class. Thread-safe if its parts are.
 *
 * <pre>{@code
 * outbox.send("kafka:orders", "order-4711", new OrderPaid(4711, "EUR"));
 * }</pre>
 */
public final class TypedOutbox {
  private final Outbox outbox;
  private final TypedPayloads payloads;

  /** Creates a typed way into {@code outbox}. */
  public TypedOutbox(Outbox outbox, TypedPayloads payloads) {
    this.outbox = outbox;
    this.payloads = payloads;
  }

  /**
   * Adds an object to the transaction as a message.
   *
   * @param key messages of one key and destination keep their order; null if order does not matter
   * @return the id under which consumers will see the message
   * @throws PayloadException if the class of the object has no name or cannot be written; nothing
   *     is written
   * @throws OutboxException as {@link Outbox#send}
   */
  public MessageId send(String destination, @Nullable String key, Object payload) {
    return outbox.send(payloads.toMessage(destination, payload).key(key));
  }

  /**
   * A message of an object, to be given more parts and then to {@link #send(Message)}.
   *
   * @throws PayloadException if the class of the object has no name or cannot be written
   */
  public Message message(String destination, Object payload) {
    return payloads.toMessage(destination, payload);
  }

  /** Adds a finished message to the transaction, as {@link Outbox#send}. */
  public MessageId send(Message message) {
    return outbox.send(message);
  }
}
