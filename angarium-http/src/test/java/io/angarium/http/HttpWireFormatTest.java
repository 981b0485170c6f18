package io.angarium.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Destination;
import io.angarium.Headers;
import io.angarium.Message;
import io.angarium.http.internal.url.PercentEncoding;
import io.angarium.http.signature.HttpSignature;
import io.angarium.intake.StoredMessage;
import io.angarium.transport.SendResult;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What really arrives at a receiver. */
class HttpWireFormatTest {
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  private final HookServer server = new HookServer().on("/hook", 204, "");
  private final HttpTransport transport =
      HttpTransport.open(
          HttpConfig.of(
                  HttpHook.of("plain", server.url("/hook")),
                  HttpHook.of("signed", server.url("/hook"))
                      .secrets(List.of(SECRET))
                      .headers(Map.of("Authorization", "Bearer 4711")))
              .source("https://shop.example/orders"));

  @AfterEach
  void close() {
    transport.close();
    server.close();
  }

  private HookServer.Request arrived(Message message) {
    return arrived(Messages.of(message));
  }

  private HookServer.Request arrived(StoredMessage message) {
    assertThat(Messages.result(transport, message)).isEqualTo(SendResult.ACKNOWLEDGED);
    assertThat(server.posts()).hasSize(1);
    return server.posts().get(0);
  }

  private static Message to(String hook) {
    return Message.of(new Destination("http", hook), "{\"id\":1}".getBytes(UTF_8));
  }

  @Test
  void messageIsACloudEventInBinaryMode() {
    StoredMessage sent =
        Messages.of(
            to("plain")
                .key("order 42")
                .type("order-paid")
                .business("order", "42%")
                .header("tenant", "eu")
                .header("subject", "42")
                .header("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
                .header("X-Shop-Id", "7,8=9"));

    HookServer.Request request = arrived(sent);

    assertThat(request.method()).isEqualTo("POST");
    assertThat(request.body()).isEqualTo(sent.message().payload());
    assertThat(request.header("Content-type")).isEqualTo("application/json");
    assertThat(request.header("Ce-id")).isEqualTo(sent.id().toString());
    assertThat(request.header("Ce-source")).isEqualTo("https://shop.example/orders");
    assertThat(request.header("Ce-specversion")).isEqualTo("1.0");
    assertThat(request.header("Ce-type")).isEqualTo("order-paid");
    assertThat(request.header("Ce-time")).isEqualTo("2024-06-10T02:35:18.400Z");
    assertThat(request.header("Ce-partitionkey")).isEqualTo("order%2042");
    assertThat(request.header("Angarium-business-type")).isEqualTo("order");
    assertThat(request.header("Angarium-business-key")).isEqualTo("42%25");
    assertThat(request.header("Ce-tenant")).isEqualTo("eu");
    assertThat(request.header("Ce-subject")).isEqualTo("42");
    assertThat(request.header("Traceparent")).endsWith("-00f067aa0ba902b7-01");
    assertThat(request.header("Angarium-headers")).isEqualTo("X-Shop-Id=7%2C8%3D9");
    assertThat(request.headers()).doesNotContainKeys("Webhook-id", "Webhook-signature", "Upgrade");
  }

  @Test
  void messageWithoutPartsHasNoneButATypeAsCloudEventsDemand() {
    HookServer.Request request = arrived(to("plain"));

    assertThat(request.header("Ce-type")).isEqualTo("angarium.message");
    assertThat(request.headers())
        .doesNotContainKeys(
            "Ce-partitionkey",
            "Angarium-headers",
            "Angarium-business-type",
            "Angarium-business-key",
            "Traceparent");
  }

  @ParameterizedTest
  @ValueSource(strings = {"content-type", "Content-Type"})
  void contentTypeOfTheMessageWins(String name) {
    HookServer.Request request = arrived(to("plain").header(name, "text/xml; charset=utf-8"));

    assertThat(request.header("Content-type")).isEqualTo("text/xml; charset=utf-8");
    assertThat(HttpWireFormat.headers(request.headers())).isEqualTo(Headers.EMPTY);
  }

  @Test
  void receiverChecksTheSignatureOfWhatArrived() {
    HookServer.Request request = arrived(to("signed"));

    HttpSignature signature = HttpSignature.of(List.of(SECRET));
    assertThat(request.header("Webhook-id")).isEqualTo(request.header("Ce-id"));
    assertThat(request.header("Authorization")).isEqualTo("Bearer 4711");
    assertThat(
            signature.verify(
                request.header("Webhook-id"),
                request.header("Webhook-timestamp"),
                request.header("Webhook-signature"),
                request.body(),
                Instant.now()))
        .isTrue();
  }

  @Test
  void headersOfAllScriptsArrive() {
    Message message = to("plain").key(allScripts()).type(allScripts());
    for (String name :
        List.of("plain", "UPPER", "x-y", "x_y", "\u5934", "\u0639", "a.b", "a=b", "a,b", "a%41")) {
      message = message.header(name, allScripts() + name);
    }
    message = message.header("empty", "").header("id", "mine").header("twentyoneletterslong1", "x");

    HookServer.Request request = arrived(message);

    assertThat(HttpWireFormat.headers(request.headers())).isEqualTo(message.headers());
    assertThat(HttpWireFormat.decode(request.header("Ce-partitionkey"))).isEqualTo(message.key());
    assertThat(HttpWireFormat.decode(request.header("Ce-type"))).isEqualTo(message.type());
    assertThat(request.header("Ce-id")).isNotEqualTo("mine");
    assertThat(request.headers().values().toString()).matches("[\\x20-\\x7E]+");
  }

  /** Each printable ASCII character, controls, and some of scripts near and far. */
  private static String allScripts() {
    String ascii =
        IntStream.range(1, 128).mapToObj(Character::toString).collect(Collectors.joining());
    return ascii + " \u00e4\u00df\u20ac \u8ba2\u5355 \u0627\u0644 \u0e01 a\u0308 \ud83d\udce8 ";
  }

  @Test
  void headersCannotBeInjected() {
    HookServer.Request request =
        arrived(to("plain").header("a", "1\r\nx-injected: 1").header("b\u0085c", "\r\n\r\nBODY"));

    assertThat(request.headers()).doesNotContainKey("X-injected");
    assertThat(request.body()).hasSize(8);
  }

  @ParameterizedTest
  @CsvSource({
    "'Euro \u20ac \ud83d\ude00', Euro%20%E2%82%AC%20%F0%9F%98%80", // the example of the binding
    "'100%', 100%25",
    "'say \"hi\"', say%20%22hi%22",
    "a~!#$&'''()*+-./:;<=>?@[]^_`{|}, a~!#$&'''()*+-./:;<=>?@[]^_`{|}",
    "'\u007f', %7F"
  })
  void encodesAsTheBindingDemands(String text, String encoded) {
    assertThat(PercentEncoding.encode(text)).isEqualTo(encoded);
    assertThat(HttpWireFormat.decode(encoded)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "a%e2%82%acb, a\u20acb", // lower case digits
    "%41%5A, AZ", // what need not be encoded
    "'\"quo\\\"ted%20\"', 'quo\"ted '", // old senders
    "100%, 100%",
    "%4, %4",
    "%zz, %zz",
    "%, %",
    "'', ''"
  })
  void decodesWhatOthersWrite(String encoded, String text) {
    assertThat(HttpWireFormat.decode(encoded)).isEqualTo(text);
  }
}
