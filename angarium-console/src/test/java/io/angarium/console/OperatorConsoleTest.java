package io.angarium.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.MessageId;
import io.angarium.console.access.Grant;
import io.angarium.console.access.KeyAccess;
import io.angarium.console.access.Operator;
import io.angarium.console.access.Right;
import io.angarium.console.access.TicketAccess;
import io.angarium.console.internal.http.ApiRoute;
import io.angarium.console.settings.ConsoleSettings;
import io.angarium.testkit.ManualClock;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OperatorConsoleTest {
  private static final String REQUEUE =
      "{\"act\":\"requeue\",\"ids\":[\"%s\"],\"reason\":\"repaired\"}";

  private final ManualClock clock = new ManualClock(FakeDesk.NOW);
  private final TicketAccess tickets = new TicketAccess(clock);
  private ConsoleUnderTest server;
  private MessageId order;
  private MessageId payment;

  @BeforeEach
  void open() {
    server = open(ConsoleSettings.of("1.0"));
    order = server.desk.add("kafka:orders", "order");
    payment = server.desk.add("kafka:payments", "payment");
  }

  private ConsoleUnderTest open(ConsoleSettings settings) {
    KeyAccess keys =
        TestKeys.of(
            Operator.ofAll("viewer", Right.VIEWER),
            Operator.ofAll("operator", Right.OPERATOR),
            Operator.ofAll("admin", Right.ALL),
            of("orders", List.of("kafka:orders*"), List.of("*")),
            of("accounts", List.of("*"), List.of("payment")));
    return new ConsoleUnderTest(clock, settings, keys, tickets);
  }

  private static Operator of(String name, List<String> destinations, List<String> businesses) {
    return new Operator(name, List.of(new Grant(Right.OPERATOR, destinations, businesses)));
  }

  @AfterEach
  void close() {
    server.close();
  }

  private int status(@Nullable String key, String method, String path, @Nullable String body) {
    return server.call(key, method, path, body).statusCode();
  }

  private static String pathOf(ApiRoute route) {
    return route.path().replace("{db}", "default").replace("{id}", UUID.randomUUID().toString());
  }

  @Test
  void noRouteTellsAStrangerAnything() {
    List<ApiRoute> closed =
        server.console.routes().stream().filter(route -> route.right() != null).toList();

    assertThat(closed).hasSizeGreaterThan(15);
    assertThat(closed)
        .allSatisfy(
            route -> {
              assertThat(status(null, route.method(), pathOf(route), "{}")).isEqualTo(401);
              assertThat(status("wrong", route.method(), pathOf(route), "{}")).isEqualTo(401);
            });
    assertThat(server.console.routes())
        .filteredOn(route -> route.right() == null)
        .extracting(ApiRoute::path)
        .containsExactlyInAnyOrder("sign-in", "sign-in", "sign-out", "openapi.json");
  }

  @Test
  void viewerCanMakeNoCallThatActs() {
    assertThat(server.console.routes())
        .filteredOn(ApiRoute::acts)
        .filteredOn(route -> route.right() != null)
        .isNotEmpty()
        .allSatisfy(
            route ->
                assertThat(status("viewer", route.method(), pathOf(route), "{}")).isEqualTo(403));
    assertThat(status("viewer", "GET", "default/messages/" + order.value() + "/raw", null))
        .isEqualTo(403);
    assertThat(server.desk.dead).hasSize(2);
  }

  @Test
  void readOnlyTakesActsFromEverybody() {
    try (ConsoleUnderTest quiet =
        open(new ConsoleSettings("1.0", true, true, true, Set.of(), null, null, null))) {
      MessageId id = quiet.desk.add("kafka:orders", "order");

      int acted =
          quiet
              .call("admin", "POST", "default/messages/acts", REQUEUE.formatted(id.value()))
              .statusCode();

      assertThat(acted).isEqualTo(403);
      assertThat(quiet.desk.dead).hasSize(1);
      assertThat(quiet.call("admin", "GET", "default/pulse", null).statusCode()).isEqualTo(200);
    }
  }

  /** Each route with what is in the scope of an operator, and with what is not. */
  @ParameterizedTest
  @CsvSource({"orders, true", "accounts, false"})
  void whatIsOutOfScopeIsNotThere(String key, boolean ordersAreMine) {
    MessageId mine = ordersAreMine ? order : payment;
    MessageId other = ordersAreMine ? payment : order;
    String others = "default/messages/" + other.value();

    assertThat(server.call(key, "POST", "default/messages/search", "{}").body())
        .contains(mine.value().toString())
        .doesNotContain(other.value().toString());
    assertThat(server.call(key, "POST", "default/causes", "{\"filter\":{}}").body())
        .contains("\"of\":{\"count\":1,");
    assertThat(status(key, "GET", others, null)).isEqualTo(404);
    assertThat(status(key, "GET", others + "/payload", null)).isEqualTo(404);
    assertThat(status(key, "GET", others + "/raw", null)).isEqualTo(404);
    assertThat(status(key, "GET", "default/messages/" + mine.value(), null)).isEqualTo(200);
    assertThat(
            server
                .call(key, "POST", "default/messages/acts", REQUEUE.formatted(other.value()))
                .body())
        .contains("\"done\":[]")
        .contains("\"notFound\":[\"" + other.value());
    assertThat(
            server
                .call(
                    key,
                    "POST",
                    "default/keys/view",
                    "{\"destination\":\"kafka:orders\",\"key\":\"key-1\"}")
                .body())
        .doesNotContain(other.value().toString());
    assertThat(server.desk.dead).hasSize(2);
  }

  /** A number could tell as much as a list. */
  @Test
  void numbersOfAnOperatorAreThoseOfItsScope() {
    String all = server.call("viewer", "GET", "default/pulse", null).body();
    String mine = server.call("orders", "GET", "default/pulse", null).body();

    assertThat(all).contains("\"dead\":{\"count\":2,");
    assertThat(mine).contains("\"dead\":{\"count\":1,").contains("\"deadLastHour\":null");
    assertThat(server.call("orders", "GET", "default/destinations", null).body())
        .contains("kafka:orders")
        .doesNotContain("kafka:payments");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "1|-|-|200",
        "1|same-origin|own|200",
        "1|none|-|200",
        "-|-|-|403",
        "0|same-origin|own|403",
        "1|cross-site|-|403",
        "1|same-site|own|403",
        "1|-|http://evil.example|403",
        "1|-|null|403",
        "1|same-origin|http://127.0.0.1:1|403",
      })
  void actComesFromTheOwnPageOrFromAProgram(
      @Nullable String header, @Nullable String site, @Nullable String origin, int status) {
    var request =
        server
            .request("api/v1/default/messages/acts")
            .header("Authorization", "Bearer operator")
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(REQUEUE.formatted(order.value())));
    if (header != null) {
      request.header("Angarium-Console", header);
    }
    if (site != null) {
      request.header("Sec-Fetch-Site", site);
    }
    if (origin != null) {
      request.header("Origin", origin.equals("own") ? "http://" + server.authority() : origin);
    }

    assertThat(server.send(request).statusCode()).isEqualTo(status);
    assertThat(server.desk.dead).hasSize(status == 200 ? 1 : 2);
  }

  @Test
  void everyAnswerTellsBrowsersWhatIsAllowed() {
    for (String path : List.of("", "assets/1.0/main.js", "api/v1/me", "nothing", "assets/0/x.js")) {
      var answer = server.send(server.request(path));

      assertThat(answer.headers().firstValue("Content-Security-Policy").orElse(""))
          .as(path)
          .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
          .contains("require-trusted-types-for 'script'")
          .doesNotContain("unsafe");
      assertThat(answer.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
      assertThat(answer.headers().firstValue("Referrer-Policy")).hasValue("no-referrer");
      assertThat(answer.headers().firstValue("X-Frame-Options")).hasValue("DENY");
    }
    assertThat(server.call("viewer", "GET", "me", null).headers().firstValue("Cache-Control"))
        .hasValue("no-store");
  }

  @Test
  void filesOfTheVersionAreKeptByBrowsersAndOthersAreUnknown() {
    var file = server.send(server.request("assets/1.0/main.js").header("Accept-Encoding", "gzip"));

    assertThat(file.headers().firstValue("Cache-Control").orElse("")).contains("immutable");
    assertThat(file.headers().firstValue("Content-Encoding")).hasValue("gzip");
    assertThat(server.send(server.request("assets/0.9/main.js")).statusCode()).isEqualTo(404);
    assertThat(server.send(server.request("assets/1.0/index.html")).statusCode()).isEqualTo(404);
    assertThat(server.send(server.request("")).body()).contains("assets/1.0/main.js");
  }

  private String signIn(String key) {
    var answer = server.call(null, "POST", "sign-in", "{\"key\":\"" + key + "\"}");
    assertThat(answer.statusCode()).isEqualTo(204);
    return cookieOf(answer.headers().firstValue("Set-Cookie").orElseThrow());
  }

  private static String cookieOf(String header) {
    assertThat(header).contains("HttpOnly", "SameSite=Strict", "Path=/");
    return header.substring(0, header.indexOf(';'));
  }

  private int me(String cookie) {
    return server.send(server.request("api/v1/me").header("Cookie", cookie)).statusCode();
  }

  @Test
  void keyIsExchangedForACookieThatEndsWithTheSession() {
    String cookie = signIn("operator");

    assertThat(me(cookie)).isEqualTo(200);
    assertThat(cookie).doesNotContain("operator");
    server.send(
        server
            .request("api/v1/sign-out")
            .header("Cookie", cookie)
            .header("Angarium-Console", "1")
            .POST(BodyPublishers.noBody()));
    assertThat(me(cookie)).as("after the sign-out").isEqualTo(401);
  }

  @Test
  void sessionEndsWhenItIsNotUsedAndAfterItsLife() {
    String idle = signIn("operator");
    clock.advance(Duration.ofMinutes(31));
    assertThat(me(idle)).isEqualTo(401);

    String used = signIn("operator");
    for (int minutes = 0; minutes < 8 * 60; minutes += 20) {
      var answer = server.send(server.request("api/v1/me").header("Cookie", used));
      assertThat(answer.statusCode()).as("after %d minutes", minutes).isEqualTo(200);
      used =
          answer.headers().firstValue("Set-Cookie").map(OperatorConsoleTest::cookieOf).orElse(used);
      clock.advance(Duration.ofMinutes(20));
    }
    clock.advance(Duration.ofMinutes(1));
    assertThat(me(used)).isEqualTo(401);
  }

  @Test
  void forgedCookieIsNone() {
    String cookie = signIn("viewer");
    String value = cookie.substring(cookie.indexOf('=') + 1);
    String[] parts = value.split("\\.", -1);
    parts[1] =
        Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString("admin".getBytes(StandardCharsets.UTF_8));

    assertThat(me("angarium-console=" + String.join(".", parts))).isEqualTo(401);
    assertThat(me("angarium-console=")).isEqualTo(401);
    assertThat(me("angarium-console=a.b.c")).isEqualTo(401);
    assertThat(me("angarium-console=" + value + "x")).isEqualTo(401);
  }

  @Test
  void keysCannotBeGuessedAtSpeed() {
    for (int i = 0; i < 5; i++) {
      assertThat(status(null, "POST", "sign-in", "{\"key\":\"guess\"}")).isEqualTo(401);
    }

    var sixth = server.call(null, "POST", "sign-in", "{\"key\":\"operator\"}");

    assertThat(sixth.statusCode()).isEqualTo(429);
    assertThat(sixth.headers().firstValue("Retry-After")).hasValue("60");
    clock.advance(Duration.ofMinutes(1));
    assertThat(status(null, "POST", "sign-in", "{\"key\":\"operator\"}")).isEqualTo(204);
  }

  @Test
  void ticketIsUsedOnceAndLeavesTheAddress() {
    String ticket = tickets.issue();

    var first = server.send(server.request("?ticket=" + ticket));
    var second = server.send(server.request("?ticket=" + ticket));

    assertThat(first.statusCode()).isEqualTo(303);
    assertThat(first.headers().firstValue("Location")).hasValue("./");
    assertThat(me(cookieOf(first.headers().firstValue("Set-Cookie").orElseThrow()))).isEqualTo(200);
    assertThat(second.statusCode()).as("leads to the page, which asks to sign in").isEqualTo(303);
    assertThat(second.headers().firstValue("Set-Cookie")).isEmpty();
  }

  @Test
  void ticketEndsAndIsForThisMachineAlone() {
    String ticket = tickets.issue();

    var forwarded =
        server.send(server.request("?ticket=" + ticket).header("X-Forwarded-For", "10.0.0.1"));
    clock.advance(TicketAccess.VALID);
    var late = server.send(server.request("?ticket=" + ticket));

    assertThat(forwarded.headers().firstValue("Set-Cookie")).isEmpty();
    assertThat(late.headers().firstValue("Set-Cookie")).isEmpty();
    assertThat(late.headers().firstValue("Location")).hasValue("./");
  }

  @Test
  void payloadsAndHeadersAreMaskedAndRevealingIsNoted() {
    String path = "default/messages/" + order.value();

    String masked = server.call("operator", "GET", path + "/payload?stage=dead", null).body();
    String details = server.call("operator", "GET", path, null).body();
    assertThat(masked).contains("9007199254740993123").doesNotContain("4111");
    assertThat(details)
        .doesNotContain("Bearer secret")
        .contains("\"traceId\":\"0af7651916cd43dd8448eb211c80319c\"");
    assertThat(server.desk.entries).isEmpty();
    assertThat(status("viewer", "GET", path + "/payload?stage=dead&reveal=true", null))
        .isEqualTo(403);

    String revealed =
        server.call("operator", "GET", path + "/payload?stage=dead&reveal=true", null).body();
    var raw = server.call("operator", "GET", path + "/raw?stage=dead", null);

    assertThat(revealed).contains("4111");
    assertThat(raw.body()).isEqualTo(FakeDesk.PAYLOAD);
    assertThat(raw.headers().firstValue("Content-Disposition").orElse("")).startsWith("attachment");
    assertThat(server.desk.entries)
        .extracting(each -> each.by().decision().by() + " " + each.act() + " " + each.target())
        .containsExactly("operator download " + order.value(), "operator reveal " + order.value());
  }

  @Test
  void openPagesShareOneReading() {
    for (int i = 0; i < 10; i++) {
      server.call("viewer", "GET", "default/pulse", null);
      server.call("operator", "GET", "default/pulse", null);
    }
    assertThat(server.desk.overviews).hasValue(1);

    clock.advance(Duration.ofSeconds(2));
    var answer = server.call("viewer", "GET", "default/pulse", null);
    String tag = answer.headers().firstValue("ETag").orElseThrow();
    var same =
        server.send(
            server
                .request("api/v1/default/pulse")
                .header("Authorization", "Bearer viewer")
                .header("If-None-Match", tag));

    assertThat(server.desk.overviews).hasValue(2);
    assertThat(same.statusCode()).isEqualTo(304);
    assertThat(same.body()).isEmpty();
  }

  @Test
  void databaseThatIsAwayIsToldWithoutItsWords() {
    server.desk.away = true;

    var answer = server.call("viewer", "POST", "default/messages/search", "{}");

    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body()).contains("DATABASE_AWAY").doesNotContain("outbox_dead");
    assertThat(answer.headers().firstValue("Retry-After")).isPresent();
  }

  @Test
  void descriptionHasEveryCall() {
    String description = server.call(null, "GET", "openapi.json", null).body();

    assertThat(server.console.routes())
        .allSatisfy(
            route -> {
              assertThat(description).contains("\"/" + route.path() + "\"");
              assertThat(route.summary()).isNotBlank();
            });
  }

  @Test
  void consoleWithoutAWayInIsNone() {
    assertThatThrownBy(
            () -> new OperatorConsole(ConsoleSettings.of("1"), List.of(), List.of(), clock))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("console: 0 databases and 0 ways in (expected: at least one of each)");
  }
}
