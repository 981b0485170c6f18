package io.angarium.rocketmq;

import java.util.regex.Pattern;
import org.apache.rocketmq.common.topic.TopicValidator;
import org.jspecify.annotations.Nullable;

/**
 * The address of a destination: {@code topic} or {@code topic:tag}. Immutable.
 *
 * @param tag empty for none
 */
public record RocketAddress(String topic, String tag) {
  private static final Pattern TOPIC = Pattern.compile("[%|a-zA-Z0-9_-]{1,127}");

  /** Reads the text form; null if it is none. */
  public static @Nullable RocketAddress parse(String address) {
    int colon = address.indexOf(':');
    String topic = colon < 0 ? address : address.substring(0, colon);
    String tag = colon < 0 ? "" : address.substring(colon + 1);
    boolean wellFormed = isTopic(topic) && tag.indexOf('|') < 0 && (colon < 0 || !tag.isBlank());
    return wellFormed ? new RocketAddress(topic, tag) : null;
  }

  /** The client sends to none of its brokers' own topics, and does not say so by a code. */
  private static boolean isTopic(String topic) {
    return TOPIC.matcher(topic).matches() && !TopicValidator.isNotAllowedSendTopic(topic);
  }

  /** What is wrong with an address that {@link #parse} does not read, for a person. */
  public static String fault(String address) {
    return "'"
        + address
        + "' is no address of RocketMQ (expected: topic or topic:tag, the topic 1..127 letters,"
        + " digits, '_', '-', '%' or '|' and none of RocketMQ's own, the tag without '|'); correct the destination and send it"
        + " anew";
  }
}
