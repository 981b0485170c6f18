package io.angarium.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.half.Verdict;
import io.angarium.http.check.CheckBackEndpoint;
import io.angarium.http.half.HalfWireFormat;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The server asks producers that have gone silent, over real HTTP. */
class ServerCheckBackTest {
  private final Map<String, Verdict> verdicts = new ConcurrentHashMap<>();
  private final HookReceiver consumer = new HookReceiver();
  private HttpServer producer;
  private ServerUnderTest server;

  @BeforeEach
  void start() throws IOException {
    CheckBackEndpoint endpoint =
        new CheckBackEndpoint(
            Map.of("7", key -> verdicts.getOrDefault(key.key(), Verdict.IN_FLIGHT)));
    producer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    producer.createContext(
        "/check-back",
        exchange -> {
          try (exchange) {
            String question = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
            CheckBackEndpoint.Reply reply = endpoint.answer(question);
            byte[] body = reply.body().getBytes(UTF_8);
            exchange.sendResponseHeaders(reply.status(), body.length);
            exchange.getResponseBody().write(body);
          }
        });
    producer.start();
    String receiver = URI.create(consumer.url()).getAuthority();
    server =
        ServerUnderTest.open(
            "angarium.http.allowed-hosts=" + receiver,
            "angarium.half.check.first=1s",
            "angarium.half.check.min-pause=100ms",
            "angarium.half.check.unreachable-max-pause=200ms",
            "angarium.half.check.unknown-max=2",
            "angarium.half.check.allowed-hosts=" + host());
  }

  @AfterEach
  void stop() {
    server.close();
    producer.stop(0);
    consumer.close();
  }

  private String host() {
    return "127.0.0.1:" + producer.getAddress().getPort();
  }

  private HalfKey prepare(String key) {
    HalfKey half = new HalfKey("7", key);
    server
        .half()
        .prepare(
            HalfMessage.of(half, Message.of("http:" + consumer.url(), key.getBytes(UTF_8)))
                .checkBack(URI.create("http://" + host() + "/check-back")));
    return half;
  }

  private void awaitState(HalfKey key, HalfState state) {
    HalfMessages half = server.bean(HalfMessages.class);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (half.state(key) != state) {
      assertThat(System.nanoTime()).as("%s is %s", key, half.state(key)).isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }

  @Test
  void whatTheProducerAnswersDecides() {
    verdicts.put("committed", Verdict.COMMITTED);
    verdicts.put("rolled back", Verdict.ROLLED_BACK);
    HalfKey committed = prepare("committed");
    HalfKey rolledBack = prepare("rolled back");
    HalfKey open = prepare("in flight");

    awaitState(committed, HalfState.COMMITTED);
    awaitState(rolledBack, HalfState.ROLLED_BACK);
    assertThat(server.bean(HalfMessages.class).state(open)).isEqualTo(HalfState.PREPARED);
    verdicts.put("in flight", Verdict.COMMITTED);
    awaitState(open, HalfState.COMMITTED);

    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (consumer.received().size() < 2) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
    assertThat(consumer.received()).containsExactlyInAnyOrder("committed", "in flight");
  }

  @Test
  void nothingIsGuessedWhenTheProducerDoesNotKnow() {
    verdicts.put("lost", Verdict.UNKNOWN);

    HalfKey key = prepare("lost");

    awaitState(key, HalfState.UNRESOLVED);
    assertThat(consumer.received()).isEmpty();
  }

  @Test
  void aPersonDecidesWhatNobodyKnows() {
    verdicts.put("lost/1", Verdict.UNKNOWN);
    HalfKey key = prepare("lost/1");
    awaitState(key, HalfState.UNRESOLVED);

    JsonNode page = json(server.request("/v1/unresolved"));
    JsonNode decided =
        decide(key, "{\"step\":\"commit\",\"by\":\"Ada\",\"reason\":\"the order is paid\"}");
    JsonNode details = json(server.request(HalfWireFormat.path(key) + "/details"));

    assertThat(page.at("/messages/0/key/key").asString()).isEqualTo("lost/1");
    assertThat(page.at("/messages/0/check/last").asString()).isEqualTo("UNKNOWN");
    assertThat(decided.get("state").asString()).isEqualTo("COMMITTED");
    assertThat(details.at("/message/state").asString()).isEqualTo("COMMITTED");
    assertThat(details.at("/acts/0/by").asString()).isEqualTo("local: Ada");
    assertThat(details.at("/acts/0/reason").asString()).isEqualTo("the order is paid");
    assertThat(json(server.request("/v1/unresolved")).get("messages")).isEmpty();
    assertThat(decide(key, "{\"step\":\"rollback\",\"reason\":\"r\"}").get("code").asString())
        .isEqualTo("ALREADY_COMMITTED");
  }

  /** Nobody can be asked for one, and the other is in flight without end. */
  @Test
  void aPersonSeesWhatStaysUndecided() {
    HalfKey nobody = new HalfKey("8", "nobody");
    server.half().prepare(HalfMessage.of(nobody, Message.of("log:orders", new byte[] {1})));
    prepare("open");
    String all = "/v1/undecided?older-than=PT1S";
    awaitChecked(all, 2);

    JsonNode first = json(server.request(all + "&limit=1"));
    JsonNode second = json(server.request(all + "&limit=1&after=" + first.get("last").asLong()));
    JsonNode late = json(server.request("/v1/undecided?older-than=P1D"));
    JsonNode byDefault = json(server.request("/v1/undecided"));

    assertThat(first.at("/messages/0/key/key").asString()).isEqualTo("nobody");
    assertThat(first.at("/messages/0/state").asString()).isEqualTo("PREPARED");
    assertThat(first.at("/messages/0/address").isNull()).isTrue();
    assertThat(first.at("/messages/0/check/last").asString()).isEqualTo("UNREACHABLE");
    assertThat(first.at("/messages/0/check/reason").asString()).contains("register one");
    assertThat(second.at("/messages/0/key/key").asString()).isEqualTo("open");
    assertThat(second.at("/messages/0/address").asString()).contains("/check-back");
    assertThat(second.at("/messages/0/check/last").asString()).isEqualTo("IN_FLIGHT");
    assertThat(late.get("messages")).isEmpty();
    assertThat(byDefault.get("messages")).isEmpty();
    for (String wrong : List.of("soon", "-PT1S", "P366D")) {
      JsonNode problem = json(server.request("/v1/undecided?older-than=" + wrong));
      assertThat(problem.get("status").asInt()).as(wrong).isEqualTo(422);
    }
  }

  private void awaitChecked(String path, int count) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    String page = server.send(server.request(path)).body();
    while (page.split("\"last\":\"", -1).length <= count) {
      assertThat(System.nanoTime()).as(page).isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
      page = server.send(server.request(path)).body();
    }
  }

  @Test
  void aBodyThatIsNoDecisionIsRefused() {
    HalfKey key = prepare("1");

    for (String body : List.of("null", "", "[]", "{\"step\":")) {
      JsonNode problem = decide(key, body);
      assertThat(problem.get("status").asInt()).as(body).isEqualTo(422);
      assertThat(problem.get("detail").asString()).as(body).contains("no decision");
    }
  }

  @Test
  void aDecisionNeedsAReasonAndAStep() {
    HalfKey key = prepare("1");

    assertThat(decide(key, "{\"step\":\"commit\"}").get("detail").asString()).contains("reason");
    assertThat(decide(key, "{\"step\":\"commit\",\"reason\":\" \"}").get("status").asInt())
        .isEqualTo(422);
    assertThat(decide(key, "{\"reason\":\"r\"}").get("detail").asString()).contains("resume");
    assertThat(server.bean(HalfMessages.class).state(key)).isEqualTo(HalfState.PREPARED);
  }

  private JsonNode decide(HalfKey key, String json) {
    return json(
        server
            .request(HalfWireFormat.path(key) + "/decision")
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(json)));
  }

  private JsonNode json(HttpRequest.Builder request) {
    return JsonMapper.shared().readTree(server.send(request).body());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"step\":\"commit\",\"by\":\"ann\",\"reason\":\"half \\ud800\"}",
        "{\"step\":\"commit\",\"by\":\"\\udc00\",\"reason\":\"paid\"}",
        "{\"step\":\"commit\",\"by\":\"ann\",\"raeson\":\"x\",\"reason\":\"paid\"}",
      })
  void decisionThatCannotBeStoredAsItIsMadeIsRefused(String decision) {
    HalfKey key = new HalfKey("7", "surrogate");
    server.half().prepare(HalfMessage.of(key, Message.of("log:orders", new byte[] {1})));

    assertThat(decide(key, decision).path("code").asString()).isEqualTo("INVALID");
    assertThat(server.bean(HalfMessages.class).state(key)).isEqualTo(HalfState.PREPARED);
  }

  @Test
  void anAddressThatMustNotBeAskedIsRefusedAtOnce() {
    HalfMessage elsewhere =
        HalfMessage.of(new HalfKey("7", "1"), Message.of("log:orders", new byte[] {1}))
            .checkBack(URI.create("http://169.254.169.254/latest/meta-data/"));
    HalfMessage otherwise = elsewhere.checkBack(URI.create("ftp://producer/"));

    assertThatThrownBy(() -> server.half().prepare(elsewhere))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("169.254.169.254:80 is not allowed");
    assertThatThrownBy(() -> server.half().prepare(otherwise))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("nobody here asks over ftp");
    assertThat(server.bean(HalfMessages.class).state(elsewhere.key())).isEqualTo(HalfState.UNKNOWN);
  }
}
