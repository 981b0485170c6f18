package io.angarium.rocketmq;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.BusinessKey;
import io.angarium.MessageId;
import io.angarium.store.StoredMessage;
import java.net.URLEncoder;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageAccessor;
import org.apache.rocketmq.common.message.MessageConst;
import org.apache.rocketmq.common.message.MessageDecoder;
import org.jspecify.annotations.Nullable;

/** Turns messages into those of RocketMQ, see {@link RocketWireFormat}. */
final class MessageEncoding {
  /** What RocketMQ stores the length of all properties in. */
  static final int PROPERTIES_BYTES_MAX = Short.MAX_VALUE;

  private static final char NAME_END = 1;
  private static final char VALUE_END = 2;
  private static final int SEPARATORS = 2;
  private static final int BYTES_PER_CHAR_MAX = 3;
  private static final byte[] EMPTY_BODY = {0};

  /** Names that brokers act upon, beside those that RocketMQ's client knows of as its own. */
  private static final Set<String> OF_BROKERS =
      Set.of(
          MessageConst.PROPERTY_TRANSACTION_CHECK_TIMES,
          MessageConst.PROPERTY_CHECK_IMMUNITY_TIME_IN_SECONDS,
          MessageConst.PROPERTY_TRANSACTION_PREPARED_QUEUE_OFFSET,
          MessageConst.PROPERTY_INNER_MULTI_DISPATCH,
          MessageConst.PROPERTY_TRANSACTION_ID,
          MessageConst.PROPERTY_REDIRECT);

  private MessageEncoding() {}

  static Message message(StoredMessage stored, RocketAddress address) {
    return message(stored.id(), stored.message(), address);
  }

  static Message message(MessageId id, io.angarium.Message message, RocketAddress address) {
    boolean empty = message.payload().length == 0;
    Message encoded =
        new Message(address.topic(), address.tag(), empty ? EMPTY_BODY : message.payload());
    String key = message.key();
    String idText = id.toString();
    encoded.setKeys(keys(idText, key));
    put(encoded, RocketWireFormat.ID, idText);
    if (key != null && !key.isEmpty()) {
      put(encoded, RocketWireFormat.KEY, key);
      put(encoded, MessageConst.PROPERTY_SHARDING_KEY, key);
    }
    put(encoded, RocketWireFormat.TYPE, message.type());
    BusinessKey business = message.business();
    if (business != null) {
      put(encoded, RocketWireFormat.BUSINESS_TYPE, business.type());
      put(encoded, RocketWireFormat.BUSINESS_KEY, business.key());
    }
    put(encoded, RocketWireFormat.EMPTY, empty ? "true" : null);
    if (!message.headers().isEmpty()) {
      putHeaders(encoded, message.headers().asMap());
    }
    return encoded;
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

  private static void put(Message message, String name, @Nullable String value) {
    if (value != null) {
      MessageAccessor.putProperty(message, name, value);
    }
  }

  private static void putHeaders(Message message, Map<String, String> headers) {
    StringJoiner further = new StringJoiner("&");
    headers.forEach(
        (name, value) -> {
          if (canBeProperty(name, value) && message.getProperty(name) == null) {
            put(message, name, value);
          } else {
            further.add(URLEncoder.encode(name, UTF_8) + "=" + URLEncoder.encode(value, UTF_8));
          }
        });
    put(message, RocketWireFormat.HEADERS, further.length() == 0 ? null : further.toString());
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
  static @Nullable String impossiblePart(io.angarium.Message message) {
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

  /** What all properties take, in bytes, or less if that is little. */
  static int propertiesBytes(Message message) {
    int chars = 0;
    for (Map.Entry<String, String> property : message.getProperties().entrySet()) {
      chars += property.getKey().length() + property.getValue().length() + SEPARATORS;
    }
    if (chars * BYTES_PER_CHAR_MAX <= PROPERTIES_BYTES_MAX) {
      return chars;
    }
    return MessageDecoder.messageProperties2String(message.getProperties()).getBytes(UTF_8).length;
  }
}
