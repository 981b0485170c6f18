package io.angarium.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.half.IntakeTopic;
import io.angarium.jdbc.JdbcIntakeTopics;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may register topics over HTTP, and what. No broker is needed for that. */
class IntakeTopicAccessTest {
  private static final String ALL = "/v1/intake-topics";
  private static final String KEYS = "angarium.server.api-keys.";

  private static ServerUnderTest server;

  @BeforeAll
  static void start() {
    server =
        ServerUnderTest.open(
            "angarium.kafka.enabled=true",
            "angarium.kafka.bootstrap-servers=127.0.0.1:1",
            "angarium.server.kafka-intake.registry.enabled=true",
            "angarium.server.kafka-intake.dead-letter-topic=half-dead",
            "angarium.server.kafka-intake.destinations=kafka:*",
            KEYS + "tests.hashes=" + ServerUnderTest.HASH,
            KEYS + "tests.businesses=*",
            KEYS + "tests.steps=operate",
            KEYS + "some.hashes=" + ServerUnderTest.hash("some"),
            KEYS + "some.businesses=order-*,o*",
            KEYS + "some.steps=read,operate",
            KEYS + "shop.hashes=" + ServerUnderTest.hash("shop"),
            KEYS + "shop.businesses=*",
            KEYS + "shop.destinations=*",
            KEYS + "slow.hashes=" + ServerUnderTest.hash("slow"),
            KEYS + "slow.businesses=*",
            KEYS + "slow.steps=operate",
            KEYS + "slow.rate=1");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static HttpResponse<String> call(
      @Nullable String key, String method, String path, String body) {
    var request = server.request(path).method(method, BodyPublishers.ofString(body));
    if (key != null) {
      request.header("Authorization", "Bearer " + key);
    }
    return server.send(request);
  }

  private static List<IntakeTopic> registered() {
    return server.bean(JdbcIntakeTopics.class).all();
  }

  @Test
  void onlyWhoOperatesAllBusinessesSeesAndChangesTheRegistry() {
    for (String method : List.of("GET", "PUT", "DELETE")) {
      String path = method.equals("GET") ? ALL : ALL + "/stolen";
      assertThat(call(null, method, path, "").statusCode()).isEqualTo(401);
      assertThat(call("some", method, path, ""))
          .satisfies(
              answer -> {
                assertThat(answer.statusCode()).isEqualTo(403);
                assertThat(answer.body()).contains("NOT_PERMITTED", KEYS + "some.businesses");
              });
      assertThat(call("shop", method, path, ""))
          .satisfies(
              answer -> {
                assertThat(answer.statusCode()).isEqualTo(403);
                assertThat(answer.body()).contains("NOT_PERMITTED", KEYS + "shop.steps");
              });
    }
    assertThat(registered()).extracting(IntakeTopic::topic).doesNotContain("stolen");
    assertThat(IntStream.range(0, 20).map(i -> call("slow", "GET", ALL, "").statusCode()))
        .startsWith(200)
        .contains(429);
  }

  @Test
  void topicIsRegisteredChangedListedAndRemoved() {
    String one = ALL + "/half.orders_1-a";
    String body = "{\"onlyMarked\":true,\"enabled\":false,\"by\":\"Ada\"}";

    assertThat(call(ServerUnderTest.KEY, "PUT", one, "").body())
        .contains("\"onlyMarked\":false,\"enabled\":true,\"registeredBy\":\"tests\"");
    assertThat(call(ServerUnderTest.KEY, "PUT", one, body).body())
        .contains("\"onlyMarked\":true,\"enabled\":false,\"registeredBy\":\"tests: Ada\"");

    assertThat(call(ServerUnderTest.KEY, "GET", ALL, "").body())
        .contains(
            "{\"topic\":\"half.orders_1-a\",\"onlyMarked\":true,\"enabled\":false,"
                + "\"registeredBy\":\"tests: Ada\",\"createdAt\":\"20");
    assertThat(call(ServerUnderTest.KEY, "DELETE", one, "").body())
        .isEqualTo("{\"topic\":\"half.orders_1-a\",\"removed\":true}");
    assertThat(registered()).extracting(IntakeTopic::topic).doesNotContain("half.orders_1-a");
  }

  @Test
  void whatIsNotGivenStaysAsItIsRegistered() {
    String one = ALL + "/half-kept";

    assertThat(call(ServerUnderTest.KEY, "PUT", one, "{\"onlyMarked\":true}").body())
        .contains("\"onlyMarked\":true,\"enabled\":true");
    assertThat(call(ServerUnderTest.KEY, "PUT", one, "{\"enabled\":false}").body())
        .contains("\"onlyMarked\":true,\"enabled\":false");
    assertThat(call(ServerUnderTest.KEY, "PUT", one, "").body())
        .contains("\"onlyMarked\":true,\"enabled\":false");
    assertThat(call(ServerUnderTest.KEY, "PUT", one, "{\"onlyMarked\":false}").body())
        .contains("\"onlyMarked\":false,\"enabled\":false");
    assertThat(registered())
        .filteredOn(topic -> topic.topic().equals("half-kept"))
        .singleElement()
        .satisfies(topic -> assertThat(topic.onlyMarked() || topic.enabled()).isFalse());
  }

  @ParameterizedTest
  @ValueSource(strings = {"a%20b", "half-dead", "__consumer_offsets", "%C3%A4", "a*"})
  void whatCannotBeRegisteredIsRefusedWithTheReason(String topic) {
    HttpResponse<String> answer = call(ServerUnderTest.KEY, "PUT", ALL + "/" + topic, "");

    assertThat(answer.statusCode()).isEqualTo(422);
    assertThat(answer.body()).contains("\"code\":\"INVALID\"", "topic: '", "(expected: ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"null", "[]", "{", "{\"onlymarked\":true}", "{\"onlyMarked\":\"perhaps\"}"})
  void bodyThatIsNoRegistrationIsRefused(String body) {
    HttpResponse<String> answer = call(ServerUnderTest.KEY, "PUT", ALL + "/half", body);

    assertThat(answer.statusCode()).isEqualTo(422);
    assertThat(answer.body()).contains("\"code\":\"INVALID\"", "body: no registration");
    assertThat(registered()).extracting(IntakeTopic::topic).doesNotContain("half");
  }

  @Test
  void nameOfWhoRegistersIsBounded() {
    String body = "{\"by\":\"" + "x".repeat(130) + "\"}";

    HttpResponse<String> answer = call(ServerUnderTest.KEY, "PUT", ALL + "/half", body);

    assertThat(answer.statusCode()).isEqualTo(422);
    assertThat(answer.body()).contains("registeredBy: '", "1..128 characters");
  }

  @Test
  void withoutTheRegistryThereAreNoSuchCalls() {
    try (ServerUnderTest without = ServerUnderTest.open("angarium.relay.enabled=false")) {
      assertThat(without.send(without.request(ALL)).statusCode()).isEqualTo(404);
    }
  }
}
