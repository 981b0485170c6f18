package io.angarium.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.Destination;
import io.angarium.Headers;
import io.angarium.Message;
import io.angarium.PayloadCodec;
import io.angarium.PayloadException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/**
 * Writes payloads with a {@link Serializer} of Kafka, such as one for Avro, Protobuf or JSON Schema
 * with a schema registry. The topic that it is given is the address of the destination. The headers
 * that it adds become headers of the message. Consumers read with the {@code Deserializer} that
 * belongs to it. Thread-safe if the serializer is, as a producer of Kafka needs it anyway.
 *
 * <p>The serializer runs when the object is sent, before the row is written. If it fails, for
 * instance because its registry is away, nothing is written and the caller's transaction can be
 * rolled back. A serializer that asks a registry does so inside the transaction when it meets a
 * schema for the first time: make the message with {@link io.angarium.TypedOutbox#message} before
 * the transaction begins, or let the serializer see each schema once at the start.
 *
 * <p>Headers of the outbox are text with one value per name. A serializer that adds a binary
 * header, or two of one name, is refused.
 */
public final class KafkaSerializerCodec implements PayloadCodec {
  private final Serializer<Object> serializer;

  /**
   * Creates a codec.
   *
   * @param serializer already configured; the caller closes it
   */
  @SuppressWarnings("unchecked") // an object of another class fails in the serializer, see encode
  public KafkaSerializerCodec(Serializer<?> serializer) {
    this.serializer = (Serializer<Object>) serializer;
  }

  @Override
  public Message encode(Destination destination, Object payload) {
    RecordHeaders added = new RecordHeaders();
    byte[] bytes = serialize(destination.address(), added, payload);
    if (bytes == null) {
      throw new PayloadException(
          serializer.getClass().getName()
              + " wrote null for a payload of "
              + payload.getClass().getName()
              + " (expected: bytes; the outbox sends no tombstones)");
    }
    return Message.of(destination, bytes).headers(headers(added));
  }

  private byte @Nullable [] serialize(String topic, RecordHeaders added, Object payload) {
    try {
      return serializer.serialize(topic, added, payload);
    } catch (RuntimeException e) {
      throw new PayloadException(
          "payload of "
              + payload.getClass().getName()
              + " cannot be written for topic "
              + topic
              + " by "
              + serializer.getClass().getName()
              + ", and nothing was sent; see the cause, and whether its schema registry can be"
              + " reached if it has one",
          e);
    }
  }

  private Headers headers(RecordHeaders added) {
    Map<String, String> headers = new LinkedHashMap<>();
    for (Header header : added) {
      String before = headers.put(header.key(), text(header));
      if (before != null) {
        throw refused(header, "is there twice", "one value per name");
      }
    }
    return Headers.of(headers);
  }

  private String text(Header header) {
    byte[] value = header.value();
    if (value == null) {
      throw refused(header, "is null", "text");
    }
    String text;
    try {
      text = UTF_8.newDecoder().decode(ByteBuffer.wrap(value)).toString();
    } catch (CharacterCodingException e) {
      throw binary(header);
    }
    if (text.indexOf(0) >= 0) {
      throw binary(header);
    }
    return text;
  }

  private PayloadException binary(Header header) {
    return refused(
        header,
        "is binary, " + header.value().length + " bytes",
        "text in UTF-8 without U+0000; configure the serializer to put it into the payload");
  }

  private PayloadException refused(Header header, String fault, String expected) {
    return new PayloadException(
        "header '"
            + header.key()
            + "' of "
            + serializer.getClass().getName()
            + ": "
            + fault
            + " (expected: "
            + expected
            + "); nothing was sent");
  }
}
