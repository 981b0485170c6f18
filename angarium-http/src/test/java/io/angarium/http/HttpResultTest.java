package io.angarium.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.angarium.http.HttpConfig.Timing;
import io.angarium.intake.StoredMessage;
import io.angarium.testkit.ManualClock;
import io.angarium.testservers.FaultProxy;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Failed;
import io.angarium.transport.SendResult.Refused;
import io.angarium.transport.SendResult.Unavailable;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.AbstractStringAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a message, by what its receiver does. */
class HttpResultTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration SHORT = Duration.ofSeconds(1);
  private static final Timing PATIENT = timing(PATIENCE, PATIENCE);

  /** For a receiver that does not answer, except to the question if it is there. */
  private static final Timing HASTY = timing(PATIENCE, SHORT);

  /** For one that does not answer that either. */
  private static final Timing HASTY_IN_ALL = timing(SHORT.multipliedBy(2), SHORT);

  private final HookServer server = new HookServer();
  private final FaultProxy proxy = FaultProxy.to("127.0.0.1", server.port());
  private final ManualClock clock = ManualClock.create();
  private final HttpTransport transport = open(PATIENT);

  private static Timing timing(Duration connect, Duration answer) {
    return new Timing(connect, answer, PATIENCE, Duration.ofMinutes(10));
  }

  private HttpTransport open(Timing timing) {
    return HttpTransport.open(
        HttpConfig.of(HttpHook.of("orders", url("/hooks/secret-path"))).timing(timing),
        clock,
        null);
  }

  private String url(String path) {
    return "http://127.0.0.1:" + proxy.port() + path;
  }

  @AfterEach
  void close() {
    transport.close();
    proxy.close();
    server.close();
  }

  private SendResult send(String path) {
    return Messages.result(transport, Messages.to(url(path)));
  }

  private SendResult send(String path, Timing timing) {
    try (HttpTransport own = open(timing)) {
      return Messages.result(own, Messages.to(url(path)));
    }
  }

  private SendResult answered(int status, String text) {
    server.on("/it", status, text);
    return send("/it");
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 201, 202, 204, 207, 299})
  void successIsAcknowledged(int status) {
    assertThat(answered(status, "")).isEqualTo(SendResult.ACKNOWLEDGED);
    assertThat(server.posts("/it")).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 403, 404, 405, 409, 413, 415, 418, 422, 431, 451, 499})
  void faultsOfTheRequestAreRefusedWithStatusAndText(int status) {
    assertRefused(answered(status, "not this one"))
        .contains(url("/it"), " answered " + status + " (not this one)", "requeue");
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 425, 500, 501, 505, 507, 599})
  void faultsThatMayPassAreFailed(int status) {
    assertFailed(answered(status, "try again")).contains(" answered " + status + " (try again)");
    assertThat(server.asked("/it")).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {429, 503})
  void busyReceiversAreUnavailable(int status) {
    assertUnavailable(answered(status, "busy")).contains(" answered " + status + " (busy)");

    server.on("/it", 204, "");
    assertThat(send("/it")).as("asked again at once").isEqualTo(SendResult.ACKNOWLEDGED);
  }

  @ParameterizedTest
  @ValueSource(ints = {300, 301, 302, 303, 305, 307, 308})
  void redirectsAreRefusedAndNeverFollowed(int status) {
    server
        .on(
            "/it",
            exchange -> {
              exchange.getResponseHeaders().set("Location", server.url("/elsewhere"));
              HookServer.answer(exchange, status, "");
            })
        .on("/elsewhere", 204, "");

    assertRefused(send("/it")).contains(" answered " + status, server.url("/elsewhere"));
    assertThat(server.posts("/elsewhere")).isEmpty();
  }

  @Test
  void textOfTheAnswerIsShortAndOnOneLine() {
    String text = "a\r\n\u0000\u001b[31m\u202eb\tc" + "x".repeat(5_000);

    assertRefused(answered(400, text))
        .contains("(a [31m b c" + "x".repeat(100))
        .hasSizeLessThan(500)
        .doesNotContainPattern("[\\p{Cntrl}\\p{Cf}]");
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 400, 500})
  void endlessAnswerIsReadUpToALimit(int status) {
    server.on(
        "/it",
        exchange -> {
          exchange.sendResponseHeaders(status, 0);
          byte[] much = new byte[8_192];
          while (true) { // until the client has had enough
            exchange.getResponseBody().write(much);
          }
        });

    assertThat(send("/it"))
        .isInstanceOf(
            status == 200
                ? SendResult.Acknowledged.class
                : status == 400 ? Refused.class : Failed.class);
  }

  // ---- Retry-After

  @Test
  void secondsOfRetryAfterAreWaitedWithoutAsking() {
    retryAfter("120");

    assertPausedUntil(Duration.ofMinutes(2));
  }

  /** To the second: that of the date that the server writes. */
  @Test
  void dateOfRetryAfterIsWaitedByTheClockOfTheReceiver() {
    retryAfter(
        DateTimeFormatter.RFC_1123_DATE_TIME.format(
            Instant.now().plusSeconds(90).atZone(ZoneOffset.UTC)));

    clock.advance(Duration.ofSeconds(60));
    assertUnavailable(send("/it")).contains("answered 429");
    clock.advance(Duration.ofSeconds(31));
    assertThat(send("/it")).isEqualTo(SendResult.ACKNOWLEDGED);
  }

  @Test
  void longPausesAreCut() {
    retryAfter("99999999999999");

    assertPausedUntil(PATIENT.pauseMax());
  }

  @ParameterizedTest
  @ValueSource(strings = {"-5", "soon", "", "Thu, 01 Jan 1970 00:00:00 GMT", "1e3"})
  void whatCannotBeReadIsNoPause(String value) {
    retryAfter(value);

    assertThat(send("/it")).isEqualTo(SendResult.ACKNOWLEDGED);
  }

  @Test
  void pauseOfOneAddressIsNotThatOfOthers() {
    retryAfter("120");
    server.on("/other", 204, "");

    assertThat(send("/other")).isEqualTo(SendResult.ACKNOWLEDGED);
    assertUnavailable(send("/it")).contains("answered 429");
  }

  /** Lets the receiver ask once for a pause. */
  private void retryAfter(String value) {
    server.on(
        "/it",
        exchange -> {
          exchange.getResponseHeaders().set("Retry-After", value);
          HookServer.answer(exchange, 429, "");
        });
    assertUnavailable(send("/it")).contains("answered 429");
    server.on("/it", 204, "");
  }

  private void assertPausedUntil(Duration end) {
    int before = server.posts("/it").size();
    clock.advance(end.minusMillis(1));
    assertUnavailable(send("/it")).contains("answered 429");
    assertThat(server.posts("/it")).as("not asked again").hasSize(before);
    clock.advance(Duration.ofMillis(1));
    assertThat(send("/it")).isEqualTo(SendResult.ACKNOWLEDGED);
  }

  // ---- no answer

  @Test
  void messageThatItsReceiverChokesOnFails() {
    server.on("/it", this::onlyOptions);

    assertFailed(send("/it", HASTY))
        .contains("did not answer within 1s", "it answers other requests");
    assertThat(server.asked("/it")).isEqualTo(1);
  }

  private void onlyOptions(com.sun.net.httpserver.HttpExchange exchange)
      throws java.io.IOException {
    if (exchange.getRequestMethod().equals("OPTIONS")) {
      HookServer.answer(exchange, 405, "");
    } else {
      server.hang();
    }
  }

  @Test
  void receiverThatAnswersNothingIsUnavailable() {
    server.on("/it", exchange -> server.hang());

    assertUnavailable(send("/it", HASTY_IN_ALL))
        .contains("did not answer within 1s", "nor does it answer other requests");
  }

  @Test
  void answerThatNeverEndsIsNone() {
    server.on(
        "/it",
        exchange -> {
          if (exchange.getRequestMethod().equals("POST")) {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(1);
            exchange.getResponseBody().flush();
            server.hang();
          }
          HookServer.answer(exchange, 204, "");
        });

    assertFailed(send("/it", HASTY)).contains("did not answer within 1s");
  }

  @ParameterizedTest
  @ValueSource(ints = {502, 504})
  void gatewayWithNobodyBehindItIsUnavailable(int status) {
    assertUnavailable(answered(status, "bad gateway"))
        .contains(" answered " + status + " (bad gateway)", "nor does it answer other requests");
  }

  @ParameterizedTest
  @ValueSource(ints = {502, 504})
  void gatewayWithSomebodyBehindItFailed(int status) {
    server.on(
        "/it",
        exchange ->
            HookServer.answer(
                exchange, exchange.getRequestMethod().equals("POST") ? status : 200, ""));

    assertFailed(send("/it")).contains(" answered " + status);
  }

  @Test
  void messageWhoseConnectionBreaksIsPostedOnceMore() {
    AtomicInteger posts = new AtomicInteger();
    server.on(
        "/it",
        exchange -> {
          if (posts.incrementAndGet() == 1) {
            throw new java.io.IOException("planted by this test");
          }
          HookServer.answer(exchange, 204, "");
        });

    assertThat(send("/it")).isEqualTo(SendResult.ACKNOWLEDGED);
    assertThat(server.posts("/it"))
        .extracting(request -> request.header("Ce-id"))
        .hasSize(2)
        .satisfies(ids -> assertThat(ids.get(0)).isEqualTo(ids.get(1)));
  }

  /** The cut can hit the next connection, too. */
  @ParameterizedTest
  @ValueSource(longs = {0, 5, 40})
  void connectionResetBeforeTheEndOfTheHeadersIsNoAnswer(long bytes) {
    server.on("/it", 400, "no");
    proxy.cutAfter(FaultProxy.Way.TO_CLIENT, bytes);

    SendResult result = send("/it");

    assertThat(result.toString()).containsAnyOf("answered 400 (no)", "broke the connection");
    assertThat(server.posts("/it")).hasSizeBetween(1, 2);
  }

  @Test
  void messageThatBreaksEveryConnectionFails() {
    server.on(
        "/it",
        exchange -> {
          if (exchange.getRequestMethod().equals("POST")) {
            throw new java.io.IOException("planted by this test");
          }
          HookServer.answer(exchange, 404, "");
        });

    assertFailed(send("/it")).contains("broke the connection", "it answers other requests");
    assertThat(server.posts("/it")).hasSize(2);
  }

  @Test
  void connectionThatEndsInTheTextOfASuccessIsNoSuccess() {
    server.on(
        "/it",
        exchange -> {
          exchange.sendResponseHeaders(200, 60_000);
          exchange.getResponseBody().write(new byte[30_000]); // and closes before the rest
        });

    assertFailed(send("/it")).contains("broke the connection: the answer is cut off");
  }

  /** The cut can hit the connection of the question as well. */
  @Test
  void connectionResetInTheTextOfASuccessIsNoSuccess() {
    server.on("/it", 200, "x".repeat(60_000));
    proxy.cutAfter(FaultProxy.Way.TO_CLIENT, 30_000);

    assertThat(send("/it").toString()).contains("broke the connection: the answer is cut off");
  }

  @Test
  void connectionResetInTheTextOfARefusalIsARefusal() {
    server.on("/it", 400, "x".repeat(60_000));
    proxy.cutAfter(FaultProxy.Way.TO_CLIENT, 30_000);

    assertRefused(send("/it")).contains(" answered 400 (xxx");
  }

  @Test
  void receiverThatRefusesConnectionsIsUnavailable() {
    proxy.refuse();

    assertUnavailable(send("/it")).contains(url("/it") + " cannot be reached: ");
  }

  @Test
  void receiverThatDoesNotSpeakHttpIsUnavailable() throws Exception {
    try (ServerSocket mute = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        HttpTransport own =
            HttpTransport.open(
                HttpConfig.allowing("127.0.0.1:" + mute.getLocalPort()).timing(HASTY_IN_ALL))) {
      String address = "http://127.0.0.1:" + mute.getLocalPort() + "/";

      assertUnavailable(Messages.result(own, Messages.to(address))).contains("did not answer");
    }
  }

  @Test
  void hostWithoutAnAddressIsUnavailable() {
    try (HttpTransport own =
        HttpTransport.open(HttpConfig.allowing("nobody.invalid").timing(HASTY_IN_ALL))) {
      assertUnavailable(Messages.result(own, Messages.to("https://nobody.invalid/x")))
          .contains("https://nobody.invalid/x");
    }
  }

  // ---- hooks by name

  @Test
  void reasonsNameTheHookButNotItsPath() {
    server.on("/hooks/secret-path", 400, "no");

    assertRefused(Messages.result(transport, Messages.to("orders")))
        .contains("hook 'orders' at http://127.0.0.1:" + proxy.port() + " answered 400 (no)")
        .doesNotContain("secret-path");
  }

  @Test
  void contentTypeThatCannotBeSentIsRefused() {
    server.on("/it", 204, "");
    StoredMessage message = Messages.to(url("/it"));
    StoredMessage wrong =
        Messages.of(message.message().header("content-type", "text/plain\r\nx-injected: 1"));

    assertRefused(Messages.result(transport, wrong))
        .contains("content-type", "(expected: type/subtype)");
    assertThat(server.posts()).isEmpty();
  }

  private static AbstractStringAssert<?> assertRefused(SendResult result) {
    return assertThat(result)
        .asInstanceOf(type(Refused.class))
        .extracting(Refused::reason)
        .asString();
  }

  private static AbstractStringAssert<?> assertFailed(SendResult result) {
    return assertThat(result)
        .asInstanceOf(type(Failed.class))
        .extracting(Failed::reason)
        .asString();
  }

  private static AbstractStringAssert<?> assertUnavailable(SendResult result) {
    return assertThat(result)
        .asInstanceOf(type(Unavailable.class))
        .extracting(Unavailable::reason)
        .asString();
  }
}
