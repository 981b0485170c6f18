package io.angarium.kafka;

/**
 * What a record looks like that was sent by {@link KafkaTransport}; consumers in any language may
 * rely on it.
 *
 * <ul>
 *   <li>topic: the address of the destination; partition: by the hash of the key as the Kafka
 *       clients compute it, any for a record without a key
 *   <li>key: the message key in UTF-8, null without a key; value: the payload, byte for byte
 *   <li>headers: those named here, then the message's own in their order, all as UTF-8 text; {@code
 *       traceparent} is one of the message's own
 *   <li>timestamp: the time at which the relay sent it, by the clock of its host; for a minute
 *       after a topic has refused that as too far from the brokers' clock, the time of writing.
 *       Otherwise not the time at which the message was written: a message that was delayed or
 *       parked for days would arrive with an age beyond the topic's retention and could be deleted
 *       before anyone read it. The time of writing is the first 48 bits of the id, in milliseconds
 *       since 1970
 * </ul>
 */
public final class KafkaWireFormat {
  /**
   * Header with the message id, 36 characters: the same each time a message is sent, so that a
   * consumer can drop repeats.
   */
  public static final String ID = "angarium-id";

  /** Header with the logical type name; absent for a message without one. */
  public static final String TYPE = "angarium-type";

  /** Header with the business type; absent for a message without a business key. */
  public static final String BUSINESS_TYPE = "angarium-business-type";

  /** Header with the business key; absent for a message without one. */
  public static final String BUSINESS_KEY = "angarium-business-key";

  private KafkaWireFormat() {}
}
