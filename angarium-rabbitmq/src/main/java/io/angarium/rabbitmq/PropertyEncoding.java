package io.angarium.rabbitmq;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.angarium.BusinessKey;
import io.angarium.Message;
import io.angarium.TypedPayloads;
import io.angarium.intake.StoredMessage;
import io.angarium.rabbitmq.internal.ShortString;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns all of a message but its payload into AMQP properties, see {@link RabbitWireFormat}. */
final class PropertyEncoding {
  /** What fits into the one frame that all properties must fit into, by RabbitMQ's default. */
  static final int HEADERS_BYTES_MAX = (128 << 10) - 4_096;

  private static final String LINED = "cloudEvents_";
  private static final int PERSISTENT = 2;
  private static final List<String> RESERVED = List.of("CC", "BCC");
  private static final int BYTES_PER_CHAR_MAX = 3;

  /** What AMQP adds to name and value. */
  private static final int BYTES_PER_HEADER = 6;

  private PropertyEncoding() {}

  static BasicProperties properties(StoredMessage stored) {
    Message message = stored.message();
    return new BasicProperties(
        ifItFits(message.headers().get(TypedPayloads.CONTENT_TYPE_HEADER)),
        null,
        headers(message),
        PERSISTENT,
        null,
        null,
        null,
        null,
        stored.id().toString(),
        Date.from(stored.writtenAt()),
        ifItFits(message.type()),
        null,
        ifItFits(message.createdBy()),
        null);
  }

  private static @Nullable String ifItFits(@Nullable String text) {
    return text == null || !ShortString.fits(text) ? null : text;
  }

  private static Map<String, Object> headers(Message message) {
    Map<String, Object> headers = new LinkedHashMap<>();
    put(headers, RabbitWireFormat.KEY, message.key());
    String type = message.type();
    if (type != null && !ShortString.fits(type)) {
      headers.put(RabbitWireFormat.LONG_TYPE, type);
    }
    BusinessKey business = message.business();
    if (business != null) {
      headers.put(RabbitWireFormat.BUSINESS_TYPE, business.type());
      headers.put(RabbitWireFormat.BUSINESS_KEY, business.key());
    }
    message.headers().forEach((name, value) -> headers.putIfAbsent(sentAs(name), value));
    return headers;
  }

  /** The binding knows both forms; some libraries know the one with the colon only. */
  private static String sentAs(String header) {
    return header.startsWith(LINED)
        ? RabbitWireFormat.CLOUD_EVENTS + header.substring(LINED.length())
        : header;
  }

  private static void put(Map<String, Object> headers, String name, @Nullable String value) {
    if (value != null) {
      headers.put(name, value);
    }
  }

  /** A header name that AMQP has no room for, or null. */
  static @Nullable String longName(Message message) {
    return message.headers().asMap().keySet().stream()
        .filter(name -> !ShortString.fits(name))
        .findFirst()
        .orElse(null);
  }

  /** The name of a header by which RabbitMQ would send copies elsewhere, or null. */
  static @Nullable String reservedName(Message message) {
    return RESERVED.stream()
        .filter(name -> message.headers().get(name) != null)
        .findFirst()
        .orElse(null);
  }

  /** What all headers take, in bytes, or less if that is little. */
  static int headersBytes(Message message) {
    Map<String, Object> headers = headers(message);
    int chars = 0;
    for (Map.Entry<String, Object> header : headers.entrySet()) {
      chars += header.getKey().length() + header.getValue().toString().length() + BYTES_PER_HEADER;
    }
    return chars * BYTES_PER_CHAR_MAX <= HEADERS_BYTES_MAX ? chars : exactBytes(headers);
  }

  private static int exactBytes(Map<String, Object> headers) {
    int bytes = 0;
    for (Map.Entry<String, Object> header : headers.entrySet()) {
      bytes += header.getKey().getBytes(UTF_8).length;
      bytes += header.getValue().toString().getBytes(UTF_8).length + BYTES_PER_HEADER;
    }
    return bytes;
  }
}
