package io.angarium.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.console.access.Grant;
import io.angarium.console.access.Operator;
import io.angarium.console.access.Right;
import io.angarium.console.settings.ConsoleSettings;
import io.angarium.half.CheckAnswer;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfState;
import io.angarium.half.Verdict;
import io.angarium.testkit.ManualClock;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HalfCallsTest {
  private ConsoleUnderTest server;

  @BeforeEach
  void open() {
    server =
        new ConsoleUnderTest(
            new ManualClock(FakeDesk.NOW),
            ConsoleSettings.of("1.0"),
            TestKeys.of(
                Operator.ofAll("viewer", Right.VIEWER),
                Operator.ofAll("operator", Right.OPERATOR),
                new Operator(
                    "refunds",
                    List.of(new Grant(Right.OPERATOR, List.of("*"), List.of("refund"))))));
    server.halves.prepare("order-paid", "4711", "kafka:orders");
  }

  @AfterEach
  void close() {
    server.close();
  }

  private HttpResponse<String> tryOut(String operator, String database, String business) {
    return server.call(
        operator,
        "POST",
        database + "/half/try",
        "{\"business\":\"%s\",\"key\":\"4711\"}".formatted(business));
  }

  private HalfState state() {
    return server.halves.desk.find(new HalfKey("order-paid", "4711")).orElseThrow().state();
  }

  @Test
  void producerIsAskedAtItsAddressAndNothingIsDecided() {
    HttpResponse<String> answer = tryOut("operator", "halves", "order-paid");

    assertThat(answer.body()).contains("\"verdict\":\"committed\"", "\"reason\":null");
    assertThat(server.halves.asked).containsExactly("order-paid/4711 at " + FakeHalves.SHOP);
    assertThat(state()).isEqualTo(HalfState.PREPARED);
  }

  @Test
  void questionIsInTheAuditWithoutTheKey() {
    tryOut("operator", "halves", "order-paid");

    assertThat(server.call("operator", "GET", "halves/audit", null).body())
        .contains("\"by\":\"operator\"", "\"act\":\"ask\"", "\"targetKind\":\"half\"")
        .doesNotContain("4711");
  }

  @Test
  void longAnswerIsCut() {
    server.halves.answer = new CheckAnswer(Verdict.UNREACHABLE, "😀".repeat(5_000));

    assertThat(tryOut("operator", "halves", "order-paid").body())
        .contains("\"verdict\":\"unreachable\"", "\"" + "\\uD83D\\uDE00".repeat(1_000) + "\"");
  }

  @Test
  void viewerAsksNobody() {
    assertThat(tryOut("viewer", "halves", "order-paid").statusCode()).isEqualTo(403);
    assertThat(server.halves.asked).isEmpty();
  }

  @Test
  void halfMessageOutsideOfTheScopeIsUnknown() {
    assertThat(tryOut("refunds", "halves", "order-paid").statusCode()).isEqualTo(404);
    assertThat(server.halves.asked).isEmpty();
  }

  @Test
  void halfMessageThatIsNotThereIsUnknown() {
    assertThat(tryOut("operator", "halves", "order-shipped").statusCode()).isEqualTo(404);
    assertThat(server.halves.asked).isEmpty();
  }

  @Test
  void databaseSaysWhetherProducersCanBeAsked() {
    assertThat(server.call("viewer", "GET", "databases", null).body())
        .contains(
            "\"name\":\"halves\",\"product\":\"H2\",\"history\":false,\"features\":[\"half\",\"half-ask\"]");
    assertThat(tryOut("operator", "plain", "order-paid").statusCode()).isEqualTo(404);
  }

  @Test
  void scopedOperatorSeesAndDecidesOnlyItsOwn() {
    server.halves.prepare("refund", "12", "kafka:refunds");
    String own = "{\"business\":\"refund\",\"key\":\"12\"}";
    String other = "{\"business\":\"order-paid\",\"key\":\"4711\"}";

    assertThat(server.call("refunds", "POST", "halves/half/view", other).statusCode())
        .isEqualTo(404);
    assertThat(
            server
                .call(
                    "refunds",
                    "POST",
                    "halves/half/acts",
                    "{\"act\":\"commit\",\"reason\":\"paid\",\"keys\":[%s,%s]}"
                        .formatted(own, other))
                .body())
        .contains(
            "\"done\":[{\"business\":\"refund\",\"key\":\"12\",\"state\":\"committed\"}]",
            "\"refused\":[{\"business\":\"order-paid\",\"key\":\"4711\",\"reason\":\"unknown\"}]");
    assertThat(state()).isEqualTo(HalfState.PREPARED);
  }
}
