package io.angarium.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.half.intake.IntakeTopic;
import io.angarium.jdbc.JdbcIntakeTopics;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;

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
            "angarium.server.kafka-intake.businesses=*",
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

  @Test
  void moreTopicsThanAPageAreSeenAndChangedAllTheSame() {
    JdbcIntakeTopics topics = server.bean(JdbcIntakeTopics.class);
    List<String> names = IntStream.range(1_000, 2_005).mapToObj(i -> "z-many-" + i).toList();
    JdbcTemplate jdbc = new JdbcTemplate(server.bean(DataSource.class));
    names.forEach(name -> jdbc.update("INSERT INTO outbox_intake_topic (topic) VALUES (?)", name));
    try {
      String first = call(ServerUnderTest.KEY, "GET", ALL, "").body();
      String after = first.replaceFirst(".*\"last\":\"([^\"]+)\"}", "$1");
      String second = call(ServerUnderTest.KEY, "GET", ALL + "?after=" + after, "").body();
      assertThat(first.split("\"topic\":", -1)).hasSize(1_001);
      assertThat(second)
          .contains("\"topic\":\"z-many-2004\"", "\"last\":null")
          .doesNotContain(after);
      assertThat(call(ServerUnderTest.KEY, "GET", ALL + "?after=z-many-1000&limit=2", "").body())
          .contains("z-many-1001", "\"last\":\"z-many-1002\"")
          .doesNotContain("z-many-1000", "z-many-1003");
      assertThat(
              call(ServerUnderTest.KEY, "PUT", ALL + "/z-many-2004", "{\"enabled\":false}").body())
          .contains("\"enabled\":false", "\"createdAt\":\"20");
      assertThat(call(ServerUnderTest.KEY, "PUT", ALL + "/one-more", ""))
          .satisfies(
              answer -> {
                assertThat(answer.statusCode()).isEqualTo(422);
                assertThat(answer.body())
                    .contains("\"code\":\"INVALID\"", "topics: 1000 are registered", "remove some");
              });
    } finally {
      names.forEach(topics::remove);
    }
  }

  @Test
  void lastPageThatIsFullIsTheLast() {
    JdbcIntakeTopics topics = server.bean(JdbcIntakeTopics.class);
    List<String> names = List.of("zz-1", "zz-2", "zz-3");
    names.forEach(name -> topics.register(IntakeTopic.of(name)));
    try {
      assertThat(call(ServerUnderTest.KEY, "GET", ALL + "?after=zz-1&limit=2", "").body())
          .contains("zz-2", "zz-3", "\"last\":null");
      assertThat(call(ServerUnderTest.KEY, "GET", ALL + "?after=zz-&limit=2", "").body())
          .contains("zz-1", "\"last\":\"zz-2\"");
      assertThat(call(ServerUnderTest.KEY, "GET", ALL + "?after=zz-3&limit=2", "").body())
          .isEqualTo("{\"topics\":[],\"last\":null}");
    } finally {
      names.forEach(topics::remove);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"%00", "a%0Ab", "LONG"})
  void pageAfterWhatCanBeNoNameIsRefused(String after) {
    String path = ALL + "?after=" + after.replace("LONG", "x".repeat(250));

    HttpResponse<String> answer = call(ServerUnderTest.KEY, "GET", path, "");

    assertThat(answer.statusCode()).isEqualTo(422);
    assertThat(answer.body()).contains("\"code\":\"INVALID\"", "after: ", "at most 249");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1_001})
  void pageOfAnotherSizeIsRefused(int limit) {
    HttpResponse<String> answer = call(ServerUnderTest.KEY, "GET", ALL + "?limit=" + limit, "");

    assertThat(answer.statusCode()).isEqualTo(422);
    assertThat(answer.body()).contains("limit: " + limit + " (expected: 1..1000)");
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
