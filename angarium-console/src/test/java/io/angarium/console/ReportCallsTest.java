package io.angarium.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.console.access.Grant;
import io.angarium.console.access.KeyAccess;
import io.angarium.console.access.KeyAccess.HashedKey;
import io.angarium.console.access.KeyHash;
import io.angarium.console.access.Operator;
import io.angarium.console.access.Right;
import io.angarium.console.settings.ConsoleSettings;
import io.angarium.reconciliation.Digest;
import io.angarium.reconciliation.Report;
import io.angarium.reconciliation.StoredReport;
import io.angarium.reconciliation.Window;
import io.angarium.testkit.ManualClock;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Confirmations and reports of reconciliations over the API: who may see and do what. */
class ReportCallsTest {
  private static final String REASON = "{\"reason\":\"the consumer had lost its queue\"}";
  private static final String REPORTS = "default/reconciliation/reports";

  private final ManualClock clock = new ManualClock(FakeDesk.NOW);
  private ConsoleUnderTest server;
  private StoredReport orders;
  private StoredReport payments;
  private StoredReport tables;

  @BeforeEach
  void open() {
    KeyAccess keys =
        new KeyAccess(
            List.of(
                key(Operator.ofAll("viewer", Right.VIEWER)),
                key(Operator.ofAll("operator", Right.OPERATOR)),
                key(of("orders", List.of("kafka:orders*"), List.of("*"))),
                key(of("accounts", List.of("*"), List.of("payment")))));
    server = new ConsoleUnderTest(clock, ConsoleSettings.of("1.0"), keys);
    orders = keep("orders", "kafka:orders", missing(0, 12));
    payments = keep("payments", "kafka:payments", missing(0, 1));
    tables = keep("movements", null, missing(0, 1));
    keep("orders", "kafka:orders", agreeing(1));
  }

  private StoredReport keep(String task, String destination, Report report) {
    server.reports.keep(task, destination, report);
    return server.reports.latest(1).stream()
        .filter(each -> each.task().equals(task))
        .findFirst()
        .orElseThrow();
  }

  private static Window hour(int number) {
    return new Window(
        FakeDesk.NOW.plusSeconds(3_600L * number), FakeDesk.NOW.plusSeconds(3_600L * number + 60));
  }

  private static Report missing(int hour, int count) {
    List<String> keys = IntStream.range(0, count).mapToObj(i -> "key-" + i).toList();
    Digest digest = Digest.NONE.plus("x");
    return new Report(hour(hour), digest, Digest.NONE, keys, List.of(), List.of(), true);
  }

  private static Report agreeing(int hour) {
    return new Report(hour(hour), Digest.NONE, Digest.NONE, List.of(), List.of(), List.of(), true);
  }

  private static Operator of(String name, List<String> destinations, List<String> businesses) {
    return new Operator(
        name, List.of(new Grant(Set.of(Right.VIEW, Right.OPERATE), destinations, businesses)));
  }

  private static HashedKey key(Operator operator) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest(operator.name().getBytes(StandardCharsets.UTF_8));
      return new HashedKey(new KeyHash("sha256:" + HexFormat.of().formatHex(hash)), operator);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  @AfterEach
  void close() {
    server.close();
  }

  private HttpResponse<String> get(String key, String path) {
    return server.call(key, "GET", path, null);
  }

  private HttpResponse<String> act(String key, StoredReport report, String act) {
    return server.call(key, "POST", REPORTS + "/" + report.id() + "/" + act, REASON);
  }

  @Test
  void viewerSeesTasksWithTheirWindows() {
    String tasks = get("viewer", "default/reconciliation").body();

    assertThat(tasks)
        .contains("\"task\":\"movements\",\"destination\":null,\"open\":1")
        .contains("\"task\":\"orders\",\"destination\":\"kafka:orders\",\"open\":1")
        .contains("\"missing\":12", "\"agrees\":true", "\"repair\":null")
        .doesNotContain("key-1");
  }

  @Test
  void pulseCountsOpenReportsForThoseWhoMaySeeThemAll() {
    assertThat(get("viewer", "default/pulse").body())
        .contains("\"openReports\":{\"count\":3,\"atLeast\":false}");
    assertThat(get("orders", "default/pulse").body()).contains("\"openReports\":null");
    assertThat(get("viewer", "plain/pulse").body()).contains("\"openReports\":null");
  }

  @Test
  void reportNamesItsKeysAHundredAtATime() {
    StoredReport many = keep("many", "kafka:orders", missing(0, 150));

    String first = get("viewer", REPORTS + "/" + many.id()).body();
    String second = get("viewer", REPORTS + "/" + many.id() + "?kind=missing&from=100").body();
    String others = get("viewer", REPORTS + "/" + many.id() + "?kind=repeated").body();

    assertThat(first).contains("\"key-99\"", "\"kept\":150", "\"complete\":true");
    assertThat(first).doesNotContain("\"key-100\"");
    assertThat(second).contains("\"key-100\"", "\"key-149\"").doesNotContain("\"key-99\"");
    assertThat(others).contains("\"kind\":\"repeated\",\"from\":0,\"items\":[],\"kept\":0");
  }

  @Test
  void reportsAreListedLatestFirstAndContinue() {
    String first = get("viewer", REPORTS + "?differing=true&limit=2").body();
    String next = first.replaceAll("(?s).*\"next\":\"(\\d+)\".*", "$1");

    assertThat(first).contains("movements", "payments").doesNotContain("\"task\":\"orders\"");
    assertThat(get("viewer", REPORTS + "?differing=true&limit=2&cursor=" + next).body())
        .contains("\"task\":\"orders\"", "\"next\":null")
        .doesNotContain("\"agrees\":true");
    assertThat(get("viewer", REPORTS + "?task=payments").body())
        .contains("payments")
        .doesNotContain("orders");
    assertThat(get("viewer", REPORTS + "?cursor=x").statusCode()).isEqualTo(400);
    assertThat(get("viewer", REPORTS + "?limit=0").statusCode()).isEqualTo(400);
  }

  @Test
  void missingMessagesAreSentAgainOnceWithAReason() {
    HttpResponse<String> sent = act("operator", orders, "repair");

    assertThat(sent.statusCode()).isEqualTo(200);
    assertThat(sent.body()).contains("\"by\":\"operator\"", "\"sentAgain\":12");
    assertThat(server.resent).hasSize(12);
    assertThat(act("operator", orders, "repair").statusCode()).isEqualTo(409);
    assertThat(act("operator", orders, "settle").statusCode()).isEqualTo(409);
    assertThat(server.resent).hasSize(12);
    assertThat(server.reports.audit()).hasSize(1);
    assertThat(server.call("operator", "POST", REPORTS + "/1/settle", "{}").statusCode())
        .isEqualTo(400);
  }

  @Test
  void keysOfTablesAreSettledAndNotSentAgain() {
    assertThat(act("operator", tables, "repair").statusCode()).isEqualTo(409);
    assertThat(act("operator", tables, "settle").body()).contains("\"sentAgain\":0");
    assertThat(server.resent).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"viewer, 403, 403", "orders, 200, 404", "accounts, 404, 404", "unknown, 401, 401"})
  void operatorsActOnlyOnWhatIsTheirsInWhole(String key, int onOrders, int onPayments) {
    assertThat(act(key, orders, "repair").statusCode()).isEqualTo(onOrders);
    assertThat(act(key, payments, "repair").statusCode()).isEqualTo(onPayments);
  }

  @Test
  void scopedOperatorsSeeOnlyReportsOfTheirDestinations() {
    assertThat(get("orders", "default/reconciliation").body())
        .contains("\"task\":\"orders\"")
        .doesNotContain("payments", "movements");
    assertThat(get("orders", REPORTS).body()).doesNotContain("payments", "movements");
    assertThat(get("orders", REPORTS + "/" + tables.id()).statusCode()).isEqualTo(404);
    assertThat(get("accounts", "default/reconciliation").body()).isEqualTo("{\"items\":[]}");
  }

  @Test
  void databaseWithoutThemHasNeitherPageNorCalls() {
    assertThat(get("viewer", "databases").body())
        .contains("\"confirmations\",\"reconciliation\"")
        .contains("{\"name\":\"plain\",\"product\":\"H2\",\"history\":false,\"features\":[]}");
    for (String path : List.of("confirmations", "reconciliation", "reconciliation/reports")) {
      assertThat(get("viewer", "plain/" + path).statusCode()).as(path).isEqualTo(404);
    }
  }

  @Test
  void unconfirmedMessagesAreCountedByDestination() {
    assertThat(get("viewer", "default/confirmations").body())
        .contains("\"destination\":\"kafka:orders\",\"count\":40", "\"sentAgain\":12")
        .contains("kafka:payments")
        .contains("\"counted\":{\"count\":43,\"atLeast\":false}");
    assertThat(get("orders", "default/confirmations").body())
        .contains("kafka:orders")
        .doesNotContain("kafka:payments");
  }

  @Test
  void unconfirmedMessagesAreSentAgainByTheActsOfMessages() {
    String id = "01a217cf-8c75-71ff-a812-818f3ab7c4af";
    String body =
        "{\"act\":\"send-again\",\"ids\":[\"" + id + "\"],\"reason\":\"the consumer lost it\"}";

    HttpResponse<String> acted = server.call("operator", "POST", "default/messages/acts", body);

    assertThat(acted.statusCode()).isEqualTo(200);
    assertThat(acted.body()).contains("\"done\":[\"" + id + "\"]");
    assertThat(server.call("viewer", "POST", "default/messages/acts", body).statusCode())
        .isEqualTo(403);
    assertThat(server.call("operator", "POST", "plain/messages/acts", body).statusCode())
        .isEqualTo(404);
  }
}
