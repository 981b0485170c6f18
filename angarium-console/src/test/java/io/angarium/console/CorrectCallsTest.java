package io.angarium.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Destination;
import io.angarium.MessageId;
import io.angarium.console.access.Grant;
import io.angarium.console.access.Operator;
import io.angarium.console.access.Right;
import io.angarium.console.settings.ConsoleSettings;
import io.angarium.desk.AuditEntry;
import io.angarium.desk.MessageActs.Correction;
import io.angarium.desk.NodeView;
import io.angarium.testkit.ManualClock;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CorrectCallsTest {
  private static final ConsoleSettings ON =
      new ConsoleSettings("1.0", false, true, true, Set.of(), null, null, null);

  private final ManualClock clock = new ManualClock(FakeDesk.NOW);
  private ConsoleUnderTest server;
  private MessageId order;
  private MessageId payment;

  @BeforeEach
  void open() {
    server = open(ON);
    order = server.desk.add("kafka:orders", "order");
    payment = server.desk.add("kafka:payments", "payment");
  }

  private ConsoleUnderTest open(ConsoleSettings settings) {
    return new ConsoleUnderTest(
        clock,
        settings,
        TestKeys.of(
            Operator.ofAll("operator", Right.OPERATOR),
            Operator.ofAll("admin", Right.ALL),
            new Operator(
                "orders", List.of(new Grant(Right.ALL, List.of("kafka:orders*"), List.of("*")))),
            new Operator(
                "accounts", List.of(new Grant(Right.ALL, List.of("*"), List.of("payment"))))));
  }

  @AfterEach
  void close() {
    server.close();
  }

  private HttpResponse<String> correct(String key, MessageId id, String parts) {
    return server.call(
        key,
        "POST",
        "default/messages/" + id.value() + "/correct",
        "{" + parts + ",\"reason\":\"misspelt\"}");
  }

  private HttpResponse<String> redirect(String key, String ids, String destination) {
    return server.call(
        key,
        "POST",
        "default/messages/redirect",
        "{\"ids\":[%s],\"destination\":\"%s\",\"reason\":\"misspelt\"}"
            .formatted(ids, destination));
  }

  private static String quoted(MessageId id) {
    return "\"" + id.value() + "\"";
  }

  private Correction onlyCorrection() {
    assertThat(server.desk.corrections).hasSize(1);
    return server.desk.corrections.get(0);
  }

  @Test
  void givenPartsChangeAndTheOthersStay() {
    HttpResponse<String> answer =
        correct(
            "admin",
            order,
            "\"destination\":\"kafka:orders-2\",\"text\":\"{\\\"a\\\":\\\"ü\\\"}\"");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).contains("\"done\":[" + quoted(order) + "]");
    Correction change = onlyCorrection();
    assertThat(change.destination()).isEqualTo(Destination.parse("kafka:orders-2"));
    assertThat(change.payload()).asString().isEqualTo("{\"a\":\"ü\"}");
    assertThat(change.headers()).isNull();
    assertThat(change.key()).isNull();
    AuditEntry entry = server.desk.entries.get(0);
    assertThat(entry.act()).isEqualTo("correct");
    assertThat(entry.by().decision().reason()).isEqualTo("misspelt");
  }

  @Test
  void bytesHeadersAndKeyChange() {
    correct(
        "admin",
        order,
        "\"base64\":\"AP8=\",\"headers\":[{\"name\":\"a\",\"value\":\"1\"}],\"key\":\"k-2\"");

    Correction change = onlyCorrection();
    assertThat(change.payload()).containsExactly(0, -1);
    assertThat(change.headers()).isNotNull();
    assertThat(change.headers().get("a")).isEqualTo("1");
    assertThat(change.key()).isEqualTo("k-2");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '|',
      value = {
        "|\"key\":null|",
        "|\"destination\":\" \"|",
        "|\"destination\":\"kafka:no topic\"|",
        "|\"text\":\"a\",\"base64\":\"YQ==\"|",
        "|\"text\":\"\\uD83D\"|",
        "|\"base64\":\"%%\"|",
        "|\"headers\":[{\"name\":\"a\"}]|",
        "|\"headers\":[{\"name\":\"a\",\"value\":\"1\"},{\"name\":\"a\",\"value\":\"2\"}]|",
        "|\"headers\":[{\"name\":\"angarium-id\",\"value\":\"1\"}]|",
        "|\"headers\":[{\"name\":\"a b\",\"value\":\"1\"}]|",
        "|\"payload\":\"a\"|"
      })
  void wrongCorrectionIsRefused(String parts) {
    HttpResponse<String> answer = correct("admin", order, parts);

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    assertThat(server.desk.dead).hasSize(2);
    assertThat(server.desk.entries).isEmpty();
  }

  @Test
  void largePayloadIsTakenAndTooLargeABodyIsNot() {
    String large = "a".repeat(900_000);

    assertThat(correct("admin", order, "\"text\":\"" + large + large + "\"").statusCode())
        .isEqualTo(413);
    assertThat(correct("admin", order, "\"text\":\"" + large + "\"").statusCode()).isEqualTo(200);
    assertThat(onlyCorrection().payload()).hasSize(900_000);
    assertThat(redirect("admin", quoted(order), "a".repeat(70_000)).statusCode()).isEqualTo(413);
  }

  @ParameterizedTest
  @CsvSource({"text", "base64", "key"})
  void partsButTheDestinationNeedTheSwitch(String part) {
    try (ConsoleUnderTest plain = open(ConsoleSettings.of("1.0"))) {
      MessageId id = plain.desk.add("kafka:ordrs", "order");
      String path = "default/messages/" + id.value() + "/correct";

      HttpResponse<String> refused =
          plain.call(
              "admin",
              "POST",
              path,
              "{\"destination\":\"kafka:orders\",\"%s\":\"YQ==\",\"reason\":\"x\"}"
                  .formatted(part));
      assertThat(refused.statusCode()).isEqualTo(403);
      assertThat(refused.body()).contains("angarium.console.correct");
      assertThat(plain.desk.dead).hasSize(1);

      HttpResponse<String> redirected =
          plain.call("admin", "POST", path, "{\"destination\":\"kafka:orders\",\"reason\":\"x\"}");
      assertThat(redirected.statusCode()).isEqualTo(200);
      assertThat(plain.call("admin", "GET", "me", null).body()).contains("\"correct\":false");
    }
    assertThat(server.call("admin", "GET", "me", null).body()).contains("\"correct\":true");
  }

  @Test
  void onlyAdministratorsCorrect() {
    assertThat(correct("operator", order, "\"destination\":\"kafka:x\"").statusCode())
        .isEqualTo(403);
    assertThat(redirect("operator", quoted(order), "kafka:x").statusCode()).isEqualTo(403);
    assertThat(server.desk.dead).hasSize(2);
  }

  /** Both ends of a way must be within the scope of the operator. */
  @Test
  void messagesAndDestinationsOutOfScopeAreRefused() {
    String orders = "\"destination\":\"kafka:orders-2\"";

    assertThat(correct("orders", payment, orders).statusCode()).isEqualTo(404);
    assertThat(correct("orders", order, "\"destination\":\"kafka:payments\"").statusCode())
        .isEqualTo(403);
    assertThat(redirect("orders", quoted(order), "kafka:payments").statusCode()).isEqualTo(403);
    assertThat(correct("accounts", order, orders).statusCode()).isEqualTo(404);
    assertThat(redirect("accounts", quoted(order), "kafka:orders-2").body())
        .contains("\"done\":[]")
        .contains("\"notFound\":[" + quoted(order) + "]");
    assertThat(server.desk.corrections).isEmpty();

    assertThat(correct("orders", order, orders).statusCode()).isEqualTo(200);
    assertThat(correct("accounts", payment, orders).statusCode()).isEqualTo(200);
  }

  @Test
  void severalLettersAreRedirectedAtOnce() {
    MessageId unknown = new MessageId(UUID.randomUUID());

    HttpResponse<String> answer =
        redirect(
            "admin",
            quoted(order) + "," + quoted(payment) + "," + quoted(unknown),
            "kafka:orders-2");

    assertThat(answer.body())
        .contains("\"done\":[" + quoted(order) + "," + quoted(payment) + "]")
        .contains("\"notFound\":[" + quoted(unknown) + "]");
    String tooMany =
        IntStream.range(0, 201)
            .mapToObj(i -> quoted(new MessageId(new UUID(1, i))))
            .collect(Collectors.joining(","));
    assertThat(redirect("admin", tooMany, "kafka:x").statusCode()).isEqualTo(400);
  }

  @Test
  void transportThatNoLiveNodeHasIsRefused() {
    server.desk.nodes.add(
        new NodeView(
            "shop-1", UUID.randomUUID(), true, Duration.ofSeconds(9), 4, List.of("http", "kafka")));

    HttpResponse<String> answer = redirect("admin", quoted(order), "kafak:orders");

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("kafak", "http, kafka");
    assertThat(redirect("admin", quoted(order), "kafka:orders-2").statusCode()).isEqualTo(200);
    assertThat(redirect("admin", quoted(payment), "handler-less").statusCode()).isEqualTo(200);
  }
}
