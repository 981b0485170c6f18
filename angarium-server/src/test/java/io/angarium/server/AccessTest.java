package io.angarium.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.StoreException;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfState;
import io.angarium.half.NotPermittedException;
import io.angarium.http.half.HttpHalfConfig;
import io.angarium.http.half.HttpHalfMessages;
import io.angarium.intake.MessageIntake;
import io.angarium.server.access.Caller;
import io.angarium.server.settings.Permission;
import io.angarium.server.settings.ServerProperties;
import io.angarium.testkit.ManualClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may do what. */
class AccessTest {
  private static final String BATCH = "/v1/half-messages/batch";

  private static ServerUnderTest guarded;
  private static ServerUnderTest open;

  @BeforeAll
  static void start() {
    open = ServerUnderTest.open("angarium.relay.enabled=false");
    guarded =
        ServerUnderTest.open(
            "angarium.relay.enabled=false",
            "angarium.server.api-keys.tests.hashes=" + ServerUnderTest.HASH,
            "angarium.server.api-keys.tests.businesses=*",
            "angarium.server.api-keys.tests.destinations=*",
            "angarium.server.api-keys.shop.hashes="
                + ServerUnderTest.hash("old")
                + ","
                + ServerUnderTest.hash("new"),
            "angarium.server.api-keys.shop.businesses=order-*,payment",
            "angarium.server.api-keys.shop.destinations=kafka:orders,http:*",
            "angarium.server.api-keys.shop.payload-max=10B",
            "angarium.server.api-keys.watch.hashes=" + ServerUnderTest.hash("watch"),
            "angarium.server.api-keys.watch.businesses=*",
            "angarium.server.api-keys.watch.steps=read",
            "angarium.server.api-keys.slow.hashes=" + ServerUnderTest.hash("slow"),
            "angarium.server.api-keys.slow.businesses=*",
            "angarium.server.api-keys.slow.destinations=*",
            "angarium.server.api-keys.slow.rate=1");
  }

  @AfterAll
  static void stop() {
    guarded.close();
    open.close();
  }

  private static HttpHalfMessages as(String key) {
    return HttpHalfMessages.open(
        HttpHalfConfig.of(guarded.address()).apiKey(key), MessageIntake.of(null));
  }

  private static HalfMessage message(String business, String key, String destination) {
    return HalfMessage.of(new HalfKey(business, key), Message.of(destination, new byte[1]));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Bearer", "Bearer wrong", "Basic b2xkOg==", "Bearer ", "old"})
  void nobodyGetsInWithoutAKeyThatIsKnown(String authorization) {
    for (String path : List.of(BATCH, "/v1/half-messages/b/k/commit", "/actuator/env", "/x")) {
      var request = guarded.request(path).POST(BodyPublishers.noBody());
      if (!authorization.isEmpty()) {
        request.setHeader("Authorization", authorization);
      }

      HttpResponse<String> answered = guarded.send(request);

      assertThat(answered.statusCode()).isEqualTo(401);
      assertThat(answered.headers().firstValue("WWW-Authenticate"))
          .hasValue(
              "Bearer realm=\"angarium\""
                  + (authorization.endsWith(" wrong") ? ", error=\"invalid_token\"" : ""));
      assertThat(answered.body()).contains("\"code\":\"UNAUTHENTICATED\"");
    }
  }

  @Test
  void clientWithAWrongKeyIsToldWhatToDo() {
    try (HttpHalfMessages half = as("wrong")) {
      assertThatThrownBy(() -> half.prepare(message("order-paid", "1", "kafka:orders")))
          .isInstanceOf(NotPermittedException.class)
          .hasMessageContaining("angarium.server.api-keys");
      assertThatThrownBy(() -> half.state(new HalfKey("order-paid", "1")))
          .isInstanceOf(NotPermittedException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"old", "new"})
  void eachKeyOfACallerIsTakenWhileOneIsExchanged(String key) {
    try (HttpHalfMessages half = as(key)) {
      assertThat(half.prepare(message("order-paid", key, "kafka:orders")))
          .isEqualTo(HalfState.PREPARED);
      assertThat(half.prepare(message("payment", key, "http:hook"))).isEqualTo(HalfState.PREPARED);
      assertThat(half.commit(new HalfKey("payment", key))).isEqualTo(HalfState.COMMITTED);
    }
  }

  @Test
  void callerMayDoWhatItIsPermittedAndNothingElse() {
    try (HttpHalfMessages shop = as("new");
        HttpHalfMessages watch = as("watch")) {
      assertNotPermitted(() -> shop.prepare(message("stock", "1", "kafka:orders")), "businesses");
      assertNotPermitted(
          () -> shop.prepare(message("payments", "1", "kafka:orders")), "businesses");
      assertNotPermitted(() -> shop.prepare(message("order-1", "1", "kafka:o")), "destinations");
      assertNotPermitted(() -> shop.prepare(message("order-1", "1", "orders")), "destinations");
      assertNotPermitted(() -> shop.commit(new HalfKey("stock", "1")), "businesses");
      assertNotPermitted(() -> shop.rollback(new HalfKey("stock", "1")), "businesses");
      assertNotPermitted(() -> shop.state(new HalfKey("stock", "1")), "businesses");
      assertNotPermitted(() -> watch.prepare(message("stock", "1", "kafka:orders")), "steps");
      assertNotPermitted(() -> watch.commit(new HalfKey("stock", "1")), "steps");
      assertNotPermitted(() -> watch.rollback(new HalfKey("stock", "1")), "steps");
      assertThat(watch.state(new HalfKey("stock", "1"))).isEqualTo(HalfState.UNKNOWN);
      HalfMessage large =
          HalfMessage.of(new HalfKey("order-1", "1"), Message.of("kafka:orders", new byte[11]));
      assertThatThrownBy(() -> shop.prepare(large))
          .isInstanceOf(InvalidMessageException.class)
          .hasMessageContaining("at most 10");
    }
  }

  @Test
  void batchWithOneForbiddenCallHasNoEffect() {
    try (HttpHalfMessages shop = as("new")) {
      assertNotPermitted(
          () ->
              shop.callAll(
                  List.of(
                      new HalfCall.Prepare(message("order-1", "batch", "kafka:orders")),
                      new HalfCall.Prepare(message("stock", "batch", "kafka:orders")))),
          "businesses");

      assertThat(shop.state(new HalfKey("order-1", "batch"))).isEqualTo(HalfState.UNKNOWN);
    }
  }

  /** The second call comes within the same second, or the test is slower than that. */
  @Test
  void tooManyCallsAreSentAwayUnharmed() {
    try (HttpHalfMessages slow = as("slow")) {
      List<HalfCall> many = new ArrayList<>();
      for (int i = 0; i < 400; i++) {
        many.add(new HalfCall.Prepare(message("slow", "" + i, "kafka:orders")));
      }
      slow.callAll(many);

      assertThatThrownBy(() -> slow.commit(new HalfKey("slow", "1")))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("TOO_MANY")
          .hasMessageContaining("nothing took effect");
      assertThat(guarded.half().state(new HalfKey("slow", "1"))).isEqualTo(HalfState.PREPARED);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/about.json",
        "/openapi.json",
        "/actuator/health",
        "/actuator/health/liveness",
        "/actuator/health/readiness"
      })
  void anybodyMaySeeTheDescriptionAndTheHealth(String path) {
    assertThat(guarded.send(guarded.request(path)).statusCode()).isEqualTo(200);
  }

  /** A page could otherwise call by a name that it lets point here. */
  @ParameterizedTest
  @ValueSource(strings = {"evil.example", "evil.example:80", "127.0.0.1.evil.example", ""})
  void withoutKeysAnotherNameIsRefused(String host) throws IOException {
    assertThat(statusOf(open.port(), "Host: " + host)).isIn("403", "400");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Origin: http://evil.example", "Sec-Fetch-Site: cross-site"})
  void withoutKeysAPageOfABrowserIsRefused(String header) throws IOException {
    assertThat(statusOf(open.port(), "Host: localhost\r\n" + header)).isEqualTo("403");
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "127.0.0.1:8090", "LOCALHOST:1", "[::1]:8090"})
  void withoutKeysProgramsOfThisMachineAreServed(String host) throws IOException {
    assertThat(statusOf(open.port(), "Host: " + host)).isEqualTo("404");
  }

  /** The status of a commit of an unknown key, which is 404 where it is served. */
  private static String statusOf(int port, String headers) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      String request =
          "POST /v1/half-messages/b/none/commit HTTP/1.1\r\n"
              + headers
              + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return answer.split(" ", 3)[1];
    }
  }

  private interface Call {
    Object make();
  }

  private static void assertNotPermitted(Call call, String property) {
    assertThatThrownBy(call::make)
        .isInstanceOf(NotPermittedException.class)
        .hasMessageContaining("." + property);
  }

  @Test
  void operatingNeedsItsOwnPermission() {
    for (String key : List.of("old", "watch")) {
      HttpResponse<String> page =
          guarded.send(guarded.request("/v1/unresolved").header("Authorization", "Bearer " + key));
      HttpResponse<String> undecided =
          guarded.send(guarded.request("/v1/undecided").header("Authorization", "Bearer " + key));
      HttpResponse<String> decided =
          guarded.send(
              guarded
                  .request("/v1/half-messages/order-1/1/decision")
                  .header("Authorization", "Bearer " + key)
                  .header("Content-Type", "application/json")
                  .POST(BodyPublishers.ofString("{\"step\":\"commit\",\"reason\":\"r\"}")));

      assertThat(page.statusCode()).as(key).isEqualTo(403);
      assertThat(undecided.statusCode()).as(key).isEqualTo(403);
      assertThat(page.headers().firstValue("WWW-Authenticate"))
          .hasValue("Bearer realm=\"angarium\", error=\"insufficient_scope\"");
      assertThat(decided.statusCode()).as(key).isEqualTo(403);
    }
  }

  /** An empty batch would give back what it took. */
  @Test
  void emptyBatchesCountAsCalls() {
    ManualClock clock = ManualClock.create();
    Caller caller =
        Caller.of(
            "slow",
            new ServerProperties.ApiKey(
                List.of(), List.of("*"), List.of("*"), Set.of(Permission.READ), 1, null),
            clock);

    caller.count(1);
    caller.countMore(-1);

    assertThatThrownBy(() -> caller.count(1)).hasMessageContaining("more calls in a second");
  }
}
