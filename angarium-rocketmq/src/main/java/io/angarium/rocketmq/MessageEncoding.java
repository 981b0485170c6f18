package io.angarium.rocketmq;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.BusinessKey;
import io.angarium.MessageId;
import java.net.URLEncoder;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageAccessor;
import org.apache.rocketmq.common.message.MessageConst;
import org.apache.rocketmq.common.message.MessageDecoder;
import org.jspecify.annotations.Nullable;

/** Converts messages to messages of RocketMQ, see {@link RocketWireFormat}. */
public final class MessageEncoding {
  /**
   * RocketMQ stores the length of all properties in 16 bits with a sign; what its client and its
   * brokers add takes a few hundred bytes.
   */
  public static final int PROPERTIES_BYTES_MAX = Short.MAX_VALUE - 1_024;

  private static final String NAME_END = "\u0001";
  private static final String VALUE_END = "\u0002";
  private static final int BYTES_PER_CHAR_MAX = 3;

  /**
   * Maximum bytes that a message takes in addition to topic, payload and our properties. Numbers
   * take 91 bytes, and each of the two addresses among them can take 12 more. The client's id takes
   * 43 bytes, and the broker's checksum 20.
   */
  private static final int ADDED_BYTES_MAX = 192;

  private static final char TWO_BYTES_FROM = 0x80;
  private static final char THREE_BYTES_FROM = 0x800;

  /** Initial length for properties, which is enough for most messages. */
  private static final int PROPERTIES_CHARS = 256;

  private static final byte[] EMPTY_BODY = {0};

  /** Names that brokers act upon, in addition to the names that RocketMQ's client reserves. */
  private static final Set<String> OF_BROKERS =
      Set.of(
          MessageConst.PROPERTY_TRANSACTION_CHECK_TIMES,
          MessageConst.PROPERTY_CHECK_IMMUNITY_TIME_IN_SECONDS,
          MessageConst.PROPERTY_TRANSACTION_PREPARED_QUEUE_OFFSET,
          MessageConst.PROPERTY_INNER_MULTI_DISPATCH,
          MessageConst.PROPERTY_TRANSACTION_ID,
          MessageConst.PROPERTY_REDIRECT);

  private MessageEncoding() {}

  /**
   * A message as the client takes it.
   *
   * @param properties see {@link #properties}
   */
  public static Message message(
      io.angarium.Message message, RocketAddress address, String properties) {
    Message encoded = new Message(address.topic(), body(message));
    MessageAccessor.setProperties(encoded, MessageDecoder.string2messageProperties(properties));
    return encoded;
  }

  /** What RocketMQ takes for the payload. */
  static byte[] body(io.angarium.Message message) {
    return message.payload().length == 0 ? EMPTY_BODY : message.payload();
  }

  /** All that is sent beside the payload, as RocketMQ writes it: names and values, each ended. */
  public static String properties(
      MessageId id, io.angarium.Message message, RocketAddress address) {
    StringBuilder text = new StringBuilder(PROPERTIES_CHARS);
    String key = message.key();
    String idText = id.toString();
    put(text, MessageConst.PROPERTY_WAIT_STORE_MSG_OK, "true");
    put(text, MessageConst.PROPERTY_TAGS, address.tag().isEmpty() ? null : address.tag());
    put(text, MessageConst.PROPERTY_KEYS, keys(idText, key));
    put(text, RocketWireFormat.ID, idText);
    if (key != null && !key.isEmpty()) {
      put(text, RocketWireFormat.KEY, key);
      put(text, MessageConst.PROPERTY_SHARDING_KEY, key);
    }
    put(text, RocketWireFormat.TYPE, message.type());
    BusinessKey business = message.business();
    if (business != null) {
      put(text, RocketWireFormat.BUSINESS_TYPE, business.type());
      put(text, RocketWireFormat.BUSINESS_KEY, business.key());
    }
    put(text, RocketWireFormat.EMPTY, message.payload().length == 0 ? "true" : null);
    if (!message.headers().isEmpty()) {
      putHeaders(text, message.headers().asMap());
    }
    return text.toString();
  }

  private static String keys(String id, @Nullable String key) {
    boolean searchable = key != null && !key.isEmpty() && !hasWhiteSpace(key);
    return searchable ? id + MessageConst.KEY_SEPARATOR + key : id;
  }

  private static boolean hasWhiteSpace(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isWhitespace(text.charAt(i))) {
        return true;
      }
    }
    return false;
  }

  private static void put(StringBuilder text, String name, @Nullable String value) {
    if (value != null) {
      text.append(name).append(NAME_END).append(value).append(VALUE_END);
    }
  }

  /** One more property, to follow the others. */
  static String property(String name, String value) {
    return name + NAME_END + value + VALUE_END;
  }

  private static void putHeaders(StringBuilder text, Map<String, String> headers) {
    StringJoiner further = new StringJoiner("&");
    headers.forEach(
        (name, value) -> {
          if (canBeProperty(name, value) && !has(text, name)) {
            put(text, name, value);
          } else {
            further.add(URLEncoder.encode(name, UTF_8) + "=" + URLEncoder.encode(value, UTF_8));
          }
        });
    put(text, RocketWireFormat.HEADERS, further.length() == 0 ? null : further.toString());
  }

  /** True if there is a property of the name, which is not the first one's. */
  private static boolean has(StringBuilder text, String name) {
    return text.indexOf(VALUE_END + name + NAME_END) >= 0;
  }

  private static boolean canBeProperty(String name, String value) {
    return !value.isEmpty()
        && isPlain(value)
        && isPlain(name)
        && !MessageConst.STRING_HASH_SET.contains(name)
        && !OF_BROKERS.contains(name)
        && !name.startsWith(MessageConst.PROPERTY_TRANSIENT_PREFIX);
  }

  private static boolean isPlain(String text) {
    return text.indexOf(NAME_END) < 0 && text.indexOf(VALUE_END) < 0;
  }

  /** The name of a part that RocketMQ has no room for, or null. */
  public static @Nullable String impossiblePart(io.angarium.Message message) {
    BusinessKey business = message.business();
    if (isBroken(message.key())) {
      return "key";
    } else if (isBroken(message.type())) {
      return "type";
    }
    boolean broken = business != null && (isBroken(business.type()) || isBroken(business.key()));
    return broken ? "business key" : null;
  }

  private static boolean isBroken(@Nullable String text) {
    return text != null && !isPlain(text);
  }

  /**
   * What a broker stores of a message, in bytes, at most: never less than what is sent of it. A
   * broker has the same limit for both.
   */
  static int storedBytes(io.angarium.Message message, RocketAddress address, String properties) {
    return ADDED_BYTES_MAX
        + address.topic().length()
        + body(message).length
        + utf8Bytes(properties);
  }

  /** Without making the bytes: this is done for every message. */
  private static int utf8Bytes(String text) {
    int bytes = text.length();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= THREE_BYTES_FROM && !Character.isSurrogate(c)) { // two surrogates take four bytes
        bytes += 2;
      } else if (c >= TWO_BYTES_FROM) {
        bytes++;
      }
    }
    return bytes;
  }

  /** What all properties take, in bytes, or less if that is little. */
  public static int propertiesBytes(String properties) {
    return properties.length() * BYTES_PER_CHAR_MAX <= PROPERTIES_BYTES_MAX
        ? properties.length()
        : properties.getBytes(UTF_8).length;
  }
}
