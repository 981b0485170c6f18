package io.angarium;

import io.angarium.internal.UnicodeText;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The largest message that is taken in. Immutable.
 *
 * @param payloadBytesMax 1..64 MiB; default 1 000 000 bytes, less than a Kafka broker's default
 *     limit
 * @param keyBytesMax 1..512 bytes of UTF-8; default 512
 * @param headersBytesMax 0..60 000 bytes of UTF-8, names and values together; default 16 384
 */
public record MessageLimits(int payloadBytesMax, int keyBytesMax, int headersBytesMax) {
  /** 1 000 000 bytes of payload, 512 of key, 16 384 of headers. */
  public static final MessageLimits DEFAULTS = new MessageLimits(1_000_000, 512, 16_384);

  /** The longest type, in characters. */
  public static final int TYPE_LENGTH_MAX = 255;

  /** The longest creator, in characters. */
  public static final int CREATED_BY_LENGTH_MAX = 128;

  /** How much of a wrong value an error shows. */
  private static final int SHOWN_MAX = 100;

  private static final Instant DUE_MIN = Instant.EPOCH;
  private static final Instant DUE_MAX = Instant.parse("9999-12-31T00:00:00Z");

  /** The prefix of headers that transports add; a message must not bring its own. */
  public static final String RESERVED_HEADER_PREFIX = "angarium-";

  /** Checks the ranges. */
  public MessageLimits {
    new ConfigFaults()
        .range("limits.payload", payloadBytesMax, 1, 64 << 20)
        .range("limits.key", keyBytesMax, 1, 512)
        .range("limits.headers", headersBytesMax, 0, 60_000)
        .throwIfAny();
  }

  /**
   * Checks a message.
   *
   * @throws InvalidMessageException naming the first part that breaks a limit
   */
  public void check(Message message) {
    String key = message.key();
    atMost(message, "payload", message.payload().length, payloadBytesMax, "bytes");
    if (key != null) {
      atMost(message, "key", utf8Length(key), keyBytesMax, "bytes");
    }
    atMost(message, "type", length(message.type()), TYPE_LENGTH_MAX, "characters");
    atMost(message, "created by", length(message.createdBy()), CREATED_BY_LENGTH_MAX, "characters");
    checkStorable(message);
    if (!message.headers().isEmpty()) {
      checkHeaders(message);
    }
  }

  /** What not every database stores would fail the commit instead of the call. */
  private static void checkStorable(Message message) {
    storable(message, "destination", message.destination().address());
    storable(message, "key", message.key());
    storable(message, "type", message.type());
    storable(message, "created by", message.createdBy());
    BusinessKey business = message.business();
    if (business != null) {
      storable(message, "business type", business.type());
      storable(message, "business key", business.key());
    }
    Instant due = message.notBefore();
    if (due != null && (due.isBefore(DUE_MIN) || due.isAfter(DUE_MAX))) {
      throw new InvalidMessageException(
          "not before of "
              + message
              + ": "
              + due
              + " (expected: "
              + DUE_MIN
              + ".."
              + DUE_MAX
              + ")");
    }
  }

  /** A database or a broker would store a question mark for half a character, and say nothing. */
  private static void storable(Message message, String part, @Nullable String text) {
    if (text == null) {
      return;
    }
    if (text.indexOf(0) >= 0) {
      throw notStorable(
          message,
          part,
          "has the character U+0000 at " + text.indexOf(0),
          "text without it, which not every database stores); remove it");
    }
    int broken = UnicodeText.brokenAt(text);
    if (broken >= 0) {
      throw notStorable(
          message,
          part,
          "has half a surrogate pair at " + broken,
          "whole characters, since UTF-8 has no other); correct it");
    }
  }

  private static InvalidMessageException notStorable(
      Message message, String part, String fault, String expected) {
    return new InvalidMessageException(
        part + " of " + message + ": " + fault + " (expected: " + expected);
  }

  private void checkHeaders(Message message) {
    String encoded = message.headers().encode();
    atMost(message, "headers", encoded == null ? 0 : utf8Length(encoded), headersBytesMax, "bytes");
    for (Map.Entry<String, String> header : message.headers().asMap().entrySet()) {
      String name = header.getKey();
      storable(message, "header name", name);
      storable(message, "header", header.getValue());
      checkContentType(message, name, header.getValue());
      if (name.startsWith(RESERVED_HEADER_PREFIX)) {
        throw new InvalidMessageException(
            "header '"
                + name
                + "' of "
                + message
                + " uses the reserved prefix "
                + RESERVED_HEADER_PREFIX
                + "; rename it");
      }
    }
  }

  /** Web hooks would refuse it at the delivery, and other consumers could not read it. */
  private static void checkContentType(Message message, String name, String value) {
    boolean names = name.toLowerCase(Locale.ROOT).equals(TypedPayloads.CONTENT_TYPE_HEADER);
    if (names && !TypedPayloads.isContentType(value)) {
      throw new InvalidMessageException(
          "header '%s' of %s: '%s' (expected: type/subtype, e.g. application/json); correct it"
              .formatted(name, message, shown(value)));
    }
  }

  private static String shown(String value) {
    String printable = value.replaceAll("[^\\x20-\\x7E]", "?");
    return printable.length() > SHOWN_MAX ? printable.substring(0, SHOWN_MAX) : printable;
  }

  private static void atMost(Message message, String part, int size, int max, String unit) {
    if (size > max) {
      throw new InvalidMessageException(
          part
              + " of "
              + message
              + ": "
              + size
              + " "
              + unit
              + " (expected: at most "
              + max
              + "); make it smaller or raise the limit");
    }
  }

  private static int length(@Nullable String text) {
    return text == null ? 0 : text.length();
  }

  private static int utf8Length(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
