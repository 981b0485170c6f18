package io.angarium.http.half;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.WhenUnknown;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HalfFormatTest {
  private static final HalfKey KEY = new HalfKey("order-paid", "4711");

  @Test
  void everyCharacterOfAKeyComesThroughAPath() {
    String all =
        IntStream.range(1, 0x3000)
            .filter(c -> !Character.isSurrogate((char) c))
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .append("\ud83d\ude00")
            .toString();
    for (int start = 0; start < all.length(); start += 100) {
      String part = all.substring(start, Math.min(start + 100, all.length()));
      HalfKey key = new HalfKey("b" + part, "k" + part);

      String path = HalfWireFormat.path(key);

      assertThat(URI.create("http://h" + path).getRawPath()).isEqualTo(path);
      assertThat(path.substring(HalfWireFormat.PATH.length() + 1)).matches("[^/?#;]+/[^/?#;]+");
      assertThat(HalfWireFormat.key(path)).isEqualTo(key);
      assertThat(HalfWireFormat.key("/base" + path + "/commit")).isEqualTo(key);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {".", "..", "a/b", "a%2Fb", "50%", " a ", "a+b", "commit", "\u8ba2\u5355"})
  void awkwardKeyComesThroughAPath(String text) {
    HalfKey key = new HalfKey(text, text);

    String path = HalfWireFormat.path(key);

    assertThat(URI.create("http://h" + path).normalize().getRawPath()).isEqualTo(path);
    assertThat(HalfWireFormat.key(path)).isEqualTo(key);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/v1/half-messages/order",
        "/v1/half-messages/order/1/commit/2",
        "/elsewhere/order/1",
        "/v1/half-messages/order/%zz",
        "/v1/half-messages/order/%4",
        "/v1/half-messages/order/%FF",
        "/v1/half-messages/order/%C3",
        "/v1/half-messages/order/%00",
        "/v1/half-messages/order/",
        "/v1/half-messages/order/\u00e9"
      })
  void pathThatIsNoneIsToldAndNotGuessed(String path) {
    assertThatThrownBy(() -> HalfWireFormat.key(path)).isInstanceOf(InvalidMessageException.class);
  }

  private static Map<String, List<String>> headers(String... pairs) {
    Map<String, List<String>> headers = new HashMap<>();
    headers.put("Angarium-Destination", List.of("kafka:orders"));
    for (int i = 0; i < pairs.length; i += 2) {
      headers.put(pairs[i], List.of(pairs[i + 1]));
    }
    return headers;
  }

  @Test
  void headersOfARequestMakeTheMessage() {
    HalfMessage half =
        HalfWireFormat.message(
            KEY,
            headers(
                "Angarium-Message-Key", "s%C3%BCd%2C%20west",
                "Angarium-Type", "order-paid",
                "Angarium-Created-By", "shop",
                "Angarium-Business-Type", "order",
                "Angarium-Business-Key", "47%2011",
                "Angarium-Delay", "PT30M",
                "Angarium-Check-Back", "http://shop:8080/c?a=b%2520c",
                "Angarium-Headers", "tenant=s%C3%BCd, list=a%2Cb%3Dc",
                "Content-Type", "text/plain; charset=utf-8",
                "traceparent", "00-1-2-01",
                "User-Agent", "curl"),
            "hello".getBytes(UTF_8));

    Message expected =
        Message.of("kafka:orders", "hello".getBytes(UTF_8))
            .key("s\u00fcd, west")
            .type("order-paid")
            .createdBy("shop")
            .business("order", "47 11")
            .header("content-type", "text/plain; charset=utf-8")
            .header("traceparent", "00-1-2-01")
            .header("tenant", "s\u00fcd")
            .header("list", "a,b=c");
    assertThat(half.message()).usingRecursiveComparison().isEqualTo(expected);
    assertThat(half.delay()).isEqualTo(Duration.ofMinutes(30));
    assertThat(half.checkBack()).isEqualTo(URI.create("http://shop:8080/c?a=b%20c"));
  }

  @ParameterizedTest
  @CsvSource({
    "Angarium-Message-Key, s\u00fcd",
    "Angarium-Message-Key, 50%",
    "Angarium-Delay, 30m",
    "Angarium-Not-Before, tomorrow",
    "Angarium-Check-Back, a%20b",
    "Angarium-Check-Back, /relative",
    "Angarium-Business-Type, alone",
    "Angarium-Headers, novalue",
    "Angarium-Destination, ''",
  })
  void wrongHeaderIsTold(String name, String value) {
    assertThatThrownBy(() -> HalfWireFormat.message(KEY, headers(name, value), new byte[0]))
        .isInstanceOf(InvalidMessageException.class);
  }

  @Test
  void missingDestinationIsTold() {
    assertThatThrownBy(() -> HalfWireFormat.message(KEY, Map.of(), new byte[0]))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("angarium-destination");
  }

  @Test
  void everyPartOfACallComesThroughABatch() {
    Message message =
        Message.of("rocketmq:orders:paid", new byte[] {0, -1, 7, '"'})
            .key("s\u00fcd\n\"")
            .type("order-paid")
            .createdBy("shop")
            .business("order", "47\\11 ")
            .header("tenant", "\u8ba2\u5355\r\n\t")
            .header("empty", "");
    Instant due = Instant.parse("2061-07-28T12:00:00.123456789Z");
    URI checkBack = URI.create("http://shop:8080/c?a=b%20c&d=%22");
    List<HalfCall> calls =
        List.of(
            new HalfCall.Prepare(
                new HalfMessage(KEY, message, Duration.ofMillis(1_501), checkBack)),
            new HalfCall.Prepare(
                HalfMessage.of(new HalfKey("b/\u0001", "\ud83d\ude00"), message.notBefore(due))),
            new HalfCall.Commit(KEY, WhenUnknown.REFUSE),
            new HalfCall.Commit(KEY, WhenUnknown.REMEMBER),
            new HalfCall.Rollback(KEY, WhenUnknown.REFUSE),
            new HalfCall.Rollback(KEY, WhenUnknown.REMEMBER));

    List<HalfCall> read =
        HalfJson.readCalls(HalfJson.batch(calls.stream().map(HalfJson::call).toList()));

    assertThat(read).usingRecursiveComparison().isEqualTo(calls);
  }

  private static byte[] calls(String... calls) {
    return ("{\"calls\":[" + String.join(",", calls) + "]}").getBytes(UTF_8);
  }

  private static String call(String more) {
    return "{\"business\":\"b\",\"key\":\"k\"" + (more.isEmpty() ? "" : "," + more) + "}";
  }

  @Test
  void payloadMayBeTextAndMayBeLeftOut() {
    List<HalfCall> read =
        HalfJson.readCalls(
            calls(
                call("\"step\":\"prepare\",\"destination\":\"kafka:o\",\"text\":\"h\u00e9 \\\"\""),
                call("\"step\":\"prepare\",\"destination\":\"kafka:o\"")));

    assertThat(read)
        .extracting(each -> ((HalfCall.Prepare) each).message().message().payload())
        .containsExactly("h\u00e9 \"".getBytes(UTF_8), new byte[0]);
  }

  @Test
  void everyWrongCallIsToldByItsNumber() {
    String prepare = "\"step\":\"prepare\",\"destination\":\"kafka:o\"";

    InvalidCallsException wrong =
        catchThrowableOfType(
            InvalidCallsException.class,
            () ->
                HalfJson.readCalls(
                    calls(
                        call("\"step\":\"commit\""),
                        call("\"step\":\"sell\""),
                        call(prepare + ",\"destinaton\":{\"a\":[1]}"),
                        call(prepare + ",\"payload\":\"!!\""),
                        call(prepare + ",\"payload\":\"\",\"text\":\"\""),
                        call(prepare + ",\"headers\":[1]"),
                        call(prepare + ",\"headers\":{\"a\":1,\"b\":{\"c\":2}}"),
                        call(prepare + ",\"type\":7"),
                        call("\"step\":\"commit\",\"whenUnknown\":\"guess\""),
                        "{\"step\":\"commit\",\"business\":\"b\",\"key\":\"\"}",
                        "{\"step\":\"commit\",\"business\":\"b\"}",
                        call(prepare + ",\"text\":\"ab\\ud83d\""),
                        call("\"step\":\"rollback\""))));

    assertThat(wrong.faults()).containsOnlyKeys(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    assertThat(wrong.faults().get(11)).contains("text with half a surrogate pair at 2");
    assertThat(wrong)
        .hasMessageContaining("call 1: step: 'sell' (expected: prepare, commit or rollback)")
        .hasMessageContaining("call 2: unknown field 'destinaton'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{}",
        "{\"keys\":[]}",
        "{\"calls\":{}}",
        "{\"calls\":[1]}",
        "{\"calls\":[]} more",
        "{\"calls\":[],\"more\":1}",
        "{\"calls\":[{\"step\":\"commit\"",
        "{\"calls\":[{\"headers\":{{{{{{{{{{{{{{{{{{{{{{"
      })
  void bodyThatIsNoneIsToldAsAWhole(String body) {
    InvalidCallsException wrong =
        catchThrowableOfType(
            InvalidCallsException.class, () -> HalfJson.readCalls(body.getBytes(UTF_8)));

    assertThat(wrong.faults()).isEmpty();
    assertThat(wrong).hasMessageContaining("expected: a JSON object with an array 'calls'");
  }

  @Test
  void moreCallsThanAllowedAreRefused() {
    String[] many = new String[HalfJson.CALLS_MAX + 1];
    Arrays.fill(many, call("\"step\":\"commit\""));

    assertThatThrownBy(() -> HalfJson.readCalls(calls(many)))
        .isInstanceOf(InvalidCallsException.class)
        .hasMessageContaining("more than 500");
  }

  /** Names are kept to find repeated ones, and each costs ten times its bytes. */
  @ParameterizedTest
  @ValueSource(strings = {"%s", "\"x\":{%s}", "\"headers\":{\"h\":{%s}}"})
  void requestOfTooManyTokensIsRefused(String where) {
    StringBuilder names = new StringBuilder("\"n\":1");
    for (int i = 0; i < LimitedParser.TOKENS_MAX; i++) {
      names.append(",\"").append(i).append("\":1");
    }
    byte[] body = ("{\"calls\":[{" + where.formatted(names) + "}]}").getBytes(UTF_8);

    assertThatThrownBy(() -> HalfJson.readCalls(body))
        .isInstanceOf(InvalidCallsException.class)
        .hasMessageContaining("more than " + LimitedParser.TOKENS_MAX);
  }
}
