package io.angarium.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.MessageId;
import io.angarium.console.access.Grant;
import io.angarium.console.access.Operator;
import io.angarium.console.access.Right;
import io.angarium.console.settings.ConsoleSettings;
import io.angarium.desk.ActBy;
import io.angarium.desk.AuditEntry;
import io.angarium.desk.AuditQuery;
import io.angarium.reconciliation.Digest;
import io.angarium.reconciliation.Report;
import io.angarium.reconciliation.StoredReport;
import io.angarium.reconciliation.Window;
import io.angarium.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which entries of the audit an operator sees whose grants do not cover everything. */
class AuditCallsTest {
  private static final Pattern REASON = Pattern.compile("\"reason\":\"([^\"]*)\"");
  private static final Pattern DETAILS = Pattern.compile("\"details\":\"([^\"]*)\"");
  private static final Pattern NEXT = Pattern.compile("\"next\":\"(\\d+)\"");

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
                of("orders", List.of("kafka:orders*"), List.of("*")),
                of("accounts", List.of("*"), List.of("payment")),
                new Operator(
                    "acting",
                    List.of(new Grant(Set.of(Right.OPERATE), List.of("*"), List.of("*"))))));
    order = server.desk.add("kafka:orders", "order");
    payment = server.desk.add("kafka:payments", "payment");
  }

  private static Operator of(String name, List<String> destinations, List<String> businesses) {
    return new Operator(name, List.of(new Grant(Right.OPERATOR, destinations, businesses)));
  }

  @AfterEach
  void close() {
    server.close();
  }

  /** Adds an entry whose reason is what the tests tell it by. */
  private void note(String by, String kind, String target, String reason) {
    server.desk.note(AuditEntry.of(ActBy.of(by, reason, ActBy.Via.API), "act", kind, target, null));
  }

  private String body(String key, String query) {
    return server.call(key, "GET", "default/audit" + query, null).body();
  }

  private List<String> reasons(String key, String query) {
    return all(REASON, body(key, query));
  }

  private static List<String> all(Pattern pattern, String text) {
    List<String> found = new ArrayList<>();
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
      found.add(matcher.group(1));
    }
    return found;
  }

  private static @Nullable String next(String body) {
    return all(NEXT, body).stream().findFirst().orElse(null);
  }

  @ParameterizedTest
  @CsvSource({"orders, true", "accounts, false"})
  void entriesAboutMessagesAreThoseOfTheScope(String key, boolean ordersAreMine) {
    note("ann", "message", order.value().toString(), "about the order");
    note("ann", "message", payment.value().toString(), "about the payment");
    note("ann", "message", UUID.randomUUID().toString(), "about one that is gone");
    note("ann", "message", "no id", "about nothing");

    assertThat(reasons(key, ""))
        .containsExactly(ordersAreMine ? "about the order" : "about the payment");
    assertThat(reasons(key, "?target=" + (ordersAreMine ? payment : order).value())).isEmpty();
    assertThat(reasons("viewer", "")).hasSize(4);
  }

  @Test
  void entriesAboutDestinationsAreThoseOfTheScope() {
    note("ann", "destination", "kafka:orders-2", "mine");
    note("ann", "destination", "kafka:payments", "another");
    note("ann", "destination", "kafka:*", "more than mine");
    note("ann", "destination", "*", "everything");

    assertThat(reasons("orders", "")).containsExactly("mine");
  }

  @Test
  void entriesAboutAlertsAndReportsAreThoseOfTheScope() {
    note("ann", "alert", "dead-letters kafka:orders", "mine");
    note("ann", "silence", "* kafka:orders*", "silence of mine");
    note("ann", "alert", "dead-letters kafka:payments", "another");
    note("ann", "alert", "oldest-waiting outbox", "outbox");
    note("ann", "silence", "* *", "all");
    note("ann", "silence", "17", "lifted");
    note("ann", "report", keep("kafka:orders") + " orders", "report of mine");
    note("ann", "report", keep("kafka:payments") + " payments", "report of another");
    note("ann", "report", keep(null) + " tables", "report of tables");
    note("ann", "report", "99 orders", "report that is gone");

    assertThat(reasons("orders", "")).containsExactly("report of mine", "silence of mine", "mine");
  }

  private long keep(@Nullable String destination) {
    Window window = new Window(FakeDesk.NOW.minus(Duration.ofHours(1)), FakeDesk.NOW);
    Report agreeing =
        new Report(window, Digest.NONE, Digest.NONE, List.of(), List.of(), List.of(), true);
    server.reports.keep("task of " + destination, destination, agreeing);
    return server.reports.latest(1).stream().mapToLong(StoredReport::id).max().orElseThrow();
  }

  @Test
  void entriesOfOtherKindsAreNotShownAndThoseOfOnesOwnAlwaysAre() {
    note("ann", "channel", "mail", "channel");
    note("ann", "operation", "kafka:orders", "operation");
    note("orders", "channel", "mail", "my channel");
    note("orders", "message", payment.value().toString(), "when it was mine");
    note("ORDERS", "channel", "mail", "somebody else");

    assertThat(reasons("orders", "")).containsExactly("when it was mine", "my channel");
  }

  @Test
  void pagesGoThroughEntriesOfWhichFewAreMine() {
    int pages = 8;
    for (int i = 0; i < pages * AuditQuery.LIMIT_MAX; i++) {
      boolean mine = i % 400 == 0;
      note("ann", "message", (mine ? order : payment).value().toString(), "n" + i);
    }

    List<String> found = new ArrayList<>();
    int calls = 0;
    String next = null;
    do {
      String body = body("orders", "?limit=2" + (next == null ? "" : "&before=" + next));
      found.addAll(all(REASON, body));
      next = next(body);
      calls++;
    } while (next != null && calls < 20);

    assertThat(found)
        .isEqualTo(
            IntStream.iterate(1200, i -> i >= 0, i -> i - 400).mapToObj(i -> "n" + i).toList());
    assertThat(calls).isBetween(3, 5);
  }

  @Test
  void entryAboutARedirectedMessageDoesNotNameWhereItCameFrom() {
    String details = "changed destination kafka:payments to kafka:orders";
    for (String by : List.of("ann", "orders")) {
      server.desk.note(
          AuditEntry.of(
              ActBy.of(by, by, ActBy.Via.API),
              "correct",
              "message",
              order.value().toString(),
              details));
    }

    assertThat(all(DETAILS, body("orders", ""))).containsExactly(details);
    assertThat(all(DETAILS, body("viewer", ""))).containsExactly(details, details);
  }

  /** The acts of a message are in its timeline, for those who may see the message. */
  @Test
  void timelineOfAMessageHasItsActs() {
    note("ann", "message", order.value().toString(), "about the order");

    assertThat(server.call("orders", "GET", "default/messages/" + order.value(), null).body())
        .contains("about the order");
    assertThat(
            server.call("accounts", "GET", "default/messages/" + order.value(), null).statusCode())
        .isEqualTo(404);
  }

  @Test
  void rightToActAloneShowsNothing() {
    note("ann", "message", order.value().toString(), "about the order");

    assertThat(server.call("acting", "GET", "default/audit", null).statusCode()).isEqualTo(403);
  }
}
