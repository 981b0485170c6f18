package io.angarium.kafka.intake;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.Headers;
import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.MessageLimits;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.WhenUnknown;
import io.angarium.half.internal.remote.PrintableExcerpt;
import io.angarium.kafka.KafkaWireFormat;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** Reads records as {@link HalfIntakeFormat} says. Immutable. */
final class HalfRecordReading {
  private static final byte[] NOTHING = {};

  /** What begins so is passed over, for programs on the way. */
  private static final String EXTENSION_PREFIX = MessageLimits.RESERVED_HEADER_PREFIX + "ext-";

  /** Known reserved headers. The last two stand in a dead letter that is sent anew. */
  private static final Set<String> KNOWN =
      Set.of(
          HalfIntakeFormat.STEP,
          HalfIntakeFormat.BUSINESS,
          HalfIntakeFormat.KEY,
          HalfIntakeFormat.DESTINATION,
          HalfIntakeFormat.MESSAGE_KEY,
          HalfIntakeFormat.TYPE,
          HalfIntakeFormat.DELAY,
          HalfIntakeFormat.NOT_BEFORE,
          HalfIntakeFormat.CHECK_BACK,
          HalfIntakeFormat.BUSINESS_TYPE,
          HalfIntakeFormat.BUSINESS_KEY,
          HalfIntakeFormat.REASON,
          HalfIntakeFormat.ORIGIN);

  /** What messages of an outbox have, and JSON that was a dead letter and is sent anew. */
  private static final Set<String> OF_ANY_RECORD =
      Set.of(
          KafkaWireFormat.ID,
          KafkaWireFormat.TYPE,
          KafkaWireFormat.BUSINESS_TYPE,
          KafkaWireFormat.BUSINESS_KEY,
          HalfIntakeFormat.REASON,
          HalfIntakeFormat.ORIGIN);

  private final String forwardTransport;

  /** Creates it with the transport of destinations in JSON. */
  HalfRecordReading(String forwardTransport) {
    this.forwardTransport = forwardTransport;
  }

  /**
   * The call that a record stands for.
   *
   * @param which records of its topic are half messages
   * @return empty for a record that is none of ours
   * @throws InvalidMessageException if it cannot be read, says what is expected
   */
  Optional<HalfCall> read(ConsumerRecord<byte[], byte[]> record, HalfIntakeConfig.Records which) {
    try {
      if (isMarked(record)) {
        return Optional.of(withHeaders(record));
      }
      return which == HalfIntakeConfig.Records.MARKED
          ? Optional.empty()
          : Optional.of(
              HalfRecordJson.read(
                  record.value() == null ? NOTHING : record.value(), forwardTransport));
    } catch (IllegalArgumentException e) { // of a key, for one
      throw new InvalidMessageException(String.valueOf(e.getMessage()));
    }
  }

  /**
   * Also by a name that is not quite that of the mark, and by every other that is ours: without its
   * mark such a record is at fault, not somebody else's.
   */
  private static boolean isMarked(ConsumerRecord<byte[], byte[]> record) {
    for (Header header : record.headers()) {
      String name = header.key().toLowerCase(Locale.ROOT);
      if (isReserved(name) && !OF_ANY_RECORD.contains(name)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isReserved(String lower) {
    return lower.startsWith(MessageLimits.RESERVED_HEADER_PREFIX)
        && !lower.startsWith(EXTENSION_PREFIX);
  }

  private static boolean isOfDeadLetters(String name) {
    return name.equals(HalfIntakeFormat.REASON) || name.equals(HalfIntakeFormat.ORIGIN);
  }

  /** A misspelt delay is a message that is sent too early. */
  private static void requireKnown(String name) {
    if (isReserved(name.toLowerCase(Locale.ROOT)) && !KNOWN.contains(name)) {
      throw fault(
          "header " + PrintableExcerpt.of(name),
          "not known here",
          "one of " + new TreeSet<>(KNOWN) + ", in lower case; " + EXTENSION_PREFIX + "… is free");
    }
  }

  private static HalfCall withHeaders(ConsumerRecord<byte[], byte[]> record) {
    Map<String, String> headers = new HashMap<>();
    for (Header header : record.headers()) {
      String name = header.key();
      requireKnown(name);
      String value = text("header " + PrintableExcerpt.of(name), header.value());
      if (headers.put(name, value) != null && !isOfDeadLetters(name)) {
        throw fault("header " + PrintableExcerpt.of(name), "more than once", "each name once");
      }
    }
    String step = required(headers, HalfIntakeFormat.STEP);
    HalfKey key = key(headers, record.key());
    return switch (step) {
      case "prepare" -> new HalfCall.Prepare(message(key, headers, record.value()));
      case "commit" -> new HalfCall.Commit(key, WhenUnknown.REMEMBER);
      case "rollback" -> new HalfCall.Rollback(key, WhenUnknown.REMEMBER);
      default -> throw fault(HalfIntakeFormat.STEP, step, "prepare, commit or rollback");
    };
  }

  private static HalfKey key(Map<String, String> headers, byte @Nullable [] recordKey) {
    String business = required(headers, HalfIntakeFormat.BUSINESS);
    String key = headers.get(HalfIntakeFormat.KEY);
    if (key == null && recordKey == null) {
      throw fault(HalfIntakeFormat.KEY, "missing", "a key, or the key of the record");
    }
    return new HalfKey(business, key == null ? text("record key", recordKey) : key);
  }

  private static HalfMessage message(
      HalfKey key, Map<String, String> headers, byte @Nullable [] value) {
    Message message =
        Message.of(required(headers, HalfIntakeFormat.DESTINATION), value == null ? NOTHING : value)
            .key(headers.get(HalfIntakeFormat.MESSAGE_KEY))
            .type(headers.get(HalfIntakeFormat.TYPE))
            .notBefore(notBefore(headers))
            .headers(own(headers));
    String businessType = headers.get(HalfIntakeFormat.BUSINESS_TYPE);
    if (businessType != null) {
      message = message.business(businessType, required(headers, HalfIntakeFormat.BUSINESS_KEY));
    }
    if (businessType == null && headers.containsKey(HalfIntakeFormat.BUSINESS_KEY)) {
      required(headers, HalfIntakeFormat.BUSINESS_TYPE);
    }
    return HalfMessage.of(key, message).delay(delay(headers)).checkBack(checkBack(headers));
  }

  /** Returns the message's own headers, without the reserved ones. */
  private static Headers own(Map<String, String> all) {
    Map<String, String> own = new TreeMap<>(all);
    own.keySet()
        .removeIf(
            name -> name.toLowerCase(Locale.ROOT).startsWith(MessageLimits.RESERVED_HEADER_PREFIX));
    return Headers.of(own);
  }

  private static @Nullable Instant notBefore(Map<String, String> headers) {
    String text = headers.get(HalfIntakeFormat.NOT_BEFORE);
    try {
      return text == null ? null : Instant.parse(text);
    } catch (DateTimeException e) {
      throw fault(HalfIntakeFormat.NOT_BEFORE, text, "a time like 2030-01-31T12:00:00Z");
    }
  }

  private static Duration delay(Map<String, String> headers) {
    String text = headers.get(HalfIntakeFormat.DELAY);
    try {
      return text == null ? Duration.ZERO : Duration.parse(text);
    } catch (DateTimeException e) {
      throw fault(HalfIntakeFormat.DELAY, text, "a duration like PT30M");
    }
  }

  private static @Nullable URI checkBack(Map<String, String> headers) {
    String text = headers.get(HalfIntakeFormat.CHECK_BACK);
    return text == null ? null : uri(HalfIntakeFormat.CHECK_BACK, text);
  }

  /**
   * An address.
   *
   * @throws InvalidMessageException if it is none
   */
  static URI uri(String name, String text) {
    try {
      return new URI(text);
    } catch (URISyntaxException e) {
      throw fault(name, text, "an address like http://shop:8080/check-back");
    }
  }

  private static String required(Map<String, String> headers, String name) {
    String value = headers.get(name);
    if (value == null) {
      throw fault(name, "missing", "this header");
    }
    return value;
  }

  /** Text in UTF-8, and nothing else. */
  static String text(String name, byte @Nullable [] bytes) {
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes == null ? NOTHING : bytes)).toString();
    } catch (CharacterCodingException e) {
      throw fault(name, "other bytes", "text in UTF-8");
    }
  }

  static InvalidMessageException fault(String name, @Nullable String value, String expected) {
    String shown = value == null ? null : PrintableExcerpt.of(value);
    return new InvalidMessageException(
        name + ": '" + shown + "' (expected: " + expected + "); send it anew");
  }
}
