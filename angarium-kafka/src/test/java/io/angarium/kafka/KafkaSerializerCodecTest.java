package io.angarium.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Destination;
import io.angarium.Headers;
import io.angarium.Message;
import io.angarium.PayloadException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.LongSerializer;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class KafkaSerializerCodecTest {
  private static final Destination ORDERS = Destination.parse("kafka:orders");

  /** Writes what it is given as text, and one header per line of it. */
  private static Serializer<Object> adding(byte[] @Nullable ... values) {
    return new Serializer<>() {
      @Override
      public byte[] serialize(String topic, Object data) {
        throw new AssertionError("without headers");
      }

      @Override
      public byte[] serialize(
          String topic, org.apache.kafka.common.header.Headers headers, Object data) {
        for (byte[] value : values) {
          headers.add("h", value);
        }
        return (topic + "/" + data).getBytes(UTF_8);
      }
    };
  }

  @Test
  void serializerIsGivenTheTopicAndItsHeadersGoAlong() {
    Message message = new KafkaSerializerCodec(adding("驿\n1".getBytes(UTF_8))).encode(ORDERS, 7);

    assertThat(message.destination()).isEqualTo(ORDERS);
    assertThat(message.payload()).isEqualTo("orders/7".getBytes(UTF_8));
    assertThat(message.headers()).isEqualTo(Headers.EMPTY.with("h", "驿\n1"));
    assertThat(message.type()).isNull();
  }

  static byte[][] binaryValues() {
    return new byte[][] {
      {0, 0, 0, 7},
      {(byte) 0xff},
      {(byte) 0xc0, (byte) 0x80},
      {(byte) 0xed, (byte) 0xa0, (byte) 0x80}
    };
  }

  @ParameterizedTest
  @MethodSource("binaryValues")
  void binaryHeaderIsRefusedInsteadOfChanged(byte[] value) {
    KafkaSerializerCodec codec = new KafkaSerializerCodec(adding(value));

    assertThatThrownBy(() -> codec.encode(ORDERS, 7))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining("header 'h' of ")
        .hasMessageContaining("is binary, " + value.length + " bytes (expected: text in UTF-8");
  }

  @Test
  void headersThatTheOutboxHasNoRoomForAreRefused() {
    byte[] text = "1".getBytes(UTF_8);

    assertThatThrownBy(() -> new KafkaSerializerCodec(adding(text, text)).encode(ORDERS, 7))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining("is there twice (expected: one value per name)");
    assertThatThrownBy(() -> new KafkaSerializerCodec(adding((byte[]) null)).encode(ORDERS, 7))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining("is null (expected: text)");
  }

  @Test
  void failureOfTheSerializerNamesClassTopicAndSerializer() {
    Serializer<Object> away =
        (topic, data) -> {
          throw new SerializationException("registry is away");
        };

    assertThatThrownBy(() -> new KafkaSerializerCodec(away).encode(ORDERS, 7))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining("java.lang.Integer cannot be written for topic orders by ")
        .hasMessageContaining("nothing was sent")
        .hasRootCauseMessage("registry is away");
  }

  @Test
  void objectOfAnotherClassThanTheSerializersIsRefused() {
    assertThatThrownBy(() -> new KafkaSerializerCodec(new LongSerializer()).encode(ORDERS, "text"))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining("java.lang.String cannot be written")
        .hasCauseInstanceOf(ClassCastException.class);
  }

  @Test
  void serializerThatWritesNothingIsRefused() {
    assertThatThrownBy(() -> new KafkaSerializerCodec((topic, data) -> null).encode(ORDERS, "text"))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining("wrote null for a payload of java.lang.String");
  }

  @Test
  void itOnlyWrites() {
    assertThatThrownBy(
            () ->
                new KafkaSerializerCodec(new StringSerializer())
                    .decode(Headers.EMPTY, new byte[0], String.class))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining("only writes payloads");
  }
}
