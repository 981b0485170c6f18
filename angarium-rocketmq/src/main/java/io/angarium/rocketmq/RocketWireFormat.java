package io.angarium.rocketmq;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a message looks like that was sent by {@link RocketTransport}; consumers in any language may
 * rely on it.
 *
 * <ul>
 *   <li>topic and tag: the address of the destination, {@code topic} or {@code topic:tag}
 *   <li>queue: by the hash of the key over the topic's queues, any for a message without a key
 *   <li>body: the payload, byte for byte; an empty one, which RocketMQ does not take, is one byte
 *       of 0 with the property {@link #EMPTY}
 *   <li>keys ({@code KEYS}): the id of the message and, if it has no white space, its key; RocketMQ
 *       finds messages by them
 *   <li>sharding key ({@code __SHARDINGKEY}): the key
 *   <li>user properties: those named here, then the message's own headers under their names; {@code
 *       traceparent} is one of them. Headers that cannot be a property (without a value, with one
 *       of the characters 1 and 2, or named like a property of RocketMQ) stand in {@link #HEADERS}
 * </ul>
 */
public final class RocketWireFormat {
  /**
   * Property with the message id, 36 characters: the same each time a message is sent, so that a
   * consumer can drop repeats.
   */
  public static final String ID = "angarium-id";

  /** Property with the message key; absent without one. */
  public static final String KEY = "angarium-key";

  /** Property with the logical type name; absent for a message without one. */
  public static final String TYPE = "angarium-type";

  /** Property with the business type; absent for a message without a business key. */
  public static final String BUSINESS_TYPE = "angarium-business-type";

  /** Property with the business key; absent for a message without one. */
  public static final String BUSINESS_KEY = "angarium-business-key";

  /** Property {@code true} of a message with an empty payload; absent otherwise. */
  public static final String EMPTY = "angarium-empty";

  /** Property with the headers that can be none, URL-encoded as in a form; absent without any. */
  public static final String HEADERS = "angarium-headers";

  private RocketWireFormat() {}

  /**
   * The headers that stand in {@link #HEADERS}.
   *
   * @param properties of a message; without the property there are none
   */
  public static Map<String, String> furtherHeaders(Map<String, String> properties) {
    Map<String, String> headers = new LinkedHashMap<>();
    String form = properties.get(HEADERS);
    if (form != null) {
      for (String pair : form.split("&", -1)) {
        int equals = pair.indexOf('=');
        headers.put(
            URLDecoder.decode(pair.substring(0, equals), UTF_8),
            URLDecoder.decode(pair.substring(equals + 1), UTF_8));
      }
    }
    return headers;
  }
}
