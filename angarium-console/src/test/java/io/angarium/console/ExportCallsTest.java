package io.angarium.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.MessageId;
import io.angarium.console.access.Grant;
import io.angarium.console.access.Operator;
import io.angarium.console.access.Right;
import io.angarium.console.settings.ConsoleSettings;
import io.angarium.desk.AuditEntry;
import io.angarium.testkit.ManualClock;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExportCallsTest {
  private final ManualClock clock = new ManualClock(FakeDesk.NOW);
  private ConsoleUnderTest server;
  private MessageId order;
  private MessageId payment;

  @BeforeEach
  void open() {
    server =
        new ConsoleUnderTest(
            clock,
            ConsoleSettings.of("1.0"),
            TestKeys.of(
                Operator.ofAll("viewer", Right.VIEWER),
                Operator.ofAll("operator", Right.OPERATOR),
                of("orders", new Grant(Right.OPERATOR, List.of("kafka:orders*"), List.of("*"))),
                of("accounts", new Grant(Right.OPERATOR, List.of("*"), List.of("payment"))),
                of(
                    "half",
                    Grant.ofAll(Right.VIEWER),
                    new Grant(Set.of(Right.PAYLOAD), List.of("kafka:orders"), List.of("*")))));
    order = server.desk.add("kafka:orders", "order");
    payment = server.desk.add("kafka:payments", "payment");
  }

  private static Operator of(String name, Grant... grants) {
    return new Operator(name, List.of(grants));
  }

  @AfterEach
  void close() {
    server.close();
  }

  private HttpResponse<String> export(String key, String body) {
    return server.call(key, "POST", "default/export", body);
  }

  @ParameterizedTest
  @CsvSource({"orders, true", "accounts, false"})
  void exportHasWhatIsInScopeOnly(String key, boolean ordersAreMine) {
    MessageId mine = ordersAreMine ? order : payment;
    MessageId other = ordersAreMine ? payment : order;

    for (String format : List.of("ndjson", "csv")) {
      HttpResponse<String> answer =
          export(
              key, "{\"filter\":{},\"format\":\"%s\",\"payloads\":\"masked\"}".formatted(format));
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.body())
          .contains(mine.value().toString())
          .doesNotContain(other.value().toString())
          .doesNotContain(ordersAreMine ? "payment" : "kafka:orders");
    }
    assertThat(export("viewer", "{\"filter\":{}}").body())
        .contains("{\"end\":{\"rows\":2,\"scanned\":2,\"complete\":true,\"why\":null}}");
  }

  @Test
  void answerIsAFileThatNobodyKeepsOrGuesses() {
    HttpResponse<String> answer =
        export("viewer", "{\"filter\":{\"stage\":\"dead\"},\"format\":\"csv\"}");

    assertThat(answer.headers().firstValue("Content-Type").orElse(""))
        .isEqualToIgnoringCase("text/csv;charset=utf-8");
    assertThat(answer.headers().firstValue("Content-Disposition"))
        .contains("attachment; filename=\"messages-dead.csv\"");
    assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
    assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
  }

  @Test
  void payloadsAreMaskedForThoseWithoutTheRight() {
    assertThat(export("viewer", "{\"filter\":{},\"payloads\":\"masked\"}").body())
        .contains("9007199254740993123")
        .contains("••••")
        .doesNotContain("4111");
    assertThat(export("viewer", "{\"filter\":{},\"payloads\":\"revealed\"}").statusCode())
        .isEqualTo(403);
    assertThat(export("operator", "{\"filter\":{},\"payloads\":\"revealed\"}").body())
        .contains("4111")
        .doesNotContain("••••");
    assertThat(export("operator", "{\"filter\":{}}").body()).doesNotContain("payloadAs");
  }

  /** A right over some messages reveals those, and no other. */
  @Test
  void payloadsOutsideOfTheRightStayMasked() {
    List<String> lines =
        export("half", "{\"filter\":{},\"payloads\":\"revealed\"}").body().lines().toList();

    assertThat(lines.get(0))
        .contains("kafka:orders")
        .contains("4111")
        .contains("\"payloadMasked\":false");
    assertThat(lines.get(1))
        .contains("kafka:payments")
        .doesNotContain("4111")
        .contains("\"payloadMasked\":true");
  }

  @Test
  void auditSaysWhoExportedWhat() {
    export(
        "operator",
        "{\"filter\":{\"key\":\"key-1\"},\"format\":\"csv\",\"payloads\":\"revealed\",\"reason\":\"INC-1\"}");
    export("viewer", "{\"filter\":{}}");

    AuditEntry second = server.desk.entries.get(0);
    AuditEntry first = server.desk.entries.get(1);
    assertThat(first.act()).isEqualTo("export");
    assertThat(first.targetKind() + " " + first.target()).isEqualTo("stage dead");
    assertThat(first.details()).isEqualTo("as csv, payloads: revealed");
    assertThat(first.by().decision().reason()).isEqualTo("INC-1");
    assertThat(first.toString()).doesNotContain("key-1");
    assertThat(second.details()).isEqualTo("as ndjson, payloads: none");
    assertThat(second.by().decision().by()).isEqualTo("viewer");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"filter\":{\"limit\":5}}",
        "{\"filter\":{\"cursor\":\"x\"}}",
        "{\"filter\":{\"stage\":\"lost\"}}",
        "{\"filter\":{},\"format\":\"xlsx\"}",
        "{\"filter\":{},\"payloads\":\"all\"}",
        "{\"filter\":{},\"colour\":\"red\"}"
      })
  void wrongRequestIsRefusedAndNotNoted(String body) {
    assertThat(export("operator", body).statusCode()).isEqualTo(400);
    assertThat(server.desk.entries).isEmpty();
  }

  @Test
  void oneExportRunsAtATime() {
    int[] second = new int[1];
    server.desk.onSearch =
        () -> {
          server.desk.onSearch = () -> {};
          second[0] = export("viewer", "{\"filter\":{}}").statusCode();
        };

    assertThat(export("operator", "{\"filter\":{}}").statusCode()).isEqualTo(200);
    assertThat(second[0]).isEqualTo(503);
    assertThat(export("viewer", "{\"filter\":{}}").statusCode()).isEqualTo(200);
  }

  /** The answer has begun then, so its end has to say it. */
  @ParameterizedTest
  @CsvSource({"csv, incomplete", "ndjson, '\"complete\":false'"})
  void exportThatFailsMidwayDoesNotLookWhole(String format, String end) {
    server.desk.onPayload =
        row -> {
          if (row.id().equals(payment)) {
            throw new IllegalStateException("planted");
          }
        };
    String body = "{\"filter\":{},\"format\":\"%s\",\"payloads\":\"masked\"}".formatted(format);

    HttpResponse<String> answer = export("viewer", body);

    List<String> lines = answer.body().lines().toList();
    assertThat(answer.body()).contains(order.value().toString()).doesNotContain("planted");
    assertThat(lines.get(lines.size() - 1)).contains(end);
    assertThat(export("viewer", "{\"filter\":{}}").statusCode()).isEqualTo(200);
  }

  @Test
  void exportThatCannotBeginHoldsUpNoOther() {
    server.desk.away = true;
    assertThat(export("viewer", "{\"filter\":{}}").statusCode()).isEqualTo(503);
    server.desk.away = false;

    assertThat(export("viewer", "{\"filter\":{}}").statusCode()).isEqualTo(200);
  }
}
