package io.angarium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.half.HalfKey;
import io.angarium.half.Marker;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageTest {
  private static final byte[] PAYLOAD = "paid".getBytes(StandardCharsets.UTF_8);

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", "  ", "kafka:", "with\nbreak"})
  void aMissingOrMalformedDestinationIsRefusedByName(String destination) {
    assertThatThrownBy(() -> Message.of(destination, PAYLOAD))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("destination");
  }

  @Test
  void aDestinationLongerThanTheLimitIsRefused() {
    assertThatThrownBy(() -> Message.of("t".repeat(Destination.LENGTH_MAX), PAYLOAD))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("512");
  }

  @Test
  @SuppressWarnings("NullAway") // what a caller without null checking would do
  void aMissingPayloadIsRefusedByName() {
    assertThatThrownBy(() -> Message.of("orders", (byte[]) null))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessage("payload: null (expected: a value)");
    assertThatThrownBy(() -> Message.of("orders", (String) null))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessage("payload: null (expected: a value)");
    assertThatThrownBy(() -> Message.of((Destination) null, "paid"))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessage("destination: null (expected: a value)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "paid", "驿站", "a\uD83D\uDE00b", "\0"})
  void textBecomesTheBytesOfItsUtf8(String text) {
    Message message = Message.of("orders", text);

    assertThat(message.payload()).isEqualTo(text.getBytes(StandardCharsets.UTF_8));
    assertThat(message.headers().isEmpty()).isTrue();
    assertThat(Message.of(Destination.parse("orders"), text).payload())
        .isEqualTo(message.payload());
  }

  @ParameterizedTest
  @ValueSource(strings = {"ab\uD83D", "ab\uDE00", "ab\uD83Dc", "ab\uDE00\uD83D"})
  void textWithHalfACharacterIsRefusedInsteadOfReplaced(String text) {
    assertThatThrownBy(() -> Message.of("orders", text))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("payload: text with half a surrogate pair at 2")
        .hasMessageNotContaining("ab");
  }

  @Test
  void destinationsKeepTheirTextForm() {
    assertThat(Destination.parse("rocketmq:topic:tag"))
        .isEqualTo(new Destination("rocketmq", "topic:tag"))
        .hasToString("rocketmq:topic:tag");
    assertThat(Destination.parse("orders")).isEqualTo(new Destination("", "orders"));
    assertThat(Destination.parse("rabbitmq:ex/key.1").address()).isEqualTo("ex/key.1");
  }

  @Test
  void eachPartGivesACopy() {
    Message message = Message.of("orders", PAYLOAD);

    Message full = message.key("k").type("t").header("h", "v").createdBy("me");

    assertThat(message.key()).isNull();
    assertThat(message.headers().isEmpty()).isTrue();
    assertThat(full.key()).isEqualTo("k");
    assertThat(full.type()).isEqualTo("t");
    assertThat(full.headers().get("h")).isEqualTo("v");
    assertThat(full.createdBy()).isEqualTo("me");
  }

  @Test
  void itsTextShowsNeitherPayloadNorHeaderValues() {
    Message message = Message.of("orders", PAYLOAD).header("token", "secret");

    assertThat(message.toString()).contains("orders", "token").doesNotContain("secret", "paid");
  }

  @Test
  void headersSurviveTheFormKeptInTheDatabase() {
    Headers headers =
        Headers.EMPTY
            .with("traceparent", "00-ab-cd-01")
            .with("note", "two\nlines\\and\ra colon: here")
            .with("empty", "")
            .with("unicode", "驿站");

    Headers read = Headers.decode(headers.encode());

    assertThat(read).isEqualTo(headers);
    assertThat(read.asMap().keySet()).containsExactly("traceparent", "note", "empty", "unicode");
    assertThat(Headers.decode(Headers.EMPTY.encode()).isEmpty()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a:b", "a\\b", "a\tb"})
  void aMalformedHeaderNameIsRefused(String name) {
    assertThatThrownBy(() -> Message.of("orders", PAYLOAD).header(name, "v"))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("header name");
  }

  @Test
  void aBusinessKeyNamesItsFault() {
    assertThatThrownBy(() -> Message.of("orders", PAYLOAD).business("", "1"))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("business type");
  }

  /** Keys and types are what users sent: they must not make lines of a log. */
  @Test
  void textsOfTypesWithPartsOfUsersAreOneLine() {
    String hostile = "k\nERROR forged\u001b[31m\u2028\u202e";
    Message message = Message.of("kafka:orders", PAYLOAD).key(hostile).type(hostile);

    assertThat(
            List.of(
                message,
                new BusinessKey("order-paid", hostile, BusinessKey.Uniqueness.NONE),
                new HalfKey("orders", hostile),
                new Marker("orders", hostile)))
        .allSatisfy(
            each -> assertThat(each.toString()).contains("ERROR forged").matches("[\\x20-\\x7e]+"));
  }
}
