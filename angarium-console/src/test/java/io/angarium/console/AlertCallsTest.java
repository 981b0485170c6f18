package io.angarium.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.alert.Alert;
import io.angarium.alert.AlertState;
import io.angarium.alert.Severity;
import io.angarium.alert.Told;
import io.angarium.console.access.Grant;
import io.angarium.console.access.KeyAccess;
import io.angarium.console.access.Operator;
import io.angarium.console.access.Right;
import io.angarium.console.settings.ConsoleSettings;
import io.angarium.testkit.ManualClock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AlertCallsTest {
  private static final String TAKE =
      "{\"rule\":\"%s\",\"subject\":\"%s\",\"reason\":\"broker restarts\"}";
  private static final String FROM =
      "{\"rule\":\"dead-letters\",\"subject\":\"outbox\",\"from\":\"%s\",\"reason\":\"my turn\"}";
  private static final String SILENCE =
      "{\"rule\":\"%s\",\"subject\":\"%s\",\"minutes\":60,\"reason\":\"upgrade\"}";
  private static final String CHANNEL = "{\"channel\":\"%s\",\"reason\":\"new robot\"}";

  private final ManualClock clock = new ManualClock(FakeDesk.NOW);
  private ConsoleUnderTest server;
  private Alert dead;

  @BeforeEach
  void open() {
    KeyAccess keys =
        TestKeys.of(
            Operator.ofAll("viewer", Right.VIEWER),
            Operator.ofAll("operator", Right.OPERATOR),
            Operator.ofAll("admin", Right.ALL),
            of("orders", Right.ALL, List.of("kafka:orders*"), List.of("*")),
            of("accounts", Right.OPERATOR, List.of("*"), List.of("payment")));
    server = new ConsoleUnderTest(clock, ConsoleSettings.of("1.0"), keys);
    dead = add("dead-letters", "outbox", AlertState.FIRING, Severity.CRITICAL);
    add("circuit-open", "kafka:orders", AlertState.FIRING, Severity.CRITICAL);
    add("circuit-open", "kafka:payments", AlertState.FIRING, Severity.WARNING);
    add("node-silent", "node-1", AlertState.PENDING, Severity.WARNING);
    add("clock-skew", "node-1", AlertState.RESOLVED, Severity.WARNING);
  }

  private Alert add(String rule, String subject, AlertState state, Severity severity) {
    return server.alerts.add(rule, subject, state, severity);
  }

  private static Operator of(
      String name, Set<Right> rights, List<String> destinations, List<String> businesses) {
    return new Operator(name, List.of(new Grant(rights, destinations, businesses)));
  }

  @AfterEach
  void close() {
    server.close();
  }

  private String alerts(String key) {
    return server.call(key, "GET", "default/alerts", null).body();
  }

  private int act(String key, String act, String body) {
    return server.call(key, "POST", "default/alerts/" + act, body).statusCode();
  }

  private List<String> audit() {
    return server.desk.entries.stream()
        .map(
            each ->
                "%s %s %s %s %s"
                    .formatted(
                        each.by().decision().by(),
                        each.act(),
                        each.targetKind(),
                        each.target(),
                        each.by().decision().reason()))
        .toList();
  }

  @Test
  void viewerSeesAlertsAndWhatChannelsWereTold() {
    server.alerts.tell(dead, "log", Told.What.FIRING, 2, null);
    server.alerts.tell(dead, "dingtalk", Told.What.NOTHING, 0, "HTTP 403");

    assertThat(alerts("viewer"))
        .contains(
            "\"rule\":\"dead-letters\",\"subject\":\"outbox\",\"state\":\"firing\","
                + "\"severity\":\"critical\",\"value\":31.0",
            "\"since\":\"2026-11-26T11:50:00.000Z\"",
            "\"told\":[{\"channel\":\"dingtalk\",\"what\":\"nothing\",\"at\":null,"
                + "\"failure\":\"HTTP 403\"},{\"channel\":\"log\",\"what\":\"firing\","
                + "\"at\":\"2026-11-26T12:00:00.000Z\",\"failure\":null}]",
            "\"resolvedAt\":\"2026-11-26T11:59:00.000Z\"",
            "\"channels\":[\"dingtalk\",\"log\"]",
            "\"counts\":{\"firing\":3,\"taken\":0,\"silenced\":0,\"pending\":1,\"resolved\":1}");
  }

  /** Otherwise a channel would seem to know of an alert that it has not been told of yet. */
  @Test
  void whatAChannelWasToldOfAnEarlierTimeDoesNotCount() {
    server.alerts.tell(dead, "log", Told.What.RESOLVED, 1, null);
    server.alerts.tell(dead, "dingtalk", Told.What.FIRING, 1, "timed out");

    assertThat(alerts("viewer"))
        .contains(
            "\"told\":[{\"channel\":\"dingtalk\",\"what\":\"nothing\",\"at\":null,"
                + "\"failure\":\"timed out\"}]");
  }

  @Test
  void operatorTakesAnAlert() {
    assertThat(act("operator", "take", TAKE.formatted("dead-letters", "outbox"))).isEqualTo(200);

    assertThat(alerts("viewer"))
        .contains("\"taken\":{\"by\":\"operator\",", "\"note\":\"broker restarts\"}")
        .contains("\"firing\":3,\"taken\":1,");
    assertThat(audit())
        .containsExactly("operator take-alert alert dead-letters outbox broker restarts");
  }

  /** Two tabs show a free alert; the second must not take it from the first. */
  @Test
  void alertThatSomebodyTookMeanwhileIsNotTakenFromThem() {
    act("admin", "take", TAKE.formatted("dead-letters", "outbox"));

    var late =
        server.call(
            "operator", "POST", "default/alerts/take", TAKE.formatted("dead-letters", "outbox"));

    assertThat(late.statusCode()).isEqualTo(409);
    assertThat(late.body()).contains("admin has taken the alert meanwhile");
    assertThat(act("operator", "take", FROM.formatted("carl"))).isEqualTo(409);
    assertThat(audit()).hasSize(1);
    assertThat(act("operator", "take", FROM.formatted("admin"))).isEqualTo(200);
    assertThat(alerts("viewer")).contains("\"taken\":{\"by\":\"operator\",");
  }

  @Test
  void nothingIsDoneWhileTheDatabaseIsAway() {
    server.alerts.away = true;

    assertThat(server.call("viewer", "GET", "default/alerts", null).statusCode()).isEqualTo(503);
    assertThat(act("operator", "take", TAKE.formatted("dead-letters", "outbox"))).isEqualTo(503);
    assertThat(act("operator", "silences", SILENCE.formatted("*", "*"))).isEqualTo(503);
    assertThat(act("operator", "silences/lift", "{\"id\":\"1\",\"reason\":\"x\"}")).isEqualTo(503);
    assertThat(audit()).isEmpty();

    server.alerts.away = false;
    assertThat(act("operator", "take", TAKE.formatted("dead-letters", "outbox"))).isEqualTo(200);
  }

  @Test
  void alertThatIsNotFiringCannotBeTaken() {
    assertThat(act("operator", "take", TAKE.formatted("clock-skew", "node-1"))).isEqualTo(409);
    assertThat(act("operator", "take", TAKE.formatted("clock-skew", "node-2"))).isEqualTo(404);
    assertThat(audit()).isEmpty();
  }

  @Test
  void operatorSilencesAndLifts() {
    assertThat(act("operator", "silences", SILENCE.formatted("circuit-*", "kafka:*")))
        .isEqualTo(200);

    assertThat(alerts("viewer"))
        .contains("\"silences\":[{\"id\":\"1\",\"rule\":\"circuit-*\",\"subject\":\"kafka:*\"")
        .contains("\"silencedUntil\":\"2026-11-26T13:00:00.000Z\"")
        .contains("\"silenced\":2,");
    String lift = "{\"id\":\"1\",\"reason\":\"done\"}";
    assertThat(act("operator", "silences/lift", lift)).isEqualTo(200);
    assertThat(act("operator", "silences/lift", lift)).as("a second time").isEqualTo(404);
    assertThat(audit())
        .containsExactly(
            "operator lift-silence silence 1 done",
            "operator silence-alerts silence circuit-* kafka:* upgrade");
  }

  @Test
  void adminTestsAChannelWhichIsNoted() {
    var told = server.call("admin", "POST", "default/alerts/test", CHANNEL.formatted("log"));
    var failed = server.call("admin", "POST", "default/alerts/test", CHANNEL.formatted("dingtalk"));

    assertThat(told.body()).isEqualTo("{\"channel\":\"log\",\"told\":true,\"failure\":null}");
    assertThat(failed.body())
        .isEqualTo("{\"channel\":\"dingtalk\",\"told\":false,\"failure\":\"HTTP 403\"}");
    assertThat(audit())
        .containsExactly(
            "admin test-channel channel dingtalk new robot",
            "admin test-channel channel log new robot");
    assertThat(act("admin", "test", CHANNEL.formatted("none"))).isEqualTo(404);
    assertThat(server.alerts.tested).containsExactly("log", "dingtalk");
  }

  /** Rights over a part of the messages are none over a channel, which tells of all of them. */
  @ParameterizedTest
  @CsvSource({"viewer", "operator", "orders"})
  void othersTestNoChannel(String key) {
    assertThat(act(key, "test", CHANNEL.formatted("log"))).isEqualTo(403);
    assertThat(server.alerts.tested).isEmpty();
    assertThat(audit()).isEmpty();
  }

  @Test
  void viewerActsOnNothing() {
    assertThat(act("viewer", "take", TAKE.formatted("dead-letters", "outbox"))).isEqualTo(403);
    assertThat(act("viewer", "silences", SILENCE.formatted("*", "*"))).isEqualTo(403);
    assertThat(act("viewer", "silences/lift", "{\"id\":\"1\",\"reason\":\"x\"}")).isEqualTo(403);
    assertThat(audit()).isEmpty();
  }

  @Test
  void operatorOfSomeDestinationsSeesOnlyTheirAlerts() {
    act("operator", "silences", SILENCE.formatted("circuit-open", "kafka:payments"));
    act("operator", "silences", SILENCE.formatted("dead-letters", "*"));

    assertThat(alerts("orders"))
        .contains("kafka:orders", "\"silences\":[]", "\"firing\":1,")
        .doesNotContain("kafka:payments", "outbox", "node-1");
    assertThat(alerts("accounts"))
        .contains("kafka:orders", "kafka:payments", "\"firing\":2,")
        .doesNotContain("outbox", "node-1", "\"subject\":\"*\"");
  }

  @ParameterizedTest
  @CsvSource({
    "orders, dead-letters, outbox",
    "orders, circuit-open, kafka:payments",
    "accounts, dead-letters, outbox",
    "accounts, node-silent, node-1",
  })
  void alertOfOthersIsNotThere(String key, String rule, String subject) {
    assertThat(act(key, "take", TAKE.formatted(rule, subject))).isEqualTo(404);
    assertThat(act(key, "silences", SILENCE.formatted(rule, subject))).isEqualTo(404);
    assertThat(audit()).isEmpty();
  }

  /** A pattern is within a scope only if all that it fits is. */
  @ParameterizedTest
  @CsvSource({
    "orders, kafka:orders, 200",
    "orders, kafka:orders-*, 200",
    "orders, kafka:order*, 404",
    "orders, *, 404",
    "accounts, kafka:*, 200",
    "accounts, *, 404",
    "accounts, *:orders, 404",
  })
  void silenceCoversNoMoreThanTheScope(String key, String subject, int status) {
    assertThat(act(key, "silences", SILENCE.formatted("*", subject))).isEqualTo(status);
    assertThat(server.alerts.silences).hasSize(status == 200 ? 1 : 0);
  }

  @Test
  void silenceOfOthersCannotBeLifted() {
    act("operator", "silences", SILENCE.formatted("*", "kafka:payments"));

    assertThat(act("orders", "silences/lift", "{\"id\":\"1\",\"reason\":\"x\"}")).isEqualTo(404);
    assertThat(server.alerts.silences).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "take|{}|rule: no characters",
        "take|{\"rule\":\"a\",\"subject\":\" \",\"reason\":\"x\"}|subject: 1 characters",
        "take|{\"rule\":\"a\",\"subject\":\"b\"}|reason: 0 characters",
        "take|{\"rule\":\"a\",\"subject\":\"b\",\"why\":\"x\"}|unknown field 'why'",
        "silences|{\"rule\":\"*\",\"subject\":\"*\",\"reason\":\"x\"}|minutes: null",
        "silences|{\"rule\":\"*\",\"subject\":\"*\",\"minutes\":0,\"reason\":\"x\"}|1..43200",
        "silences|{\"rule\":\"*\",\"subject\":\"*\",\"minutes\":43201,\"reason\":\"x\"}|1..43200",
        "silences|{\"rule\":\"*\",\"subject\":\"*\",\"minutes\":60}|reason: 0 characters",
        "silences|{\"rule\":\"*\",\"subject\":\"a\\u0000\",\"minutes\":9,\"reason\":\"x\"}|no line has",
        "silences|{\"rule\":\"*\",\"subject\":\"a\\ud800\",\"minutes\":9,\"reason\":\"x\"}|no line has",
        "silences|{\"rule\":\"\\n\",\"subject\":\"*\",\"minutes\":9,\"reason\":\"x\"}|rule: 1 characters",
        "silences/lift|{\"id\":\"one\",\"reason\":\"x\"}|id: ",
        "silences/lift|{\"id\":1,\"reason\":\"x\"}|id: another type",
        "test|{\"channel\":\"log\"}|reason: 0 characters",
      })
  void wrongInputIsRefused(String act, String body, String detail) {
    var answer = server.call("admin", "POST", "default/alerts/" + act, body);

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("INVALID", detail);
    assertThat(audit()).isEmpty();
  }

  /** An address may have a password; who sees the alert may act on it all the same. */
  @Test
  void secretOfAnAddressIsNotShown() {
    add("circuit-open", "http:https://user:pw@host/in?k=1", AlertState.FIRING, Severity.INFO);

    assertThat(alerts("viewer"))
        .contains("\"subject\":\"http:https://host/in\"", "wrong with http:https://host/in\"")
        .doesNotContain("pw@", "k=1");
    assertThat(act("operator", "take", TAKE.formatted("circuit-open", "http:https://host/in")))
        .isEqualTo(200);
    assertThat(
            act("operator", "silences", SILENCE.formatted("circuit-open", "http:https://host/in")))
        .isEqualTo(200);
    assertThat(server.alerts.silences)
        .extracting(each -> each.subject())
        .containsExactly("http:https://user:pw@host/in?k=1");
    assertThat(alerts("viewer")).doesNotContain("pw@", "k=1");
  }

  @Test
  void pulseCountsWhatNobodyHasTakenWithOneReading() {
    String all = server.call("viewer", "GET", "default/pulse", null).body();
    String some = server.call("orders", "GET", "default/pulse", null).body();

    assertThat(all)
        .contains(
            "\"alerts\":{\"firing\":{\"count\":3,\"atLeast\":false},"
                + "\"critical\":{\"count\":2,\"atLeast\":false}}");
    assertThat(some).contains("\"alerts\":{\"firing\":{\"count\":1,");
    assertThat(server.alerts.reads).hasValue(1);

    act("operator", "take", TAKE.formatted("dead-letters", "outbox"));
    clock.advance(Duration.ofSeconds(2));
    assertThat(server.call("viewer", "GET", "default/pulse", null).body())
        .contains("\"alerts\":{\"firing\":{\"count\":2,");
  }

  @Test
  void databaseWithoutAlertsHasNoneOfIt() {
    assertThat(server.call("viewer", "GET", "databases", null).body())
        .contains(
            "\"name\":\"default\",\"product\":\"H2\",\"history\":false,\"features\":[\"alerts\",\"series\",\"confirmations\",\"reconciliation\"]")
        .contains("\"name\":\"plain\",\"product\":\"H2\",\"history\":false,\"features\":[]");
    assertThat(server.call("viewer", "GET", "plain/alerts", null).statusCode()).isEqualTo(404);
    assertThat(
            server
                .call("operator", "POST", "plain/alerts/take", TAKE.formatted("a", "b"))
                .statusCode())
        .isEqualTo(404);
    assertThat(server.call("viewer", "GET", "plain/pulse", null).body())
        .contains("\"alerts\":null");
  }
}
