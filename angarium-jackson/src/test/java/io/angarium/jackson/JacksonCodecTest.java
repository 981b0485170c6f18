package io.angarium.jackson;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.jsontype.BasicPolymorphicTypeValidator;
import io.angarium.ConfigurationException;
import io.angarium.PayloadCodec;
import io.angarium.PayloadException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

class JacksonCodecTest {
  record OrderPaid(long order, String currency) {}

  record Loop(Object self) {
    public Loop getSelf() {
      return this;
    }
  }

  static Stream<PayloadCodec> codecs() {
    return Stream.of(
        new Jackson2Codec(new ObjectMapper()), new Jackson3Codec(JsonMapper.builder().build()));
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void objectSurvivesTheWayToBytesAndBack(PayloadCodec codec) {
    byte[] bytes = codec.encode(new OrderPaid(4711, "EUR"));

    assertThat(new String(bytes, UTF_8)).isEqualTo("{\"order\":4711,\"currency\":\"EUR\"}");
    assertThat(codec.decode(bytes, OrderPaid.class)).isEqualTo(new OrderPaid(4711, "EUR"));
    assertThat(codec.contentType()).isEqualTo("application/json");
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void unreadableBytesAreRefusedByTypeAndSizeWithoutTheirContent(PayloadCodec codec) {
    byte[] broken = "{\"order\":\"card 4111\"".getBytes(UTF_8);

    assertThatThrownBy(() -> codec.decode(broken, OrderPaid.class))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining("20 bytes")
        .hasMessageContaining("OrderPaid")
        .hasMessageNotContaining("4111")
        .hasCauseInstanceOf(Exception.class);
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void jsonNullIsRefused(PayloadCodec codec) {
    assertThatThrownBy(() -> codec.decode("null".getBytes(UTF_8), OrderPaid.class))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining("JSON null");
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void unwritableObjectIsRefusedByItsClass(PayloadCodec codec) {
    assertThatThrownBy(() -> codec.encode(new Loop("x")))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining("Loop");
  }

  @Test
  void mapperThatLetsMessagesChooseClassesIsRefused() {
    ObjectMapper jackson2 =
        new ObjectMapper()
            .activateDefaultTyping(
                BasicPolymorphicTypeValidator.builder().allowIfBaseType(Object.class).build());
    JsonMapper jackson3 =
        JsonMapper.builder()
            .activateDefaultTyping(
                tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator.builder()
                    .allowIfBaseType(Object.class)
                    .build())
            .build();

    assertThatThrownBy(() -> new Jackson2Codec(jackson2))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("default typing is on");
    assertThatThrownBy(() -> new Jackson3Codec(jackson3))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("default typing is on");
  }
}
