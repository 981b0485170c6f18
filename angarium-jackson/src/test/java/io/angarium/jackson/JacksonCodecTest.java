package io.angarium.jackson;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.jsontype.BasicPolymorphicTypeValidator;
import io.angarium.ConfigurationException;
import io.angarium.Destination;
import io.angarium.Headers;
import io.angarium.Message;
import io.angarium.PayloadCodec;
import io.angarium.PayloadException;
import java.util.Map;
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

  /** A later form of {@link OrderPaid}. */
  record OrderPaidAt(long order, String currency, Long at) {}

  /** A later form with a field that cannot be null. */
  record OrderPaidItems(long order, String currency, int items) {}

  private static final Destination ORDERS = Destination.parse("kafka:orders");

  static Stream<PayloadCodec> codecs() {
    return Stream.of(
        new Jackson2Codec(new ObjectMapper()), new Jackson3Codec(JsonMapper.builder().build()));
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void objectSurvivesTheWayToBytesAndBack(PayloadCodec codec) {
    Message message = codec.encode(ORDERS, new OrderPaid(4711, "EUR"));

    assertThat(message.destination()).isEqualTo(ORDERS);
    assertThat(new String(message.payload(), UTF_8))
        .isEqualTo("{\"order\":4711,\"currency\":\"EUR\"}");
    assertThat(message.headers()).isEqualTo(Headers.of(Map.of("content-type", "application/json")));
    assertThat(codec.decode(message.headers(), message.payload(), OrderPaid.class))
        .isEqualTo(new OrderPaid(4711, "EUR"));
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void unreadableBytesAreRefusedByTypeAndSizeWithoutTheirContent(PayloadCodec codec) {
    byte[] broken = "{\"order\":\"card 4111\"".getBytes(UTF_8);

    assertThatThrownBy(() -> codec.decode(Headers.EMPTY, broken, OrderPaid.class))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining("20 bytes")
        .hasMessageContaining("OrderPaid")
        .hasMessageNotContaining("4111")
        .hasCauseInstanceOf(Exception.class);
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void jsonNullIsRefused(PayloadCodec codec) {
    assertThatThrownBy(() -> codec.decode(Headers.EMPTY, "null".getBytes(UTF_8), OrderPaid.class))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining("JSON null");
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void unwritableObjectIsRefusedByItsClass(PayloadCodec codec) {
    assertThatThrownBy(() -> codec.encode(ORDERS, new Loop("x")))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining("Loop");
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void fieldOfALaterFormIsIgnoredByTheOlderOne(PayloadCodec codec) {
    byte[] later = codec.encode(ORDERS, new OrderPaidAt(1, "EUR", 99L)).payload();

    assertThat(codec.decode(Headers.EMPTY, later, OrderPaid.class))
        .isEqualTo(new OrderPaid(1, "EUR"));
  }

  @ParameterizedTest
  @MethodSource("strictCodecs")
  void fieldOfALaterFormIsIgnoredWhateverTheMapperSays(PayloadCodec codec) {
    byte[] later = codec.encode(ORDERS, new OrderPaidAt(1, "EUR", 99L)).payload();

    assertThat(codec.decode(Headers.EMPTY, later, OrderPaid.class))
        .isEqualTo(new OrderPaid(1, "EUR"));
  }

  static Stream<PayloadCodec> strictCodecs() {
    return Stream.of(
        new Jackson2Codec(
            new ObjectMapper().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)),
        new Jackson3Codec(
            JsonMapper.builder()
                .enable(tools.jackson.databind.DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .build()));
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void fieldThatAnOlderFormDoesNotHaveIsNullInTheLaterOne(PayloadCodec codec) {
    byte[] older = codec.encode(ORDERS, new OrderPaid(1, "EUR")).payload();

    assertThat(codec.decode(Headers.EMPTY, older, OrderPaidAt.class))
        .isEqualTo(new OrderPaidAt(1, "EUR", null));
  }

  @Test
  void primitiveFieldThatAnOlderFormDoesNotHaveIsZeroForJackson2AndAnErrorForJackson3() {
    byte[] older = "{\"order\":1,\"currency\":\"EUR\"}".getBytes(UTF_8);
    PayloadCodec jackson2 = new Jackson2Codec(new ObjectMapper());
    PayloadCodec jackson3 = new Jackson3Codec(JsonMapper.builder().build());

    assertThat(jackson2.decode(Headers.EMPTY, older, OrderPaidItems.class))
        .isEqualTo(new OrderPaidItems(1, "EUR", 0));
    assertThatThrownBy(() -> jackson3.decode(Headers.EMPTY, older, OrderPaidItems.class))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining("OrderPaidItems")
        .cause()
        .hasMessageContaining("FAIL_ON_NULL_FOR_PRIMITIVES");
  }

  @Test
  void mapperOfAnotherFormatIsRefused() {
    assertThatThrownBy(() -> new Jackson2Codec(new ObjectMapper(new OtherFormat2())))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("mapper: format Other (expected: JSON)");
    assertThatThrownBy(
            () -> new Jackson3Codec(new tools.jackson.databind.ObjectMapper(new OtherFormat3())))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("mapper: format Other (expected: JSON)");
  }

  private static final class OtherFormat2 extends com.fasterxml.jackson.core.JsonFactory {
    private static final long serialVersionUID = 1L;

    @Override
    public String getFormatName() {
      return "Other";
    }
  }

  private static final class OtherFormat3 extends tools.jackson.core.json.JsonFactory {
    private static final long serialVersionUID = 1L;

    @Override
    public String getFormatName() {
      return "Other";
    }
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
