package io.angarium.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.server.DtmWorld.Call;
import io.angarium.server.DtmWorld.Reply;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client of dtm at the server: requests as dtm's own client for Go writes them. */
class ServerDtmTest {
  private static final String SUCCESS = "{\"dtm_result\":\"SUCCESS\"}";

  private final DtmWorld world = new DtmWorld();
  private ServerUnderTest server;

  @BeforeEach
  void start() {
    server =
        ServerUnderTest.open(
            "angarium.server.dtm.enabled=true",
            "angarium.server.dtm.business=transfers",
            "angarium.http.allowed-hosts=" + world.host(),
            "angarium.half.check.allowed-hosts=" + world.host(),
            "angarium.half.check.timeout=1m", // a call that is given up is made again
            "angarium.http.timeout=1m",
            "angarium.half.check.first=1s",
            "angarium.half.check.min-pause=100ms",
            "angarium.retry.first-pause=100ms",
            "angarium.server.api-keys.bank.hashes=" + ServerUnderTest.hash("bank"),
            "angarium.server.api-keys.bank.businesses=transfers",
            "angarium.server.api-keys.bank.destinations=dtm:*/in/*",
            "angarium.server.api-keys.slow.hashes=" + ServerUnderTest.hash("slow"),
            "angarium.server.api-keys.slow.businesses=transfers",
            "angarium.server.api-keys.slow.destinations=dtm:*",
            "angarium.server.api-keys.slow.rate=1",
            "angarium.server.api-keys.other.hashes=" + ServerUnderTest.hash("other"),
            "angarium.server.api-keys.other.businesses=other",
            "angarium.server.api-keys.other.destinations=*",
            "angarium.server.api-keys.tests.hashes=" + ServerUnderTest.HASH,
            "angarium.server.api-keys.tests.businesses=*",
            "angarium.server.api-keys.tests.destinations=*");
  }

  @AfterEach
  void stop() {
    server.close();
    world.close();
  }

  /** As {@code dtmcli.Msg} is marshalled, with more at its end. */
  private String message(String gid, String more, String... paths) {
    String steps = String.join(",", List.of(paths).stream().map(this::step).toList());
    String payloads =
        String.join(
            ",",
            List.of(paths).stream().map(each -> "\"{\\\"to\\\":\\\"" + each + "\\\"}\"").toList());
    return """
        {"gid":"%s","trans_type":"msg","concurrent":false,"steps":[%s],"payloads":[%s],"protocol":""%s}"""
        .formatted(gid, steps, payloads, more);
  }

  private String step(String path) {
    return "{\"action\":\"" + world.url(path) + "\"}";
  }

  private String queryPrepared() {
    return ",\"query_prepared\":\"" + world.url("/query?from=bank") + "\"";
  }

  /** Else the producer is asked as soon as the machine is busy, and says that it committed. */
  private void keepProducerInFlight() {
    world.reply("/query", Collections.nCopies(1_000, new Reply(425, "")).toArray(Reply[]::new));
  }

  private List<String> steps() {
    return world.paths().stream().filter(path -> path.startsWith("/in/")).toList();
  }

  private HttpResponse<String> call(String key, String operation, String json) {
    return server.send(
        server
            .request("/api/dtmsvr/" + operation)
            .header("Content-Type", "application/json")
            .header("Authorization", "Bearer " + key)
            .POST(BodyPublishers.ofString(json)));
  }

  private HttpResponse<String> call(String operation, String json) {
    return call(ServerUnderTest.KEY, operation, json);
  }

  private JsonNode get(String path) {
    HttpResponse<String> answer =
        server.send(
            server
                .request("/api/dtmsvr/" + path)
                .header("Authorization", "Bearer " + ServerUnderTest.KEY));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return JsonMapper.shared().readTree(answer.body());
  }

  private HalfState state(String gid) {
    return server.bean(HalfMessages.class).state(new HalfKey("transfers", gid));
  }

  private void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("%s", world.calls()).isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  private static void assertSuccess(HttpResponse<String> answer) {
    assertThat(answer.body()).isEqualTo(SUCCESS);
    assertThat(answer.statusCode()).isEqualTo(200);
  }

  private static void assertConflict(HttpResponse<String> answer, String says) {
    assertThat(answer.statusCode()).isEqualTo(409);
    assertThat(answer.body()).contains("\"dtm_result\":\"FAILURE\"", says);
  }

  @Test
  void submittedMessageCallsItsStepAsDtmDoes() {
    assertSuccess(
        call(
            "submit",
            message("g 1", ",\"branch_headers\":{\"X-Tenant\":\"eu\"}", "/in/a?shard=7")));

    await(() -> !world.calls().isEmpty());
    Call call = world.calls().get(0);
    assertThat(call.method()).isEqualTo("POST");
    assertThat(call.path()).isEqualTo("/in/a");
    assertThat(call.query()).isEqualTo("shard=7&gid=g+1&trans_type=msg&branch_id=01&op=action");
    assertThat(call.body()).isEqualTo("{\"to\":\"/in/a?shard=7\"}");
    assertThat(call.headers())
        .containsEntry("Content-type", "application/json")
        .containsEntry("X-tenant", "eu");
  }

  @Test
  void preparedMessageIsCalledAfterItsSubmitOnly() {
    keepProducerInFlight();
    String message = message("g1", queryPrepared(), "/in/a");
    assertSuccess(call("prepare", message));
    assertSuccess(call("prepare", message));
    assertThat(get("query?gid=g1").at("/transaction/status").asString()).isEqualTo("prepared");
    assertThat(steps()).isEmpty();

    assertSuccess(call("submit", message));
    assertSuccess(call("submit", message));

    await(() -> world.paths().contains("/in/a"));
    assertThat(get("query?gid=g1").at("/transaction/status").asString()).isEqualTo("submitted");
    assertConflict(call("prepare", message), "current status 'submitted', cannot prepare");
    assertConflict(call("abort", message), "current status 'submitted', cannot abort");
  }

  @Test
  void abortedMessageIsNeverCalled() {
    keepProducerInFlight();
    String message = message("g1", queryPrepared(), "/in/a", "/in/b");
    assertSuccess(call("prepare", message));

    assertSuccess(call("abort", message));

    assertSuccess(call("abort", message));
    assertConflict(call("submit", message), "current status 'failed', cannot submit");
    assertConflict(call("prepare", message), "current status 'failed', cannot prepare");
    assertThat(state("g1")).isEqualTo(HalfState.ROLLED_BACK);
    assertSuccess(call("submit", message("g2", "", "/in/c")));
    await(() -> world.paths().contains("/in/c"));
    assertThat(steps()).containsOnly("/in/c");
  }

  @Test
  void whatWasNeverPreparedIsToldSo() {
    assertConflict(call("abort", "{\"gid\":\"g1\",\"trans_type\":\"msg\"}"), "not known");
    assertConflict(call("submit", "{\"gid\":\"g1\",\"trans_type\":\"msg\"}"), "not known");
    assertThat(get("query?gid=g1").get("transaction").isNull()).isTrue();
  }

  /** Each in its turn, however often the one before has to be called. */
  @Test
  void noStepIsCalledBeforeTheOneBeforeItIsDone() {
    world.reply(
        "/in/a",
        new Reply(200, "{\"dtm_result\":\"ONGOING\"}"),
        new Reply(425, ""),
        new Reply(409, ""),
        new Reply(200, "FAILURE"),
        new Reply(500, ""));

    assertSuccess(call("submit", message("g1", "", "/in/a", "/in/b", "/in/c")));

    await(() -> world.paths().contains("/in/c"));
    assertThat(world.paths())
        .containsExactly("/in/a", "/in/a", "/in/a", "/in/a", "/in/a", "/in/a", "/in/b", "/in/c");
    assertThat(world.calls().stream().map(Call::body).distinct())
        .containsExactly("{\"to\":\"/in/a\"}", "{\"to\":\"/in/b\"}", "{\"to\":\"/in/c\"}");
    assertThat(world.calls().get(7).query())
        .isEqualTo("gid=g1&trans_type=msg&branch_id=03&op=action");
  }

  @Test
  void producerThatFallsSilentIsAsked() {
    world.reply("/query", new Reply(425, ""));
    assertSuccess(call("prepare", message("g1", queryPrepared(), "/in/a")));

    await(() -> world.paths().contains("/in/a"));

    assertThat(world.calls().get(0).query())
        .isEqualTo("from=bank&gid=g1&trans_type=msg&branch_id=00&op=msg");
    assertThat(world.calls().get(0).method()).isEqualTo("GET");
    assertThat(world.paths()).containsExactly("/query", "/query", "/in/a");
  }

  @Test
  void producerThatFailedHasItsMessageDropped() {
    world.reply("/query", new Reply(409, ""));
    assertSuccess(call("prepare", message("g1", queryPrepared(), "/in/a")));

    await(() -> state("g1") == HalfState.ROLLED_BACK);

    assertThat(get("query?gid=g1").at("/transaction/status").asString()).isEqualTo("failed");
    assertThat(world.paths()).containsExactly("/query");
  }

  @Test
  void delayOfDtmIsKept() {
    assertSuccess(
        call("submit", message("g1", ",\"custom_data\":\"{\\\"delay\\\":3600}\"", "/in/later")));
    assertSuccess(call("submit", message("g2", "", "/in/now")));

    await(() -> world.paths().contains("/in/now"));

    assertThat(world.paths()).containsExactly("/in/now");
    assertThat(state("g1")).isEqualTo(HalfState.COMMITTED);
  }

  /** As dtm's clients send it: what they prepare has none. */
  @Test
  void delayThatComesWithTheSubmitOnlyIsKept() {
    keepProducerInFlight();
    String delay = ",\"custom_data\":\"{\\\"delay\\\":3600}\"";
    assertSuccess(call("prepare", message("g1", queryPrepared(), "/in/later", "/in/last")));
    assertSuccess(call("submit", message("g1", queryPrepared() + delay, "/in/later", "/in/last")));
    assertSuccess(call("submit", message("g2", "", "/in/now")));

    await(() -> world.paths().contains("/in/now"));

    assertThat(steps()).containsExactly("/in/now");
    assertThat(state("g1")).isEqualTo(HalfState.COMMITTED);
  }

  @Test
  void permissionsAreThoseOfTheKeyForEachStep() {
    String allowed = message("g1", "", "/in/a", "/in/b");
    String second = message("g2", "", "/in/a", "/out/b");

    assertThat(call("wrong", "submit", allowed).statusCode()).isEqualTo(401);
    assertThat(call("other", "submit", allowed).body()).contains("NOT_PERMITTED", ".businesses");
    assertThat(call("other", "abort", allowed).statusCode()).isEqualTo(403);
    assertThat(call("bank", "submit", second).statusCode()).isEqualTo(403);
    assertThat(call("bank", "submit", second).body()).contains("NOT_PERMITTED", ".destinations");
    assertSuccess(call("bank", "submit", allowed));

    await(() -> world.paths().contains("/in/b"));
    assertThat(state("g2")).isEqualTo(HalfState.UNKNOWN);
  }

  @Test
  void addressesThatMustNotBeCalledAreRefusedAtOnce() {
    String step = message("g1", "", "/in/a", "/in/b").replace(world.host() + "/in/b", "10.0.0.7/b");
    String query = message("g2", ",\"query_prepared\":\"http://10.0.0.7/query\"", "/in/a");

    HttpResponse<String> refusedStep = call("submit", step);
    HttpResponse<String> refusedQuery = call("prepare", query);

    assertThat(refusedStep.statusCode()).isEqualTo(422);
    assertThat(refusedStep.body()).contains("FAILURE", "10.0.0.7:80 is not allowed");
    assertThat(refusedQuery.statusCode()).isEqualTo(422);
    assertThat(refusedQuery.body())
        .contains("FAILURE", "10.0.0.7:80 is not allowed for check-backs");
    assertThat(state("g1")).isEqualTo(HalfState.UNKNOWN);
    assertThat(state("g2")).isEqualTo(HalfState.UNKNOWN);
  }

  @Test
  void requestThatCannotBeReadIsACallOfItsCaller() {
    List<Integer> statuses =
        IntStream.range(0, 30)
            .map(each -> call("slow", "submit", "{").statusCode())
            .boxed()
            .toList();

    assertThat(statuses.get(0)).isEqualTo(422);
    assertThat(statuses).contains(429);
  }

  @Test
  void idsAreGivenOnce() {
    JsonNode one = get("newGid");
    JsonNode other = get("newGid");

    assertThat(one.get("dtm_result").asString()).isEqualTo("SUCCESS");
    assertThat(one.get("gid").asString()).hasSize(32).isNotEqualTo(other.get("gid").asString());
  }
}
