package io.angarium;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageLimitsContentTypeTest {
  private static Message with(String name, String contentType) {
    return Message.of("kafka:orders", new byte[0]).header(name, contentType);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "json",
        "",
        " ",
        "*/*",
        "text/*",
        "text/",
        "/json",
        "a/b/c",
        "text/plain charset=utf-8",
        "text/plain; \u8ba2",
        "application/json, text/plain"
      })
  void refusesWhatIsNone(String value) {
    for (String name : new String[] {"content-type", "Content-Type"}) {
      Message message = with(name, value);

      assertThatThrownBy(() -> MessageLimits.DEFAULTS.check(message))
          .isInstanceOf(InvalidMessageException.class)
          .hasMessageContaining("header '" + name + "' of ")
          .hasMessageContaining("(expected: type/subtype, e.g. application/json)");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json",
        "text/plain;charset=utf-8",
        "text/plain ; charset=\"utf-8\"; format=flowed",
        "application/vnd.shop+json",
        "application/x-protobuf"
      })
  void takesWhatIsOne(String value) {
    Message message = with("content-type", value);

    assertThatCode(() -> MessageLimits.DEFAULTS.check(message)).doesNotThrowAnyException();
  }
}
