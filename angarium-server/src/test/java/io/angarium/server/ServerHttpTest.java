package io.angarium.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfState;
import io.angarium.http.half.HalfWireFormat;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** Single calls and problems, as programs without our client see them. */
class ServerHttpTest {
  private static final HalfKey KEY = new HalfKey("order-paid", "4711");
  private static final String PATH = HalfWireFormat.path(KEY);

  private static ServerUnderTest server;

  @BeforeAll
  static void start() {
    server =
        ServerUnderTest.open(
            "angarium.relay.enabled=false",
            "angarium.limits.payload=64KB",
            "angarium.server.request-max=128KB",
            "angarium.server.memory=1MB");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void empty() {
    JdbcTemplate jdbc = new JdbcTemplate(server.bean(DataSource.class));
    List.of("outbox_half", "outbox").forEach(table -> jdbc.execute("DELETE FROM " + table));
  }

  private static HttpResponse<String> prepare(String path, String... headers) {
    var request =
        server
            .request(path)
            .header("Angarium-Destination", "log:orders")
            .PUT(BodyPublishers.ofString("{\"paid\":true}"));
    for (int i = 0; i < headers.length; i += 2) {
      request.setHeader(headers[i], headers[i + 1]);
    }
    return server.send(request);
  }

  private static HttpResponse<String> post(String path) {
    return server.send(server.request(path).POST(BodyPublishers.noBody()));
  }

  private static HttpResponse<String> post(String path, String json) {
    return server.send(
        server
            .request(path)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(json)));
  }

  private static HttpResponse<String> get(String path) {
    return server.send(server.request(path));
  }

  private static String answer(String state) {
    return "{\"business\":\"order-paid\",\"key\":\"4711\",\"state\":\"" + state + "\"}";
  }

  @Test
  void messageIsPreparedAskedForAndCommitted() {
    HttpResponse<String> prepared = prepare(PATH, "Content-Type", "application/json");

    assertThat(prepared.statusCode()).isEqualTo(200);
    assertThat(prepared.headers().firstValue("Content-Type")).hasValue("application/json");
    assertThat(prepared.body()).isEqualTo(answer("PREPARED"));
    assertThat(get(PATH).body()).isEqualTo(answer("PREPARED"));
    assertThat(post(PATH + "/commit").body()).isEqualTo(answer("COMMITTED"));
    assertThat(post(PATH + "/commit").body()).isEqualTo(answer("COMMITTED"));
    assertThat(get(PATH).body()).isEqualTo(answer("COMMITTED"));
  }

  @Test
  void messageIsRolledBackAndStaysSo() {
    prepare(PATH);

    assertThat(post(PATH + "/rollback").body()).isEqualTo(answer("ROLLED_BACK"));

    assertProblem(post(PATH + "/commit"), 409, "ALREADY_ROLLED_BACK");
    assertProblem(prepare(PATH), 409, "ALREADY_ROLLED_BACK");
  }

  @Test
  void decisionIsRememberedWhereThatIsWanted() {
    assertProblem(post(PATH + "/commit"), 404, "UNKNOWN");
    assertProblem(post(PATH + "/rollback"), 404, "UNKNOWN");
    assertThat(get(PATH).body()).isEqualTo(answer("UNKNOWN"));

    assertThat(post(PATH + "/commit?when-unknown=remember").body())
        .isEqualTo(answer("COMMIT_REMEMBERED"));

    assertThat(prepare(PATH).body()).isEqualTo(answer("COMMITTED"));
    assertProblem(post(PATH + "/rollback"), 409, "ALREADY_COMMITTED");
    assertProblem(post(PATH + "/commit?when-unknown=guess"), 422, "INVALID");
  }

  /** A web server takes the body of a form for parameters, and reads all of it for that. */
  @Test
  void bodyOfADecisionIsNotLookedAt() {
    HttpResponse<String> form =
        server.send(
            server
                .request(PATH + "/commit")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("when-unknown=remember")));

    assertProblem(form, 404, "UNKNOWN");
    assertThat(get(PATH).body()).isEqualTo(answer("UNKNOWN"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Forwarded",
        "Via",
        "X-Forwarded-For",
        "X-Forwarded-Host",
        "X-Forwarded-Proto",
        "X-Forwarded-Port",
        "X-Real-IP"
      })
  void whatAProxySaysItForwardsIsNotServedWithoutAKey(String header) {
    assertProblem(server.send(server.request(PATH).header(header, "x")), 403, "NOT_PERMITTED");
  }

  /** Among them what web servers take for folders, parameters, or an attack. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        ".",
        "..",
        "../..",
        "a/b",
        "/",
        "//",
        "a%2Fb",
        "50%",
        "%",
        " a ",
        "a+b",
        "a;b=c",
        "a?b#c",
        "a\\b",
        "commit",
        "batch",
        "\u8ba2\u5355",
        "\ud83d\ude00",
        "\u0001\u007f",
        "a\nb",
        "a:b@c",
        "%2e%2e",
        "{business}",
        "*",
        "'\"<>",
        "\u202e"
      })
  void anyKeyIsTheSameForEveryWayIn(String text) {
    HalfKey key = new HalfKey(text, text);
    HalfKey other = new HalfKey(text, text + "x");
    server.half().prepare(HalfMessage.of(key, Message.of("log:orders", new byte[0])));

    HttpResponse<String> committed = post(HalfWireFormat.path(key) + "/commit");
    HttpResponse<String> prepared = prepare(HalfWireFormat.path(other));

    assertThat(committed.statusCode()).as(committed.body()).isEqualTo(200);
    assertThat(prepared.statusCode()).as(prepared.body()).isEqualTo(200);
    assertThat(server.half().state(key)).isEqualTo(HalfState.COMMITTED);
    assertThat(server.half().rollback(other)).isEqualTo(HalfState.ROLLED_BACK);
    assertThat(get(HalfWireFormat.path(other)).body()).contains("ROLLED_BACK");
  }

  @Test
  void longestKeyFitsIntoAPath() {
    HalfKey longest = new HalfKey("\u8ba2".repeat(128), "\u5355".repeat(255));

    assertThat(prepare(HalfWireFormat.path(longest)).statusCode()).isEqualTo(200);

    assertThat(server.half().state(longest)).isEqualTo(HalfState.PREPARED);
  }

  /** What curl sends if it is told nothing else, and what would be taken for a form. */
  @ParameterizedTest
  @ValueSource(
      strings = {"application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "a/b"})
  void payloadOfAnyTypeIsTakenAsItIs(String type) {
    prepare(PATH, "Content-Type", type);

    post(PATH + "/commit");

    JdbcTemplate jdbc = new JdbcTemplate(server.bean(DataSource.class));
    assertThat(jdbc.queryForObject("SELECT payload FROM outbox", byte[].class))
        .asString()
        .isEqualTo("{\"paid\":true}");
    assertThat(jdbc.queryForObject("SELECT headers FROM outbox", String.class))
        .isEqualTo("content-type:" + type + "\n");
  }

  @Test
  void wrongMessageIsTold() {
    assertProblem(prepare(PATH, "Angarium-Destination", "kafka:no such topic"), 422, "INVALID");
    assertProblem(prepare(PATH, "Angarium-Delay", "soon"), 422, "INVALID");
    assertProblem(prepare(PATH, "Angarium-Headers", "angarium-id=1"), 422, "INVALID");
    assertProblem(server.send(server.request(PATH).PUT(BodyPublishers.noBody())), 422, "INVALID");
    assertThat(get("/v1/half-messages/order/%FF").statusCode()).isEqualTo(400);
    assertThat(get(PATH).body()).isEqualTo(answer("UNKNOWN"));
  }

  @ParameterizedTest
  @CsvSource({"70000, 422, INVALID", "140000, 413, TOO_LARGE"})
  void largePayloadIsRefused(int bytes, int status, String code) {
    var request =
        server
            .request(PATH)
            .header("Angarium-Destination", "log:orders")
            .PUT(BodyPublishers.ofByteArray(new byte[bytes]));
    var chunked =
        server
            .request(PATH)
            .header("Angarium-Destination", "log:orders")
            .PUT(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[bytes])));

    assertProblem(server.send(request), status, code);
    assertProblem(server.send(chunked), status, code);
  }

  /** Which one of them, depends on who is first. */
  @Test
  void moreThanFitsIntoTheMemoryIsToldToComeAgain() {
    int bytes = 64 << 10;
    List<SlowRequest> requests = new ArrayList<>();
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<CompletableFuture<String>> answers = new ArrayList<>();
      for (int i = 0; i < 16; i++) { // 8 are half a megabyte, which is what one caller may hold
        SlowRequest request = SlowRequest.announcing(server, "large" + i, bytes);
        requests.add(request);
        request.send("x".repeat(bytes - 1));
        answers.add(CompletableFuture.supplyAsync(request::answer, threads));
      }

      Object beyond = CompletableFuture.anyOf(answers.toArray(CompletableFuture[]::new)).join();
      requests.forEach(request -> request.sendQuietly("x"));
      List<String> all = answers.stream().map(CompletableFuture::join).toList();

      assertThat(beyond)
          .asString()
          .startsWith("HTTP/1.1 503 ")
          .contains("application/problem+json", "\"code\":\"BUSY\"", "Retry-After: ");
      assertThat(all)
          .filteredOn(answer -> answer.startsWith("HTTP/1.1 200 "))
          .hasSizeBetween(8, 15);
    } finally {
      requests.forEach(SlowRequest::close);
      threads.shutdownNow();
    }
  }

  @Test
  void oneWrongCallOfABatchIsNamedAndNoneTakesEffect() {
    String right =
        "{\"step\":\"prepare\",\"business\":\"b\",\"key\":\"%s\",\"destination\":\"log:o\"}";
    String wrong =
        "{\"step\":\"prepare\",\"business\":\"b\",\"key\":\"3\",\"destination\":\"kafka:a b\"}";

    HttpResponse<String> answered =
        post(
            "/v1/half-messages/batch",
            "{\"calls\":["
                + String.join(",", right.formatted("1"), wrong, right.formatted("2"))
                + "]}");

    assertProblem(answered, 422, "INVALID");
    assertThat(answered.body()).contains("\"calls\":[1]");
    assertThat(server.half().state(new HalfKey("b", "1"))).isEqualTo(HalfState.UNKNOWN);
    assertProblem(post("/v1/half-messages/batch", "nonsense"), 400, "INVALID");
    assertProblem(post("/v1/half-messages/states", "{\"keys\":[1]}"), 400, "INVALID");
  }

  @Test
  void batchAnswersRefusalsWithinIt() {
    HttpResponse<String> answered =
        post(
            "/v1/half-messages/batch",
            "{\"calls\":[{\"step\":\"prepare\",\"business\":\"order-paid\",\"key\":\"4711\","
                + "\"destination\":\"log:o\",\"text\":\"hello\"},"
                + "{\"step\":\"commit\",\"business\":\"order-paid\",\"key\":\"none\"}]}");

    assertThat(answered.statusCode()).isEqualTo(200);
    assertThat(answered.body())
        .isEqualTo(
            "{\"answers\":[{\"state\":\"PREPARED\"},"
                + "{\"state\":\"UNKNOWN\",\"refusal\":\"UNKNOWN\"}]}");
    assertThat(
            post(
                    "/v1/half-messages/states",
                    "{\"keys\":[{\"business\":\"order-paid\",\"key\":\"4711\"},"
                        + "{\"business\":\"order-paid\",\"key\":\"none\"}]}")
                .body())
        .isEqualTo("{\"states\":[\"PREPARED\",\"UNKNOWN\"]}");
  }

  @Test
  void databaseThatFailsIsToldWithoutItsWords() {
    JdbcTemplate jdbc = new JdbcTemplate(server.bean(DataSource.class));
    jdbc.execute("ALTER TABLE outbox_half RENAME TO elsewhere");

    HttpResponse<String> answered = prepare(PATH);

    jdbc.execute("ALTER TABLE elsewhere RENAME TO outbox_half");
    assertProblem(answered, 503, "STORE_FAILED");
    assertThat(answered.headers().firstValue("Retry-After")).isPresent();
    assertThat(answered.body()).contains("repeat the call").doesNotContain("outbox_half");
    assertThat(prepare(PATH).statusCode()).isEqualTo(200);
  }

  @Test
  void pathThatIsNotThereIsAProblem() {
    assertThat(get("/v2/half-messages").statusCode()).isEqualTo(404);
    assertThat(post(PATH).statusCode()).isEqualTo(405);
    assertThat(get("/actuator/env").statusCode()).isEqualTo(404);
  }

  private static void assertProblem(HttpResponse<String> answered, int status, String code) {
    assertThat(answered.statusCode()).as(answered.body()).isEqualTo(status);
    assertThat(answered.headers().firstValue("Content-Type"))
        .hasValueSatisfying(type -> assertThat(type).startsWith("application/problem+json"));
    assertThat(answered.body())
        .contains("\"status\":" + status, "\"code\":\"" + code + "\"", "\"detail\":\"");
  }
}
