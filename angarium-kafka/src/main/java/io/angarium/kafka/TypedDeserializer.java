package io.angarium.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.Destination;
import io.angarium.Message;
import io.angarium.TypedPayloads;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/**
 * Gives consumers of Kafka the objects that {@link io.angarium.TypedOutbox} sent: the header {@link
 * KafkaWireFormat#TYPE} says which class a record holds. Names that stand for no class of this
 * consumer are an {@link io.angarium.PayloadException}, so read a topic of several types by a
 * sealed interface. Thread-safe if its payloads are.
 *
 * @param <T> what the consumer handles
 */
public final class TypedDeserializer<T> implements Deserializer<T> {
  private final TypedPayloads payloads;
  private final Class<T> expected;

  /**
   * Creates a deserializer.
   *
   * @param expected a class, a sealed interface, or a common type of registered classes
   */
  public TypedDeserializer(TypedPayloads payloads, Class<T> expected) {
    this.payloads = payloads;
    this.expected = expected;
  }

  /** Refused: without headers nothing says what the bytes are. */
  @Override
  public @Nullable T deserialize(String topic, byte @Nullable [] data) {
    return data == null ? null : payloads.read(null, data, expected);
  }

  /**
   * The object of a record; null for a record without a value.
   *
   * @throws io.angarium.PayloadException if its type is missing or unknown, or the bytes do not fit
   */
  @Override
  public @Nullable T deserialize(String topic, Headers headers, byte @Nullable [] data) {
    if (data == null) {
      return null;
    }
    Message received =
        Message.of(new Destination("kafka", topic), data).type(text(headers, KafkaWireFormat.TYPE));
    String contentType = text(headers, TypedPayloads.CONTENT_TYPE_HEADER);
    return payloads.read(
        contentType == null
            ? received
            : received.header(TypedPayloads.CONTENT_TYPE_HEADER, contentType),
        expected);
  }

  private static @Nullable String text(Headers headers, String name) {
    Header header = headers.lastHeader(name);
    return header == null || header.value() == null ? null : new String(header.value(), UTF_8);
  }
}
