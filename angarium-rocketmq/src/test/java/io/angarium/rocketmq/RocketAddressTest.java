package io.angarium.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RocketAddressTest {
  @Test
  void aTopicMayHaveATag() {
    assertThat(RocketAddress.parse("orders")).isEqualTo(new RocketAddress("orders", ""));
    assertThat(RocketAddress.parse("orders:paid")).isEqualTo(new RocketAddress("orders", "paid"));
    assertThat(RocketAddress.parse("orders:a:b")).isEqualTo(new RocketAddress("orders", "a:b"));
  }

  @Test
  void everyLegalCharacterIsTaken() {
    String legal = "abcxyzABCXYZ0189_-%|";

    assertThat(RocketAddress.parse(legal)).isEqualTo(new RocketAddress(legal, ""));
    assertThat(RocketAddress.parse("t".repeat(127))).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", ":paid", "a.b", "a b", "a/b", "ä", "`", "@", "[", "{", "orders:", "orders: "})
  void otherTextsAreNone(String text) {
    assertThat(RocketAddress.parse(text)).isNull();
    assertThat(RocketAddress.fault(text)).contains("'" + text + "'", "topic:tag");
  }

  @Test
  void aTopicOrTagThatRocketMqCannotHaveIsNone() {
    assertThat(RocketAddress.parse("t".repeat(128))).isNull();
    assertThat(RocketAddress.parse("orders:a|b")).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"SCHEDULE_TOPIC_XXXX", "RMQ_SYS_TRANS_HALF_TOPIC:paid"})
  void aTopicThatIsRocketMqsOwnIsNone(String text) {
    assertThat(RocketAddress.parse(text)).isNull();
    assertThat(RocketAddress.fault(text)).contains("none of RocketMQ's own");
  }
}
