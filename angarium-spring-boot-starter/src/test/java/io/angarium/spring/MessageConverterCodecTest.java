package io.angarium.spring;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Destination;
import io.angarium.Headers;
import io.angarium.Message;
import io.angarium.PayloadException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.converter.ByteArrayMessageConverter;
import org.springframework.messaging.converter.CompositeMessageConverter;
import org.springframework.messaging.converter.MappingJackson2MessageConverter;
import org.springframework.messaging.converter.MessageConverter;
import org.springframework.messaging.converter.SimpleMessageConverter;
import org.springframework.messaging.converter.StringMessageConverter;
import org.springframework.messaging.support.GenericMessage;
import org.springframework.util.MimeType;
import org.springframework.util.MimeTypeUtils;

class MessageConverterCodecTest {
  private static final Destination ORDERS = Destination.parse("kafka:orders");

  record OrderPaid(long order, String currency) {}

  /** Gives a payload and headers, whatever it is asked for. */
  private static MessageConverter giving(Object payload, Map<String, Object> headers) {
    return new MessageConverter() {
      @Override
      public @Nullable Object fromMessage(
          org.springframework.messaging.Message<?> message, Class<?> type) {
        return null;
      }

      @Override
      public org.springframework.messaging.Message<?> toMessage(
          Object object, @Nullable MessageHeaders asked) {
        return new GenericMessage<>(payload, headers);
      }
    };
  }

  @Test
  void objectsOfJacksonsConverterAreReadAgain() {
    MessageConverterCodec codec = new MessageConverterCodec(new MappingJackson2MessageConverter());

    Message message = codec.encode(ORDERS, new OrderPaid(4711, "EUR"));

    assertThat(message.destination()).isEqualTo(ORDERS);
    assertThat(new String(message.payload(), UTF_8))
        .isEqualTo("{\"order\":4711,\"currency\":\"EUR\"}");
    assertThat(message.headers().asMap()).isEqualTo(Map.of("content-type", "application/json"));
    assertThat(codec.decode(message.headers(), message.payload(), OrderPaid.class))
        .isEqualTo(new OrderPaid(4711, "EUR"));
    assertThat(codec.decode(Headers.EMPTY, message.payload(), OrderPaid.class))
        .as("from a sender that gives no content type")
        .isEqualTo(new OrderPaid(4711, "EUR"));
  }

  @Test
  void textIsWrittenInItsCharset() {
    MessageConverterCodec utf8 = new MessageConverterCodec(new StringMessageConverter());
    MessageConverterCodec latin = new MessageConverterCodec(new StringMessageConverter(ISO_8859_1));

    assertThat(utf8.encode(ORDERS, "Ö").payload()).isEqualTo("Ö".getBytes(UTF_8));
    assertThat(latin.encode(ORDERS, "Ö").payload()).isEqualTo("Ö".getBytes(ISO_8859_1));
    assertThat(latin.encode(ORDERS, "Ö").headers().get("content-type"))
        .isEqualTo("text/plain;charset=ISO-8859-1");
    assertThat(latin.decode(Headers.EMPTY, "Ö".getBytes(ISO_8859_1), String.class)).isEqualTo("Ö");
  }

  @Test
  void textThatTheConverterLeavesToOthersIsWrittenInItsDeclaredCharset() {
    MimeType latin = new MimeType("text", "plain", ISO_8859_1);

    assertThat(
            new MessageConverterCodec(giving("Ö", Map.of("contentType", latin)))
                .encode(ORDERS, 1)
                .payload())
        .isEqualTo("Ö".getBytes(ISO_8859_1));
    assertThat(
            new MessageConverterCodec(
                    giving("Ö", Map.of("contentType", "text/plain;charset=ISO-8859-1")))
                .encode(ORDERS, 1)
                .payload())
        .as("declared as text")
        .isEqualTo("Ö".getBytes(ISO_8859_1));
    assertThatThrownBy(
            () ->
                new MessageConverterCodec(giving("Ö", Map.of("contentType", "nothing")))
                    .encode(ORDERS, 1))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining("content type 'nothing' is none");
    assertThat(new MessageConverterCodec(giving("驿", Map.of())).encode(ORDERS, 1).payload())
        .isEqualTo("驿".getBytes(UTF_8));
    assertThatThrownBy(
            () ->
                new MessageConverterCodec(giving("驿", Map.of("contentType", latin)))
                    .encode(ORDERS, 1))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining("ISO-8859-1 cannot carry")
        .hasMessageNotContaining("驿");
    assertThatThrownBy(
            () -> new MessageConverterCodec(giving("\uD83D", Map.of())).encode(ORDERS, 1))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining("UTF-8 cannot carry");
  }

  @Test
  void bytesStayWhatTheyAre() {
    MessageConverterCodec codec = new MessageConverterCodec(new ByteArrayMessageConverter());
    byte[] bytes = {0, (byte) 0xff};

    assertThat(codec.encode(ORDERS, bytes).payload()).isEqualTo(bytes);
    assertThat(codec.encode(ORDERS, bytes).headers().get("content-type"))
        .isEqualTo("application/octet-stream");
  }

  @Test
  void compositeConverterChoosesByTheContentTypeAskedFor() {
    CompositeMessageConverter composite =
        new CompositeMessageConverter(
            List.of(new StringMessageConverter(), new MappingJackson2MessageConverter()));
    MessageConverterCodec codec =
        new MessageConverterCodec(composite, MimeTypeUtils.APPLICATION_JSON);

    Message message = codec.encode(ORDERS, new OrderPaid(1, "EUR"));

    assertThat(message.headers().get("content-type")).isEqualTo("application/json");
    assertThat(codec.decode(message.headers(), message.payload(), OrderPaid.class))
        .isEqualTo(new OrderPaid(1, "EUR"));
  }

  @Test
  void headersOfTheConverterGoAlongAsText() {
    MessageConverter converter =
        giving(new byte[1], Map.of("schema", 7, "tenant", "eu", "contentType", "avro/binary"));

    Message message = new MessageConverterCodec(converter).encode(ORDERS, 1);

    assertThat(message.headers().asMap())
        .isEqualTo(Map.of("schema", "7", "tenant", "eu", "content-type", "avro/binary"));
  }

  @Test
  void whatTheOutboxCannotCarryIsRefused() {
    assertThatThrownBy(
            () ->
                new MessageConverterCodec(giving(new byte[1], Map.of("schema", new byte[4])))
                    .encode(ORDERS, 1))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining("header 'schema' is a [B (expected: text");
    assertThatThrownBy(
            () ->
                new MessageConverterCodec(new SimpleMessageConverter())
                    .encode(ORDERS, new OrderPaid(1, "EUR")))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining("became a " + OrderPaid.class.getName());
  }

  @Test
  void classThatTheConverterDoesNotKnowIsRefused() {
    MessageConverterCodec codec = new MessageConverterCodec(new StringMessageConverter());

    assertThatThrownBy(() -> codec.encode(ORDERS, new OrderPaid(1, "EUR")))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining(OrderPaid.class.getName() + " is of no class it writes")
        .hasMessageContaining("StringMessageConverter");
    assertThatThrownBy(() -> codec.decode(Headers.EMPTY, new byte[2], OrderPaid.class))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining("2 bytes cannot be read as " + OrderPaid.class.getName());
  }

  @Test
  void brokenBytesAreRefusedWithTheirCause() {
    MessageConverterCodec codec = new MessageConverterCodec(new MappingJackson2MessageConverter());

    assertThatThrownBy(() -> codec.decode(Headers.EMPTY, "{".getBytes(UTF_8), OrderPaid.class))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining("see the cause")
        .hasCauseInstanceOf(Exception.class);
  }
}
