package io.angarium.rabbitmq;

/**
 * What a message looks like that was sent by {@link RabbitTransport}; consumers in any language may
 * rely on it.
 *
 * <ul>
 *   <li>exchange and routing key: the address of the destination, {@code exchange/routing.key}; up
 *       to the first slash it is the exchange, empty for the default exchange ({@code /queue})
 *   <li>body: the payload, byte for byte
 *   <li>{@code message_id}: the id of the message, 36 characters: the same each time it is sent, so
 *       that a consumer can drop repeats
 *   <li>{@code type}: the logical type name; absent for a message without one
 *   <li>{@code content_type}: the message's own header {@code content-type}; absent without one
 *   <li>{@code timestamp}: when the message was written, in seconds, by the clock of the host that
 *       wrote it; not when a delayed one became due
 *   <li>{@code app_id}: who created the message; absent if unknown or longer than 255 bytes
 *   <li>{@code delivery_mode}: 2, persistent
 *   <li>headers: those named here, then the message's own in their order, all as text; {@code
 *       traceparent} is one of the message's own
 * </ul>
 */
public final class RabbitWireFormat {
  /**
   * Header with the message key; absent without one. An exchange of the kind {@code
   * x-consistent-hash} can be told to spread by it ({@code hash-header}).
   */
  public static final String KEY = "angarium-key";

  /** Header with a type name that takes more than the 255 bytes the property {@code type} can. */
  public static final String LONG_TYPE = "angarium-type";

  /** Header with the business type; absent for a message without a business key. */
  public static final String BUSINESS_TYPE = "angarium-business-type";

  /** Header with the business key; absent for a message without one. */
  public static final String BUSINESS_KEY = "angarium-business-key";

  /**
   * Beginning of the headers with attributes of CloudEvents, see {@link
   * io.angarium.transport.CloudEvents}. A header of a message that begins with {@code
   * cloudEvents_}, the other form of the AMQP binding, is sent in this one.
   */
  public static final String CLOUD_EVENTS = "cloudEvents:";

  private RabbitWireFormat() {}
}
