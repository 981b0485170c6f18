package io.angarium;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.BusinessKey.Uniqueness;
import io.angarium.internal.OneLine;
import io.angarium.internal.UnicodeText;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is to be sent: a destination, a payload, and what else the consumer or the operator wants to
 * know. Start with {@link #of(String, byte[])} or {@link #of(String, String)} and add parts, each
 * giving a copy:
 *
 * <pre>{@code
 * Message.of("kafka:orders", json).key("4711").type("order-paid").header("tenant", "eu")
 * }</pre>
 *
 * Messages with the same key and destination are delivered in the order their transactions became
 * ordered; messages without a key in any order. Immutable, provided the payload array is left alone
 * after it was handed over (it is not copied).
 */
public final class Message {
  private final Destination destination;
  private final byte[] payload;
  private final @Nullable String key;
  private final @Nullable String type;
  private final Headers headers;
  private final @Nullable BusinessKey business;
  private final @Nullable String createdBy;
  private final @Nullable Instant notBefore;

  private Message(
      Destination destination,
      byte[] payload,
      @Nullable String key,
      @Nullable String type,
      Headers headers,
      @Nullable BusinessKey business,
      @Nullable String createdBy,
      @Nullable Instant notBefore) {
    this.destination = destination;
    this.payload = payload;
    this.key = key;
    this.type = type;
    this.headers = headers;
    this.business = business;
    this.createdBy = createdBy;
    this.notBefore = notBefore;
  }

  /**
   * A message to a destination in its text form, e.g. {@code kafka:orders}.
   *
   * @param destination see {@link Destination#parse}
   * @param payload the bytes the consumer gets; may be empty; not copied
   * @throws InvalidMessageException if the destination is null, blank or malformed, or the payload
   *     is null
   */
  public static Message of(String destination, byte[] payload) {
    return of(Destination.parse(required("destination", destination)), payload);
  }

  /**
   * A message to a destination.
   *
   * @param payload the bytes the consumer gets; may be empty; not copied
   * @throws InvalidMessageException if either is null
   */
  public static Message of(Destination destination, byte[] payload) {
    return new Message(
        required("destination", destination),
        required("payload", payload),
        null,
        null,
        Headers.EMPTY,
        null,
        null,
        null);
  }

  /**
   * A message whose payload is text, in UTF-8, to a destination in its text form. It has no {@code
   * content-type} header: text may be JSON, XML or prose. Add the header if consumers need it.
   *
   * @param destination see {@link Destination#parse}
   * @param text the payload; may be empty
   * @throws InvalidMessageException if the destination is null, blank or malformed, or the text is
   *     null or has half a surrogate pair, which UTF-8 cannot carry
   */
  public static Message of(String destination, String text) {
    return of(Destination.parse(required("destination", destination)), text);
  }

  /**
   * A message whose payload is text, in UTF-8. It has no {@code content-type} header.
   *
   * @param text the payload; may be empty
   * @throws InvalidMessageException if either is null, or the text has half a surrogate pair, which
   *     UTF-8 cannot carry
   */
  public static Message of(Destination destination, String text) {
    return of(required("destination", destination), utf8(required("payload", text)));
  }

  private static byte[] utf8(String text) {
    ByteBuffer bytes;
    try {
      bytes = UTF_8.newEncoder().encode(CharBuffer.wrap(text));
    } catch (CharacterCodingException e) {
      throw new InvalidMessageException(
          "payload: text with half a surrogate pair at "
              + UnicodeText.brokenAt(text)
              + " (expected: whole characters, since UTF-8 has no other); correct the text, or give"
              + " bytes");
    }
    byte[] exact = new byte[bytes.remaining()];
    bytes.get(exact);
    return exact;
  }

  // Callers without null checking still get an error that names the part.
  private static <T> T required(String part, @Nullable T value) {
    if (value == null) {
      throw new InvalidMessageException(part + ": null (expected: a value)");
    }
    return value;
  }

  /** A copy with a key: messages of one key and destination keep their order. Null removes it. */
  public Message key(@Nullable String key) {
    return new Message(destination, payload, key, type, headers, business, createdBy, notBefore);
  }

  /** A copy with a logical type name, e.g. {@code order-paid}, 1..255 characters. */
  public Message type(@Nullable String type) {
    return new Message(destination, payload, key, type, headers, business, createdBy, notBefore);
  }

  /**
   * A copy with one header added or replaced.
   *
   * @throws InvalidMessageException if the name is malformed, see {@link Headers#with}
   */
  public Message header(String name, String value) {
    return headers(headers.with(required("header name", name), required("header " + name, value)));
  }

  /** A copy with exactly these headers. */
  public Message headers(Headers headers) {
    return new Message(destination, payload, key, type, headers, business, createdBy, notBefore);
  }

  /** A copy with a business type and key that need not be unique. */
  public Message business(String type, String key) {
    return business(new BusinessKey(type, key, Uniqueness.NONE));
  }

  /** A copy with a business key. Null removes it. */
  public Message business(@Nullable BusinessKey business) {
    return new Message(destination, payload, key, type, headers, business, createdBy, notBefore);
  }

  /** A copy that names who or what created the message, 1..128 characters. */
  public Message createdBy(@Nullable String createdBy) {
    return new Message(destination, payload, key, type, headers, business, createdBy, notBefore);
  }

  /**
   * A copy that is not sent before a time, by the database's clock. It takes its place in the order
   * of its key when that time has come, not when it was written.
   */
  public Message notBefore(@Nullable Instant notBefore) {
    return new Message(destination, payload, key, type, headers, business, createdBy, notBefore);
  }

  /** Where it goes. */
  public Destination destination() {
    return destination;
  }

  /** The bytes; not a copy. */
  public byte[] payload() {
    return payload;
  }

  /** The key, or null if order does not matter. */
  public @Nullable String key() {
    return key;
  }

  /** The logical type name, or null. */
  public @Nullable String type() {
    return type;
  }

  /** The headers; empty if there are none. */
  public Headers headers() {
    return headers;
  }

  /** The business type and key, or null. */
  public @Nullable BusinessKey business() {
    return business;
  }

  /** Who created it, or null. */
  public @Nullable String createdBy() {
    return createdBy;
  }

  /** The time before which it is not sent, or null for at once. */
  public @Nullable Instant notBefore() {
    return notBefore;
  }

  /** Destination, key, type and size; never the payload or header values. */
  @Override
  public String toString() {
    return OneLine.of(
        "Message[destination="
            + destination
            + ", key="
            + key
            + ", type="
            + type
            + ", payload="
            + payload.length
            + " bytes, headers="
            + headers
            + "]");
  }
}
