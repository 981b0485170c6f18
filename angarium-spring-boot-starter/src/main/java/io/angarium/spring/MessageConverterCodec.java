package io.angarium.spring;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.Destination;
import io.angarium.Headers;
import io.angarium.Message;
import io.angarium.PayloadCodec;
import io.angarium.PayloadException;
import io.angarium.TypedPayloads;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.converter.MessageConverter;
import org.springframework.messaging.support.GenericMessage;
import org.springframework.util.InvalidMimeTypeException;
import org.springframework.util.MimeType;
import org.springframework.util.MimeTypeUtils;

/**
 * Writes and reads payloads with a {@link MessageConverter} of Spring. Its content type becomes the
 * {@code content-type} header; its further headers go along as text, without those that Spring
 * makes for each message, such as {@code id} and {@code timestamp}. Thread-safe if the converter
 * is.
 *
 * <p>Headers of the outbox are text. A header that is neither text, a number, a boolean, a UUID nor
 * a MIME type is refused, as is a payload that is neither bytes nor text.
 */
public final class MessageConverterCodec implements PayloadCodec {
  private static final Set<String> OF_SPRING =
      Set.of(
          MessageHeaders.ID,
          MessageHeaders.TIMESTAMP,
          MessageHeaders.CONTENT_TYPE,
          MessageHeaders.REPLY_CHANNEL,
          MessageHeaders.ERROR_CHANNEL);

  private final MessageConverter converter;
  private final @Nullable MimeType contentType;

  /** Creates a codec that writes in the converter's own content type. */
  public MessageConverterCodec(MessageConverter converter) {
    this(converter, null);
  }

  /**
   * Creates a codec that writes in a certain content type.
   *
   * @param contentType what the converter is asked for, by which a composite one chooses; null for
   *     its own
   */
  public MessageConverterCodec(MessageConverter converter, @Nullable MimeType contentType) {
    this.converter = converter;
    this.contentType = contentType;
  }

  @Override
  public Message encode(Destination destination, Object payload) {
    org.springframework.messaging.Message<?> converted = convert(payload);
    MessageHeaders headers = converted.getHeaders();
    Object type = headers.get(MessageHeaders.CONTENT_TYPE);
    Map<String, String> texts = new LinkedHashMap<>();
    headers.forEach(
        (name, value) -> {
          if (!OF_SPRING.contains(name)) {
            texts.put(name, text(name, value));
          }
        });
    if (type != null) {
      texts.put(TypedPayloads.CONTENT_TYPE_HEADER, text(MessageHeaders.CONTENT_TYPE, type));
    }
    return Message.of(destination, bytes(converted.getPayload(), type, payload.getClass()))
        .headers(Headers.of(texts));
  }

  private org.springframework.messaging.Message<?> convert(Object payload) {
    org.springframework.messaging.Message<?> converted;
    try {
      converted = converter.toMessage(payload, asked());
    } catch (RuntimeException e) {
      throw failed("payload of " + payload.getClass().getName() + " cannot be written", e);
    }
    if (converted == null) {
      throw failed(
          "payload of " + payload.getClass().getName() + " is of no class it writes", null);
    }
    return converted;
  }

  private MessageHeaders asked() {
    return new MessageHeaders(
        contentType == null ? Map.of() : Map.of(MessageHeaders.CONTENT_TYPE, contentType));
  }

  private byte[] bytes(Object content, @Nullable Object type, Class<?> payload) {
    if (content instanceof byte[] bytes) {
      return bytes;
    }
    if (!(content instanceof String text)) {
      throw failed(
          "payload of "
              + payload.getName()
              + " became a "
              + content.getClass().getName()
              + " (expected: bytes or text)",
          null);
    }
    Charset charset = charset(type);
    try {
      ByteBuffer encoded = charset.newEncoder().encode(CharBuffer.wrap(text));
      byte[] bytes = new byte[encoded.remaining()];
      encoded.get(bytes);
      return bytes;
    } catch (CharacterCodingException e) {
      throw failed(
          "payload of " + payload.getName() + " became text that " + charset + " cannot carry", e);
    }
  }

  private Charset charset(@Nullable Object type) {
    try {
      MimeType declared =
          type instanceof CharSequence text ? MimeTypeUtils.parseMimeType(text.toString()) : null;
      MimeType mime = type instanceof MimeType given ? given : declared;
      Charset charset = mime == null ? null : mime.getCharset();
      return charset == null ? UTF_8 : charset;
    } catch (InvalidMimeTypeException e) {
      throw failed("content type '" + type + "' is none (expected: as text/plain)", e);
    }
  }

  private String text(String name, Object value) {
    if (value instanceof CharSequence
        || value instanceof Number
        || value instanceof Boolean
        || value instanceof UUID
        || value instanceof MimeType) {
      return value.toString();
    }
    throw failed(
        "header '"
            + name
            + "' is a "
            + value.getClass().getName()
            + " (expected: text, a number, a boolean, a UUID or a MIME type)",
        null);
  }

  private PayloadException failed(String what, @Nullable Throwable cause) {
    return new PayloadException(
        what
            + ": "
            + converter.getClass().getName()
            + (contentType == null ? "" : ", asked for " + contentType)
            + "; nothing was sent",
        cause);
  }

  @Override
  public <T> T decode(Headers headers, byte[] payload, Class<T> type) {
    Map<String, Object> values = new HashMap<>(headers.asMap());
    Object received = values.remove(TypedPayloads.CONTENT_TYPE_HEADER);
    if (received != null || contentType != null) {
      values.put(MessageHeaders.CONTENT_TYPE, received != null ? received : contentType);
    }
    Object read;
    try {
      read = converter.fromMessage(new GenericMessage<>(payload, values), type);
    } catch (RuntimeException e) {
      throw unreadable(payload, type, e);
    }
    if (!type.isInstance(read)) {
      throw unreadable(payload, type, null);
    }
    return type.cast(read);
  }

  private PayloadException unreadable(
      byte[] payload, Class<?> type, @Nullable RuntimeException cause) {
    return new PayloadException(
        payload.length
            + " bytes cannot be read as "
            + type.getName()
            + " by "
            + converter.getClass().getName()
            + (cause == null ? ", which reads no such class or content type" : "; see the cause"),
        cause);
  }
}
