package io.angarium.kafka.intake;

import io.angarium.kafka.KafkaWireFormat;

/**
 * What a record looks like by which a producer prepares, commits or rolls back a half message
 * through Kafka. Producers in any language may rely on it. All records of one half message have the
 * same record key, so that they stay in order.
 *
 * <p>With headers, all of them UTF-8 text: those named here; every other header becomes a header of
 * the message, and the value its payload, byte for byte.
 *
 * <p>Without the header {@link #STEP}, in a topic for half messages only, the value is the JSON
 * object that TrustMessage expects: {@code message}, {@code messageKey}, {@code bizID}, {@code
 * messageStatus} 1 (prepare), 2 (commit) or 3 (roll back), {@code forwardTopic}, {@code forwardKey}
 * and {@code verifyInfo} with {@code protocolType} 1 (HTTP) or 2 (Dubbo), {@code url}, and for
 * Dubbo {@code registryProtocol}, {@code registryAddress}, {@code version}. Fields that do not
 * matter may be missing.
 */
public final class HalfIntakeFormat {
  /** Header: {@code prepare}, {@code commit} or {@code rollback}. Marks a record as one of ours. */
  public static final String STEP = "angarium-half-step";

  /** Header with the business id; required. */
  public static final String BUSINESS = "angarium-half-business";

  /** Header with the key of the half message; the record key if it is missing. */
  public static final String KEY = "angarium-half-key";

  /** Header with where the message goes, e.g. {@code kafka:orders}; required to prepare. */
  public static final String DESTINATION = "angarium-destination";

  /** Header with the key of the message, which keeps its order; none if it is missing. */
  public static final String MESSAGE_KEY = "angarium-message-key";

  /** Header with the type of the message; none if it is missing. */
  public static final String TYPE = KafkaWireFormat.TYPE;

  /** Header with the delay from the commit on, in the form of ISO 8601, e.g. {@code PT30M}. */
  public static final String DELAY = "angarium-delay";

  /** Header with the time before which it is not sent, ISO 8601 in UTC. */
  public static final String NOT_BEFORE = "angarium-not-before";

  /** Header with where the producer is asked, e.g. {@code http://shop:8080/check-back}. */
  public static final String CHECK_BACK = "angarium-check-back";

  /** Header with the business type of the message; both or none. */
  public static final String BUSINESS_TYPE = KafkaWireFormat.BUSINESS_TYPE;

  /** Header with the business key of the message. */
  public static final String BUSINESS_KEY = KafkaWireFormat.BUSINESS_KEY;

  /** Header of a record in the topic of dead letters: why it could not be taken. */
  public static final String REASON = "angarium-intake-reason";

  /** Header of a record there: the topic, partition and offset it came from, by slashes. */
  public static final String ORIGIN = "angarium-intake-origin";

  private HalfIntakeFormat() {}
}
