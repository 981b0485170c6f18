package io.angarium.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.console.access.Grant;
import io.angarium.console.access.KeyAccess;
import io.angarium.console.access.Operator;
import io.angarium.console.access.Right;
import io.angarium.console.settings.ConsoleSettings;
import io.angarium.operation.Operation;
import io.angarium.operation.OperationStore;
import io.angarium.operation.OperationStore.Turn;
import io.angarium.testkit.ManualClock;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OperationCallsTest {
  private static final UUID ID = new UUID(0x4000L, Long.MIN_VALUE | 1);
  private static final UUID UNDO = new UUID(0x4000L, Long.MIN_VALUE | 2);
  private static final String DISCARD =
      "{\"kind\":\"discard\",\"filter\":{},\"token\":\"2026-11-26T12:00:00Z\",\"delay\":\"PT0S\","
          + "\"reason\":\"of a test\"}";
  private static final String REASON = "{\"reason\":\"enough\"}";

  private ConsoleUnderTest server;

  @BeforeEach
  void open() {
    Grant orders = new Grant(Right.OPERATOR, List.of("kafka:orders"), List.of("*"));
    KeyAccess keys =
        TestKeys.of(
            Operator.ofAll("viewer", Right.VIEWER),
            Operator.ofAll("operator", Right.OPERATOR),
            Operator.ofAll("admin", Right.ALL),
            new Operator("orders", List.of(orders)),
            new Operator(
                "mixed",
                List.of(
                    new Grant(Right.VIEWER, List.of("*"), List.of("*")),
                    new Grant(Right.ALL, List.of("kafka:orders"), List.of("*")))),
            new Operator(
                "small-admin",
                List.of(
                    new Grant(Right.OPERATOR, List.of("*"), List.of("*")),
                    new Grant(Right.ALL, List.of("kafka:orders"), List.of("*")))));
    server = new ConsoleUnderTest(new ManualClock(FakeDesk.NOW), ConsoleSettings.of("1.0"), keys);
    server.desk.add("kafka:orders", "order");
    server.desk.add("kafka:payments", "payment");
  }

  @AfterEach
  void close() {
    server.close();
  }

  private HttpResponse<String> get(String key, String path) {
    return server.call(key, "GET", "default/operations" + path, null);
  }

  private HttpResponse<String> begin(String key, UUID id, String body) {
    return server.call(key, "PUT", "default/operations/" + id, body);
  }

  private HttpResponse<String> act(String key, UUID id, String act, String body) {
    return server.call(key, "POST", "default/operations/" + id + "/" + act, body);
  }

  private void carryOut() {
    OperationStore store = server.desk.operations;
    for (Turn turn : store.take("node-a", Duration.ofMinutes(1))) {
      store.step(turn, 10, Duration.ofMinutes(1), null);
    }
  }

  private Operation operation(UUID id) {
    return server.desk.operations.find(id).orElseThrow();
  }

  @Test
  void operationIsBegunCarriedOutAndUndone() {
    assertThat(begin("operator", ID, DISCARD).body())
        .contains("\"state\":\"waiting\"", "\"createdBy\":\"operator\"", "\"rate\":200");
    carryOut();

    assertThat(get("viewer", "").body())
        .contains("\"id\":\"" + ID + "\"", "\"state\":\"done\"", "\"done\":2");
    assertThat(get("viewer", "/" + ID).body()).contains("\"refusals\":[]", "\"diedAgain\":");
    String undo = "{\"id\":\"" + UNDO + "\",\"reason\":\"a slip\"}";
    assertThat(act("operator", ID, "undo", undo).body())
        .contains("\"kind\":\"restore\"", "\"undoes\":\"" + ID + "\"");
    assertThat(operation(UNDO).plan().undoes()).isEqualTo(ID);
  }

  @Test
  void repeatedRequestBeginsItOnceAndAnotherOneIsAConflict() {
    begin("operator", ID, DISCARD);
    carryOut();

    assertThat(begin("operator", ID, DISCARD).body()).contains("\"state\":\"done\"");
    assertThat(begin("operator", ID, DISCARD.replace("discard", "requeue")).statusCode())
        .isEqualTo(409);
    assertThat(server.desk.operations.newest(10)).hasSize(1);
  }

  @Test
  void operationIsPausedResumedAndCancelled() {
    begin("operator", ID, DISCARD);

    assertThat(act("operator", ID, "pause", REASON).body()).contains("\"state\":\"paused\"");
    assertThat(act("operator", ID, "pause", REASON).statusCode()).isEqualTo(409);
    assertThat(act("operator", ID, "resume", REASON).body()).contains("\"state\":\"running\"");
    String rate = "{\"rate\":7,\"reason\":\"slower\"}";
    assertThat(act("operator", ID, "rate", rate).body()).contains("\"rate\":7");
    assertThat(
            act("operator", ID, "undo", "{\"id\":\"" + UNDO + "\",\"reason\":\"x\"}").statusCode())
        .isEqualTo(409);
    assertThat(act("operator", ID, "cancel", REASON).body()).contains("\"state\":\"cancelled\"");
    assertThat(act("operator", ID, "rate", rate).statusCode()).isEqualTo(409);

    carryOut();
    assertThat(server.desk.dead).hasSize(2);
  }

  @Test
  void nobodyChangesAnOperationBeyondTheirRights() {
    begin("operator", ID, DISCARD);
    String rate = "{\"rate\":7,\"reason\":\"slower\"}";

    assertThat(get("mixed", "/" + ID).statusCode()).isEqualTo(200);
    for (String act : List.of("pause", "resume", "cancel")) {
      assertThat(act("mixed", ID, act, REASON).statusCode()).as(act).isEqualTo(403);
    }
    assertThat(act("mixed", ID, "rate", rate).statusCode()).isEqualTo(403);
    assertThat(operation(ID).state()).isEqualTo(Operation.State.WAITING);

    begin("mixed", UNDO, DISCARD);
    assertThat(act("mixed", UNDO, "pause", REASON).statusCode()).isEqualTo(200);
  }

  @Test
  void largeOperationIsStoppedButNotSpedUpByAnOperator() {
    begin("admin", ID, DISCARD);
    String rate = "{\"rate\":10000,\"reason\":\"faster\"}";

    assertThat(act("operator", ID, "rate", rate).statusCode()).isEqualTo(403);
    assertThat(act("operator", ID, "resume", REASON).statusCode()).isEqualTo(403);
    assertThat(act("operator", ID, "pause", REASON).statusCode()).isEqualTo(200);
  }

  @Test
  void adminOfSomeDestinationsIsNoAdminOfAll() {
    begin("small-admin", ID, DISCARD);

    assertThat(operation(ID).plan().messagesMax()).isEqualTo(10_000);
  }

  @Test
  void viewerSeesButChangesNothing() {
    begin("operator", ID, DISCARD);

    assertThat(begin("viewer", UNDO, DISCARD).statusCode()).isEqualTo(403);
    for (String act : List.of("pause", "resume", "cancel", "rate", "undo")) {
      assertThat(act("viewer", ID, act, REASON).statusCode()).as(act).isEqualTo(403);
    }
    assertThat(get("viewer", "/" + ID).statusCode()).isEqualTo(200);
  }

  @Test
  void nodeHoldsToTheScopeOfThePersonWhoBeganIt() {
    begin("orders", ID, DISCARD);

    carryOut();

    assertThat(operation(ID).counts().done()).isEqualTo(1);
    assertThat(server.desk.dead)
        .extracting(row -> row.destination())
        .containsExactly("kafka:payments");
  }

  @Test
  void operationsOfOthersAreUnknownToAScopedOperator() {
    begin("operator", ID, DISCARD);
    begin("orders", UNDO, DISCARD);

    assertThat(get("orders", "").body()).contains(UNDO.toString()).doesNotContain(ID.toString());
    assertThat(get("orders", "/" + ID).statusCode()).isEqualTo(404);
    for (String act : List.of("pause", "resume", "cancel")) {
      assertThat(act("orders", ID, act, REASON).statusCode()).as(act).isEqualTo(404);
    }
    assertThat(
            act("orders", ID, "undo", "{\"id\":\"" + new UUID(5, 5) + "\",\"reason\":\"x\"}")
                .statusCode())
        .isEqualTo(404);
    assertThat(operation(ID).state()).isEqualTo(Operation.State.WAITING);
    assertThat(get("operator", "").body()).contains(UNDO.toString(), ID.toString());
  }

  @ParameterizedTest
  @CsvSource({"operator, 10000", "admin, " + Long.MAX_VALUE})
  void largerOperationsNeedTheRightOfAnAdmin(String key, long messagesMax) {
    begin(key, ID, DISCARD);

    assertThat(operation(ID).plan().messagesMax()).isEqualTo(messagesMax);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"kind\":\"discard\"|\"kind\":\"shred\"",
        "\"filter\":{},|",
        "\"filter\":{}|\"filter\":{\"limit\":3}",
        "2026-11-26T12:00:00Z|yesterday",
        "\"token\":\"2026-11-26T12:00:00Z\",|",
        "PT0S|PT2H",
        "PT0S|-PT1S",
        "PT0S|soon",
        "\"reason\":\"of a test\"|\"reason\":\"\"",
        "\"reason\"|\"rate\":0,\"reason\"",
        "\"reason\"|\"rate\":10001,\"reason\"",
        "\"reason\"|\"firstFew\":-1,\"reason\"",
        "\"reason\"|\"limit\":1,\"reason\"",
      })
  void wrongRequestsBeginNothing(String change) {
    int bar = change.indexOf('|');
    String wrong = DISCARD.replace(change.substring(0, bar), change.substring(bar + 1));

    assertThat(wrong).isNotEqualTo(DISCARD);
    assertThat(begin("operator", ID, wrong).statusCode()).isEqualTo(400);
    assertThat(server.desk.operations.newest(10)).isEmpty();
  }

  @Test
  void databaseWithoutOperationsSaysSo() {
    assertThat(server.call("operator", "GET", "plain/operations", null).statusCode())
        .isEqualTo(404);
  }
}
