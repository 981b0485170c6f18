package io.angarium.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.jdbc.JdbcDatabase;
import io.angarium.operation.OperationStore;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Dead letters over the operator API: who may see and requeue which, and what wrong calls get. */
class ServerDeadLettersTest {
  private static final String BASE = "/console/api/v1/default";
  private static final String SEARCH = BASE + "/messages/search";
  private static final String CAUSES = BASE + "/causes";
  private static final String ACTS = BASE + "/messages/acts";
  private static final String PREVIEW = BASE + "/operations/preview";
  private static final String KEYS = "angarium.server.api-keys.";

  private static ServerUnderTest server;
  private static JdbcTemplate jdbc;

  private final UUID order = UUID.randomUUID();
  private final UUID payment = UUID.randomUUID();
  private final UUID other = UUID.randomUUID();
  private final String ownOperation = BASE + "/operations/" + UUID.randomUUID();

  @BeforeAll
  static void start() {
    server =
        ServerUnderTest.open(
            "angarium.relay.enabled=false",
            "management.endpoints.web.exposure.include=*",
            KEYS + "measure.hashes=" + ServerUnderTest.hash("measure"),
            KEYS + "measure.steps=measure",
            KEYS + "operator.hashes=" + ServerUnderTest.hash("operator"),
            KEYS + "operator.businesses=*",
            KEYS + "operator.destinations=*",
            KEYS + "operator.steps=view,operate",
            KEYS + "viewer.hashes=" + ServerUnderTest.hash("viewer"),
            KEYS + "viewer.businesses=*",
            KEYS + "viewer.destinations=*",
            KEYS + "viewer.steps=view",
            KEYS + "orders.hashes=" + ServerUnderTest.hash("orders"),
            KEYS + "orders.businesses=*",
            KEYS + "orders.destinations=kafka:orders*",
            KEYS + "orders.steps=view,operate",
            KEYS + "accounts.hashes=" + ServerUnderTest.hash("accounts"),
            KEYS + "accounts.businesses=payment",
            KEYS + "accounts.destinations=*",
            KEYS + "accounts.steps=view,operate",
            KEYS + "earlier.hashes=" + ServerUnderTest.hash("earlier"),
            KEYS + "earlier.businesses=*",
            KEYS + "earlier.destinations=*",
            KEYS + "earlier.steps=prepare,commit,rollback,read,operate,measure");
    jdbc = new JdbcTemplate(server.bean(DataSource.class));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void someAreDead() {
    jdbc.update("DELETE FROM outbox_operation");
    jdbc.update("DELETE FROM outbox_dead");
    jdbc.update("DELETE FROM outbox");
    bury(1, order, "kafka:orders", "order", "record is too large");
    bury(2, payment, "kafka:payments", "payment", "no such topic");
    bury(3, other, "http:hook", null, "x".repeat(1_000));
  }

  private static void bury(
      int sequence, UUID id, String destination, String business, String reason) {
    jdbc.update(
        """
        INSERT INTO outbox_dead (
          id, partition_no, key_hash, blocks_key, attempts, reason, created_at, message_id,
          destination, message_key, headers, business_type, business_key, payload)
        VALUES (?, 1, 7, FALSE, 2, ?, CURRENT_TIMESTAMP(6), ?, ?, 'key', ?, ?, ?, ?)
        """,
        sequence,
        reason,
        id,
        destination,
        "secret-header:secret\n",
        business,
        business == null ? null : "4711",
        "secret payload".getBytes(UTF_8));
  }

  @Test
  void searchShowsTheNewestFirstWithoutPayloadsAndHeaders() {
    HttpResponse<String> answered = post("viewer", SEARCH, "{\"stage\":\"dead\"}");

    JsonNode page = json(answered);
    assertThat(answered.body()).doesNotContain("secret");
    assertThat(answered.headers().firstValue("Cache-Control")).hasValue("no-store");
    assertThat(ids(page)).containsExactly(other, payment, order);
    JsonNode first = page.at("/items/2");
    assertThat(first.get("stage").asString()).isEqualTo("dead");
    assertThat(first.get("sequence").asString()).isEqualTo("1");
    assertThat(first.get("payloadBytes").asInt()).isEqualTo(14);
    assertThat(first.at("/business/key").asString()).isEqualTo("4711");
    assertThat(first.get("error").asString()).isEqualTo("record is too large");
    assertThat(page.at("/items/0/error").asString()).hasSize(300).endsWith("…");
    assertThat(page.at("/scanned/rows").asInt()).isEqualTo(3);
    assertThat(page.at("/scanned/complete").asBoolean()).isTrue();
    assertThat(page.get("next").isNull()).isTrue();
  }

  @Test
  void pagesFollowEachOtherAndFiltersNarrow() {
    JsonNode first = json(post("viewer", SEARCH, "{\"limit\":2,\"order\":\"oldest\"}"));
    String next = first.get("next").asString();
    JsonNode second =
        json(
            post(
                "viewer",
                SEARCH,
                "{\"limit\":2,\"order\":\"oldest\",\"cursor\":\"" + next + "\"}"));

    assertThat(ids(first)).containsExactly(order, payment);
    assertThat(ids(second)).containsExactly(other);
    assertThat(found("{\"destinations\":[\"kafka:*\"]}")).containsExactly(payment, order);
    assertThat(found("{\"reasonHas\":\"too large\"}")).containsExactly(order);
    assertThat(found("{\"business\":{\"type\":\"payment\"}}")).containsExactly(payment);
    assertThat(found("{\"key\":\"another\"}")).isEmpty();
    assertThat(found("{\"to\":\"2000-01-01T00:00:00Z\"}")).isEmpty();
    assertThat(found("{\"blocksKey\":true}")).isEmpty();
  }

  private List<UUID> found(String query) {
    return ids(json(post("viewer", SEARCH, query)));
  }

  /** Whoever is woken finds few causes, not many messages, and requeues one of them. */
  @Test
  void messagesOfOneCauseAreOneGroupThatIsRequeuedByItsFingerprint() {
    UUID larger = UUID.randomUUID();
    jdbc.update("UPDATE outbox_dead SET reason = '1048688 bytes > 1048576' WHERE id = 1");
    bury(4, larger, "kafka:orders", "order", "2097152 bytes > 1048576");

    JsonNode causes = json(post("viewer", CAUSES, "{\"filter\":{}}"));
    JsonNode group = causes.at("/groups/0");
    String filter = "{\"cause\":\"" + group.get("fingerprint").asString() + "\"}";
    JsonNode preview =
        json(post("operator", PREVIEW, "{\"kind\":\"requeue\",\"filter\":" + filter + "}"));
    JsonNode one = json(post("viewer", CAUSES, "{\"filter\":" + filter + ",\"limit\":1}"));

    assertThat(causes.get("groups").size()).isEqualTo(3);
    assertThat(group.get("text").asString()).isEqualTo("<n> bytes > <n>");
    assertThat(group.get("destination").asString()).isEqualTo("kafka:orders");
    assertThat(group.get("count").asInt()).isEqualTo(2);
    assertThat(group.get("sample").asString()).isEqualTo(larger.toString());
    assertThat(causes.at("/of/count").asInt()).isEqualTo(4);
    assertThat(causes.at("/of/atLeast").asBoolean()).isFalse();
    assertThat(one.get("groups").size()).isEqualTo(1);
    assertThat(one.get("others").asInt()).isZero();
    assertThat(found(filter)).containsExactly(larger, order);
    assertThat(preview.at("/matched/count").asInt()).isEqualTo(2);
    assertProblem(post("viewer", CAUSES, "{}"), 400, "INVALID");
    assertProblem(post("viewer", CAUSES, "{\"filter\":{},\"limit\":201}"), 400, "INVALID");
    assertProblem(post("viewer", SEARCH, "{\"cause\":\"too large\"}"), 400, "INVALID");
  }

  @Test
  void oneIsShownWithItsWholeError() {
    JsonNode places = json(get("viewer", BASE + "/messages/" + other));

    assertThat(places.at("/places/0/row/error").asString()).hasSize(1_000);
    assertProblem(get("viewer", BASE + "/messages/" + UUID.randomUUID()), 404, "UNKNOWN");
    assertProblem(get("viewer", BASE + "/messages/1-2-3-4-5"), 400, "INVALID");
    assertProblem(
        get("viewer", BASE + "/messages/' OR 1=1 --".replace(" ", "%20")), 400, "INVALID");
  }

  @Test
  void someAreRequeuedAndARepeatChangesNothing() {
    String body =
        "{\"act\":\"requeue\",\"ids\":[\"%s\",\"%s\"],\"reason\":\"repaired\"}"
            .formatted(order, UUID.randomUUID());

    JsonNode first = json(act("operator", ACTS, body));
    JsonNode second = json(act("operator", ACTS, body));

    assertThat(first.at("/done/0").asString()).isEqualTo(order.toString());
    assertThat(first.get("notFound").size()).isEqualTo(1);
    assertThat(second.get("done").size()).isZero();
    assertThat(second.get("notFound").size()).isEqualTo(2);
    assertThat(jdbc.queryForObject("SELECT updated_by FROM outbox", String.class))
        .isEqualTo("operator");
  }

  @Test
  void allThatMatchAreRequeuedAsFarAsThePreviewSaw() {
    JsonNode preview =
        json(
            post(
                "operator",
                PREVIEW,
                "{\"kind\":\"requeue\",\"filter\":{\"destinations\":[\"kafka:*\"]}}"));
    UUID later = UUID.randomUUID();
    bury(4, later, "kafka:orders", "order", "record is too large");
    String body =
"""
{"kind":"requeue","filter":{"destinations":["kafka:*"]},"token":"%s","delay":"PT0S","reason":"repaired"}\
"""
            .formatted(preview.get("token").asString());

    JsonNode operation = json(put("operator", ownOperation, body));
    JsonNode repeated = json(put("operator", ownOperation, body));

    assertThat(preview.at("/matched/count").asInt()).isEqualTo(2);
    assertThat(preview.at("/matched/atLeast").asBoolean()).isFalse();
    assertThat(preview.at("/byDestination/kafka:orders").asInt()).isEqualTo(1);
    assertThat(preview.get("sample").size()).isEqualTo(2);
    assertThat(operation.get("state").asString()).isEqualTo("waiting");
    assertThat(repeated).isEqualTo(operation);
    carryOut();
    JsonNode after = json(get("viewer", ownOperation)).get("operation");
    assertThat(after.get("state").asString()).isEqualTo("done");
    assertThat(after.get("done").asInt()).isEqualTo(2);
    assertThat(found("{}")).containsExactly(later, other);
  }

  /** As a node does that has a relay. */
  private static void carryOut() {
    OperationStore store = server.bean(JdbcDatabase.class).operationStore();
    for (OperationStore.Turn turn : store.take("node-a", Duration.ofMinutes(1))) {
      store.step(turn, OperationStore.STEP_MAX, Duration.ofMinutes(1), null);
    }
  }

  private static String token(Instant until) {
    return until.toString();
  }

  /** Each route against each kind of caller, on what is in its scope and what is not. */
  @ParameterizedTest
  @CsvSource({
    "nobody, 401, 401, 401, 401",
    "earlier, 403, 403, 403, 403",
    "measure, 403, 403, 403, 403",
    "viewer, 200, 200, 403, 403",
    "operator, 200, 200, 200, 200",
  })
  void everyRouteAsksForItsRight(String key, int search, int one, int acts, int preview) {
    String ids = "{\"act\":\"requeue\",\"ids\":[\"" + order + "\"],\"reason\":\"repaired\"}";
    String filter = "{\"kind\":\"requeue\",\"filter\":{\"reasonHas\":\"none\"}}";
    String token = token(Instant.EPOCH);
    String operation =
        "{\"kind\":\"requeue\",\"filter\":{},\"token\":\"" + token + "\",\"reason\":\"repaired\"}";

    assertThat(post(key, SEARCH, "{}").statusCode()).isEqualTo(search);
    assertThat(post(key, CAUSES, "{\"filter\":{}}").statusCode()).isEqualTo(search);
    assertThat(get(key, BASE + "/messages/" + order).statusCode()).isEqualTo(one);
    assertThat(post(key, PREVIEW, filter).statusCode()).isEqualTo(preview);
    assertThat(put(key, ownOperation, operation).statusCode()).isEqualTo(acts);
    assertThat(act(key, ACTS, ids).statusCode()).isEqualTo(acts);

    assertThat(dead()).isEqualTo(acts == 200 ? 2 : 3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"orders", "accounts"})
  void whatIsOutOfScopeIsUnknownInEveryRoute(String key) {
    UUID mine = key.equals("orders") ? order : payment;
    String ids =
        "{\"act\":\"requeue\",\"ids\":[\"%s\",\"%s\",\"%s\"],\"reason\":\"repaired\"}"
            .formatted(order, payment, other);

    assertThat(ids(json(post(key, SEARCH, "{}")))).containsExactly(mine);
    assertThat(json(post(key, CAUSES, "{\"filter\":{}}")).at("/of/count").asInt()).isEqualTo(1);
    assertThat(get(key, BASE + "/messages/" + mine).statusCode()).isEqualTo(200);
    assertProblem(get(key, BASE + "/messages/" + other), 404, "UNKNOWN");
    JsonNode preview = json(post(key, PREVIEW, "{\"kind\":\"requeue\",\"filter\":{}}"));
    assertThat(preview.at("/matched/count").asInt()).isEqualTo(1);
    JsonNode done = json(act(key, ACTS, ids));
    assertThat(done.get("done").size()).isEqualTo(1);
    assertThat(done.get("notFound").size()).isEqualTo(2);
    String all =
        "{\"kind\":\"requeue\",\"filter\":{},\"token\":\"%s\",\"delay\":\"PT0S\",\"reason\":\"repaired\"}"
            .formatted(preview.get("token").asString());
    json(put(key, ownOperation, all));
    carryOut();
    assertThat(json(get(key, ownOperation)).at("/operation/scanned").asInt()).isEqualTo(2);
    assertThat(dead()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "nonsense",
        "{\"limit\":0}",
        "{\"limit\":201}",
        "{\"limit\":\"x\"}",
        "{\"limit\":99999999999}",
        "{\"destination\":\"kafka:orders\"}",
        "{\"destinations\":\"kafka:orders\"}",
        "{\"destinations\":[null]}",
        "{\"stage\":\"gone\"}",
        "{\"stage\":\"dead\",\"stage\":\"dead\"}",
        "{\"from\":\"yesterday\"}",
        "{\"from\":\"2026-01-02T00:00:00Z\",\"to\":\"2026-01-01T00:00:00Z\"}",
        "{\"order\":\"best\"}",
        "{\"cursor\":\"1.2.3\"}",
        "{\"cursor\":\"99999999999999999999.1\"}",
        "{} {}",
      })
  void wrongSearchIsToldAsAProblem(String body) {
    assertProblem(post("operator", SEARCH, body), 400, "INVALID");
  }

  @Test
  void wrongActIsToldAndChangesNothing() {
    String id = "\"" + order + "\"";
    String reason = "\"reason\":\"repaired\"";
    for (String body :
        List.of(
            "{\"act\":\"explode\",\"ids\":[" + id + "]," + reason + "}",
            "{\"ids\":[" + id + "]," + reason + "}",
            "{\"act\":\"requeue\",\"ids\":[" + id + "]}",
            "{\"act\":\"requeue\",\"ids\":[" + id + "],\"reason\":\" \"}",
            "{\"act\":\"requeue\",\"ids\":[" + id + "],\"reason\":\"a\\nb\"}",
            "{\"act\":\"requeue\",\"ids\":[" + id + "],\"reason\":\"" + "x".repeat(1_001) + "\"}",
            "{\"act\":\"requeue\",\"ids\":[]," + reason + "}",
            "{\"act\":\"requeue\",\"ids\":[null]," + reason + "}",
            "{\"act\":\"requeue\",\"ids\":[\"1\"]," + reason + "}",
            "{\"act\":\"requeue\",\"ids\":[" + (id + ",").repeat(1_000) + id + "]," + reason + "}",
            "{\"act\":\"requeue\",\"ids\":[" + id + "]," + reason + ",\"by\":\"me\"}")) {
      assertProblem(act("operator", ACTS, body), 400, "INVALID");
    }
    assertThat(dead()).isEqualTo(3);
  }

  @Test
  void wrongOperationIsToldAndChangesNothing() {
    String token = token(Instant.now());
    String right =
        "{\"kind\":\"requeue\",\"filter\":{},\"token\":\"" + token + "\",\"reason\":\"repaired\"}";
    for (String body :
        List.of(
            right.replace("requeue", "explode"),
            right.replace("\"filter\":{}", "\"filter\":null"),
            right.replace("\"filter\":{}", "\"filter\":{\"limit\":1}"),
            right.replace("\"filter\":{}", "\"filter\":{\"destination\":\"kafka:orders\"}"),
            right.replace(token, "x"),
            right.replace(token, "%%%"),
            right.replace("\"reason\":\"repaired\"", "\"rate\":0,\"reason\":\"x\""))) {
      assertProblem(put("operator", ownOperation, body), 400, "INVALID");
    }
    assertProblem(put("operator", BASE + "/operations/7", right), 400, "INVALID");
    assertProblem(post("operator", PREVIEW, "{\"kind\":\"requeue\"}"), 400, "INVALID");
    assertThat(dead()).isEqualTo(3);
  }

  @Test
  void actWithoutItsHeaderOrFromAnotherPageIsRefused() {
    String body = "{\"act\":\"requeue\",\"ids\":[\"" + order + "\"],\"reason\":\"repaired\"}";

    assertProblem(post("operator", ACTS, body), 403, "NOT_PERMITTED");
    assertProblem(
        server.send(
            request("operator", ACTS)
                .header("Angarium-Console", "1")
                .header("Sec-Fetch-Site", "cross-site")
                .POST(BodyPublishers.ofString(body))),
        403,
        "NOT_PERMITTED");
    assertThat(
            server
                .send(
                    request("operator", ACTS)
                        .header("Angarium-Console", "1")
                        .setHeader("Content-Type", "text/plain")
                        .POST(BodyPublishers.ofString(body)))
                .statusCode())
        .isEqualTo(415);
    assertThat(dead()).isEqualTo(3);
  }

  @Test
  void largeBodyAnotherDatabaseAndAnotherPathAreRefused() {
    assertProblem(
        post("operator", SEARCH, "{\"key\":\"" + "x".repeat(64 << 10) + "\"}"), 413, "TOO_LARGE");
    assertProblem(post("operator", SEARCH.replace("default", "shop"), "{}"), 404, "UNKNOWN");
    assertThat(get("operator", BASE + "/nothing").statusCode()).isEqualTo(404);
    assertThat(get("operator", SEARCH).statusCode()).isEqualTo(400); // "search" is no id
  }

  /** Whoever may see metrics would else see the dead letters of all. */
  @Test
  void endpointOfTheStarterIsNotServedHere() {
    assertThat(get("measure", "/actuator/metrics").statusCode()).isEqualTo(200);
    assertThat(get("measure", "/actuator/angarium").statusCode()).isEqualTo(404);
    assertThat(get("measure", "/actuator/angarium/dead-letters").statusCode()).isEqualTo(404);
  }

  @Test
  void databaseThatFailsIsToldWithoutItsWords() {
    jdbc.execute("ALTER TABLE outbox_dead RENAME TO elsewhere");

    HttpResponse<String> answered = post("operator", SEARCH, "{}");

    jdbc.execute("ALTER TABLE elsewhere RENAME TO outbox_dead");
    assertProblem(answered, 503, "DATABASE_AWAY");
    assertThat(answered.body()).doesNotContain("outbox_dead");
  }

  private static int dead() {
    Integer count = jdbc.queryForObject("SELECT COUNT(*) FROM outbox_dead", Integer.class);
    return count == null ? -1 : count;
  }

  private static HttpRequest.Builder request(String key, String path) {
    return server
        .request(path)
        .header("Authorization", "Bearer " + key)
        .header("Content-Type", "application/json");
  }

  private static HttpResponse<String> get(String key, String path) {
    return server.send(request(key, path));
  }

  private static HttpResponse<String> post(String key, String path, String body) {
    return server.send(request(key, path).POST(BodyPublishers.ofString(body)));
  }

  private static HttpResponse<String> act(String key, String path, String body) {
    return server.send(
        request(key, path).header("Angarium-Console", "1").POST(BodyPublishers.ofString(body)));
  }

  private static HttpResponse<String> put(String key, String path, String body) {
    return server.send(
        request(key, path).header("Angarium-Console", "1").PUT(BodyPublishers.ofString(body)));
  }

  private static JsonNode json(HttpResponse<String> answered) {
    assertThat(answered.statusCode()).as(answered.body()).isEqualTo(200);
    return JsonMapper.shared().readTree(answered.body());
  }

  private static List<UUID> ids(JsonNode page) {
    return page.get("items")
        .valueStream()
        .map(item -> UUID.fromString(item.get("id").asString()))
        .toList();
  }

  private static void assertProblem(HttpResponse<String> answered, int status, String code) {
    assertThat(answered.statusCode()).as(answered.body()).isEqualTo(status);
    assertThat(answered.headers().firstValue("Content-Type"))
        .hasValueSatisfying(type -> assertThat(type).startsWith("application/problem+json"));
    assertThat(answered.headers().firstValue("Cache-Control")).hasValue("no-store");
    assertThat(answered.body()).contains("\"code\":\"" + code + "\"");
  }
}
