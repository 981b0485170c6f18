package io.angarium.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import io.angarium.ConfigurationException;
import io.angarium.half.CheckAnswer;
import io.angarium.half.CheckBack;
import io.angarium.half.HalfKey;
import io.angarium.half.Verdict;
import io.angarium.half.check.CheckBackConfig;
import io.angarium.http.check.CheckBackEndpoint;
import io.angarium.http.check.HttpCheckBackConfig;
import io.angarium.http.check.HttpCheckBackTransport;
import io.angarium.http.internal.form.CheckBackJson;
import io.angarium.http.signature.HttpSignature;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What producers are asked over HTTP, and what their answers mean. */
class HttpCheckBackTest {
  private static final HalfKey KEY = new HalfKey("1", "4711");

  private final HookServer producer = new HookServer();
  private final HttpCheckBackConfig config =
      HttpCheckBackConfig.allowing("127.0.0.1:" + producer.port());
  private final HttpCheckBackTransport own = HttpCheckBackTransport.open(config);
  private final HttpCheckBackTransport trustMessage = HttpCheckBackTransport.trustMessage(config);
  private final HttpCheckBackTransport dtm = HttpCheckBackTransport.dtm(config);

  @AfterEach
  void close() {
    own.close();
    trustMessage.close();
    dtm.close();
    producer.close();
  }

  private static List<CheckAnswer> ask(
      HttpCheckBackTransport transport, String address, List<HalfKey> keys) {
    return transport
        .ask(URI.create(address), keys)
        .toCompletableFuture()
        .orTimeout(30, TimeUnit.SECONDS)
        .join();
  }

  private CheckAnswer ask(String path) {
    return ask(own, producer.url(path), List.of(KEY)).get(0);
  }

  private void serve(String path, CheckBackEndpoint endpoint) {
    producer.on(
        path,
        exchange -> {
          String question = new String(last().body(), UTF_8);
          answer(exchange, endpoint.answer(question));
        });
  }

  private static void answer(HttpExchange exchange, CheckBackEndpoint.Reply reply)
      throws IOException {
    HookServer.answer(exchange, reply.status(), reply.body());
  }

  private HookServer.Request last() {
    List<HookServer.Request> requests = producer.requests();
    return requests.get(requests.size() - 1);
  }

  // ---- who asks

  @ParameterizedTest
  @ValueSource(strings = {"", "trustmessage+", "dtm+"})
  void questionOfEveryFormShowsTheCredentialsOfItsHost(String form) {
    HttpCheckBackConfig authorized =
        config.authorized(
            Map.of("127.0.0.1:" + producer.port(), "Bearer hush", "other.example", "Bearer no"));
    try (HttpCheckBackTransport asking =
        form.isEmpty()
            ? HttpCheckBackTransport.open(authorized)
            : form.startsWith("dtm")
                ? HttpCheckBackTransport.dtm(authorized)
                : HttpCheckBackTransport.trustMessage(authorized)) {
      ask(asking, form + producer.url("/check-back"), List.of(KEY));
    }

    assertThat(last().headers().get("Authorization")).containsExactly("Bearer hush");
    assertThat(authorized.toString()).contains("other.example").doesNotContain("hush");
  }

  /** The producer's marker check may take eight seconds, and the loop waits for so long. */
  @Test
  void questionHasAsMuchTimeAsTheLoopGivesIt() {
    assertThat(HttpCheckBackConfig.allowing("shop").answer())
        .isEqualTo(CheckBackConfig.DEFAULTS.timeout())
        .isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void credentialsOfOneHostAreNotShownToAnother() {
    HttpCheckBackConfig authorized =
        config.authorized(Map.of("127.0.0.1", "Bearer of-port-80", "localhost", "Bearer no"));
    try (HttpCheckBackTransport asking = HttpCheckBackTransport.open(authorized)) {
      ask(asking, producer.url("/check-back"), List.of(KEY));
    }

    assertThat(last().headers().get("Authorization")).isNull();
  }

  @Test
  void hostWithCredentialsIsAskedOverHttpsOnly() {
    HttpCheckBackConfig authorized =
        HttpCheckBackConfig.allowing("pay.example", "pay.example:8080", "plain.example")
            .authorized(Map.of("Pay.example", "Basic aGE6aG8=", "pay.example:8080", "Bearer x"));
    try (HttpCheckBackTransport asking = HttpCheckBackTransport.dtm(authorized)) {
      assertThat(asking.refusal("1", URI.create("dtm+https://pay.example/check"))).isEmpty();
      assertThat(asking.refusal("1", URI.create("dtm+http://plain.example/check"))).isEmpty();
      assertThat(asking.refusal("1", URI.create("dtm+http://pay.example/check")))
          .hasValueSatisfying(text -> assertThat(text).contains("(expected: https)"));
      assertThat(asking.refusal("1", URI.create("dtm+http://PAY.example:8080/check"))).isPresent();
    }
  }

  @Test
  void credentialsOfAnotherFormAreListed() {
    assertThatThrownBy(
            () ->
                config.authorized(
                    Map.of(
                        "http://x",
                        "hush",
                        "y",
                        "hush\nhush",
                        "z",
                        " hush",
                        "Z",
                        "hush",
                        "w:0443",
                        "hush")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("half.check.authorizations: 'http://x' (expected: a host")
        .hasMessageContaining("half.check.authorizations.y: its value (expected: words of")
        .hasMessageContaining("half.check.authorizations.z: its value")
        .hasMessageContaining("twice (expected: each host once)")
        .hasMessageContaining("'w:0443' (expected: a host, or host:port")
        .hasMessageNotContaining("hush");
  }

  // ---- our own form

  @Test
  void manyKeysAreOneQuestionAndItsVerdictsKeepTheirOrder() {
    List<HalfKey> keys =
        List.of(
            new HalfKey("order \"paid\"", "1"),
            new HalfKey("order \"paid\"", "a/b?c=d&e%20"),
            new HalfKey("order \"paid\"", "\u8ba2\u5355\n\\"),
            new HalfKey("order \"paid\"", "\ud83d\udce6"),
            new HalfKey("order \"paid\"", "5"));
    List<Verdict> all = List.of(Verdict.values());
    serve(
        "/check-back",
        new CheckBackEndpoint(Map.of("order \"paid\"", key -> all.get(keys.indexOf(key)))));

    List<CheckAnswer> answers = ask(own, producer.url("/check-back"), keys);

    assertThat(answers).extracting(CheckAnswer::verdict).isEqualTo(all);
    assertThat(producer.posts("/check-back")).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"verdicts\":[]}",
        "{\"verdicts\":[\"COMMITTED\",\"COMMITTED\"]}",
        "{\"verdicts\":\"COMMITTED\"}",
        "{\"verdicts\":[\"COMMITTED\"",
        "{\"COMMITTED\":true}",
        "[\"COMMITTED\"]",
        "<html>COMMITTED</html>",
        "COMMITTED",
        ""
      })
  void anAnswerOfAnotherFormIsUnreachable(String body) {
    producer.on("/check-back", 200, body);

    CheckAnswer answer = ask("/check-back");

    assertThat(answer.verdict()).isEqualTo(Verdict.UNREACHABLE);
    assertThat(answer.reason()).isNotBlank();
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"committed\"", "null", "2"})
  void whatIsNoVerdictIsUnknown(String verdict) {
    producer.on("/check-back", 200, "{\"verdicts\":[" + verdict + "]}");

    CheckAnswer answer = ask("/check-back");

    assertThat(answer.verdict()).isEqualTo(Verdict.UNKNOWN);
    assertThat(answer.reason()).isNotBlank();
  }

  @Test
  void otherFieldsArePassedOver() {
    producer.on(
        "/check-back",
        200,
        "{\"verdict\":{\"verdicts\":[\"COMMITTED\"]},\"verdicts\":[\"ROLLED_BACK\"],\"n\":1}");

    CheckAnswer answer = ask("/check-back");

    assertThat(answer).isEqualTo(CheckAnswer.of(Verdict.ROLLED_BACK));
  }

  @ParameterizedTest
  @ValueSource(ints = {201, 204, 301, 302, 307, 400, 401, 404, 409, 425, 429, 500, 502, 503})
  void otherStatusesAreUnreachableWithTheirReason(int status) {
    producer.on("/check-back", status, status == 204 ? "" : "{\"verdicts\":[\"COMMITTED\"]}");

    CheckAnswer answer = ask("/check-back");

    assertThat(answer.verdict()).isEqualTo(Verdict.UNREACHABLE);
    assertThat(answer.reason()).contains("answered " + status, "127.0.0.1");
  }

  @Test
  void redirectsAreNotFollowed() {
    producer.on("/elsewhere", 200, "{\"verdicts\":[\"COMMITTED\"]}");
    producer.on(
        "/check-back",
        exchange -> {
          exchange.getResponseHeaders().add("location", producer.url("/elsewhere"));
          HookServer.answer(exchange, 307, "");
        });

    CheckAnswer answer = ask("/check-back");

    assertThat(answer.verdict()).isEqualTo(Verdict.UNREACHABLE);
    assertThat(producer.requests()).hasSize(1);
  }

  @Test
  void noAnswerInTimeIsUnreachable() {
    producer.on("/check-back", exchange -> producer.hang());
    try (HttpCheckBackTransport hasty =
        HttpCheckBackTransport.open(config.answer(Duration.ofMillis(200)))) {
      CheckAnswer answer = ask(hasty, producer.url("/check-back"), List.of(KEY)).get(0);

      assertThat(answer.verdict()).isEqualTo(Verdict.UNREACHABLE);
      assertThat(answer.reason()).contains("did not answer within 200ms");
    }
  }

  @Test
  void anAnswerThatIsCutOffIsUnreachable() {
    producer.on(
        "/check-back",
        exchange -> {
          exchange.sendResponseHeaders(200, 1_000);
          exchange.getResponseBody().write("{\"verdicts\":[\"COMMITTED\"]}".getBytes(UTF_8));
        });

    assertThat(ask("/check-back").verdict()).isEqualTo(Verdict.UNREACHABLE);
  }

  @Test
  void aProducerThatIsAwayIsUnreachable() {
    String url = producer.url("/check-back");
    producer.close();

    List<CheckAnswer> answers = ask(own, url, List.of(KEY, new HalfKey("1", "4712")));

    assertThat(answers).hasSize(2);
    assertThat(answers)
        .allSatisfy(
            answer -> {
              assertThat(answer.verdict()).isEqualTo(Verdict.UNREACHABLE);
              assertThat(answer.reason()).contains("cannot be reached");
            });
  }

  // ---- TrustMessage's form

  private CheckAnswer askTrustMessage(String path, HalfKey key) {
    return ask(trustMessage, "trustmessage+" + producer.url(path), List.of(key)).get(0);
  }

  @ParameterizedTest
  @CsvSource({
    "1, UNKNOWN",
    "2, COMMITTED",
    "3, ROLLED_BACK",
    "4, UNKNOWN",
    "-1, UNKNOWN",
    "'\"2\"', COMMITTED",
    "'\"3\"', ROLLED_BACK",
    "'\"prepare\"', UNKNOWN",
    "'\"commit\"', COMMITTED",
    "'\"rollback\"', ROLLED_BACK",
    "'\"committed\"', UNKNOWN",
    "null, UNKNOWN",
    "'{\"messageStatus\":2}', UNREACHABLE",
    "'[2]', UNREACHABLE"
  })
  void trustMessagesStatusIsTheVerdict(String status, Verdict verdict) {
    String body =
        "{\"status\":\"200\",\"message\":\"success\",\"data\":{\"messageKey\":\"4711\",\"messageStatus\":"
            + status
            + "}}";
    producer.on("/verifyMessage", 200, body);

    assertThat(askTrustMessage("/verifyMessage", KEY).verdict()).isEqualTo(verdict);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"data\":null}",
        "{\"messageStatus\":2}",
        "{\"data\":2}",
        "2",
        "commit",
        ""
      })
  void anAnswerWithoutAStatusIsUnreachable(String body) {
    producer.on("/verifyMessage", 200, body);

    assertThat(askTrustMessage("/verifyMessage", KEY).verdict()).isEqualTo(Verdict.UNREACHABLE);
  }

  @Test
  void trustMessagesQuestionHasEncodedValues() {
    producer.on("/verifyMessage", 200, "{\"data\":{\"messageStatus\":2}}");

    askTrustMessage("/verifyMessage", new HalfKey("7", "a b&messageKey=\u8ba2/%"));
    String plain = last().query();
    askTrustMessage("/verifyMessage?shop=1", KEY);
    String continued = last().query();

    assertThat(plain).isEqualTo("bizID=7&messageKey=a+b%26messageKey%3D%E8%AE%A2%2F%25");
    assertThat(continued).isEqualTo("shop=1&bizID=1&messageKey=4711");
    assertThat(producer.requests()).allMatch(request -> request.method().equals("GET"));
  }

  @Test
  void trustMessageIsAnsweredInItsForm() {
    CheckBackEndpoint endpoint =
        new CheckBackEndpoint(Map.of("1", key -> Verdict.valueOf(key.key())));

    assertThat(endpoint.trustMessage("1", "COMMITTED"))
        .isEqualTo(
            new CheckBackEndpoint.Reply(
                200,
                "{\"status\":\"200\",\"message\":\"success\","
                    + "\"data\":{\"messageKey\":\"COMMITTED\",\"messageStatus\":2}}"));
    assertThat(endpoint.trustMessage("1", "ROLLED_BACK").body()).contains("\"messageStatus\":3}");
    assertThat(endpoint.trustMessage("1", "IN_FLIGHT").body()).contains("\"messageStatus\":1}");
    assertThat(endpoint.trustMessage("1", "UNKNOWN").body()).contains("\"messageStatus\":1}");
    assertThat(endpoint.trustMessage("1", "UNREACHABLE").status()).isEqualTo(503);
    assertThat(endpoint.trustMessage("2", "COMMITTED").status()).isEqualTo(404);
    assertThat(endpoint.trustMessage("1", " ").status()).isEqualTo(400);
  }

  // ---- dtm's form

  @ParameterizedTest
  @CsvSource({
    "200, '{\"dtm_result\":\"SUCCESS\"}', COMMITTED",
    "200, '{}', COMMITTED",
    "200, '', COMMITTED",
    "200, '{\"note\":\"no FAILURE, not ONGOING\"}', UNKNOWN",
    "200, '\"FAILURE\"', UNKNOWN",
    "200, 'FAILURE: no stock', UNKNOWN",
    "200, '{\"data\":{\"dtm_result\":\"FAILURE\"}}', UNKNOWN",
    "409, 'ONGOING', IN_FLIGHT",
    "200, '{\"dtm_result\":\"FAILURE\",\"message\":\"rolled back\"}', ROLLED_BACK",
    "200, 'FAILURE', ROLLED_BACK",
    "200, '{\"dtm_result\" : \"ONGOING\"}', IN_FLIGHT",
    "200, 'ONGOING', IN_FLIGHT",
    "200, '{\"dtm_result\":', UNREACHABLE",
    "200, 'null', COMMITTED",
    "200, '[]', COMMITTED",
    "200, '\"done\"', COMMITTED",
    "200, 'SUCCESS', COMMITTED",
    "200, 'result: SUCCESS', COMMITTED",
    "200, 'ok', COMMITTED",
    "200, 'UNSUCCESSFUL', UNREACHABLE",
    "200, '<html><title>Log in</title></html>', UNREACHABLE",
    "200, '<p>SUCCESS, you are logged out</p>', UNREACHABLE",
    "200, '[] <', UNREACHABLE",
    "200, 'maintenance', UNREACHABLE",
    "409, '', ROLLED_BACK",
    "409, '{\"dtm_result\":\"FAILURE\"}', ROLLED_BACK",
    "425, '', IN_FLIGHT",
    "404, '', UNREACHABLE",
    "500, 'FAILURE', UNREACHABLE"
  })
  void dtmsStatusIsTheVerdict(int status, String body, Verdict verdict) {
    producer.on("/query", status, body);

    CheckAnswer answer = ask(dtm, "dtm+" + producer.url("/query"), List.of(KEY)).get(0);

    assertThat(answer.verdict()).isEqualTo(verdict);
    assertThat(last().query()).isEqualTo("gid=4711&trans_type=msg&branch_id=00&op=msg");
  }

  @Test
  void dtmIsAnsweredInItsForm() {
    CheckBackEndpoint endpoint =
        new CheckBackEndpoint(Map.of("dtm", key -> Verdict.valueOf(key.key())));

    assertThat(endpoint.dtm("dtm", "COMMITTED").status()).isEqualTo(200);
    assertThat(endpoint.dtm("dtm", "ROLLED_BACK").status()).isEqualTo(409);
    assertThat(endpoint.dtm("dtm", "IN_FLIGHT").status()).isEqualTo(425);
    assertThat(endpoint.dtm("dtm", "UNKNOWN").status()).isEqualTo(425);
    assertThat(endpoint.dtm("dtm", "UNREACHABLE").status()).isEqualTo(503);
  }

  // ---- who may be asked

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://127.0.0.1:1/check-back",
        "http://localhost/check-back",
        "http://169.254.169.254/latest/meta-data/",
        "http://[::1]/",
        "http://user@127.0.0.1/",
        "ftp://127.0.0.1/",
        "http:check-back",
        "dtm+http://127.0.0.1/"
      })
  void otherHostsAreNotAsked(String address) {
    CheckAnswer answer = ask(own, address, List.of(KEY)).get(0);

    assertThat(answer.verdict()).isEqualTo(Verdict.UNREACHABLE);
    assertThat(answer.reason()).contains("expected");
    assertThat(own.refusal("1", URI.create(address))).contains(answer.reason());
    assertThat(producer.requests()).isEmpty();
  }

  @Test
  void eachBusinessHasItsHosts() {
    try (HttpCheckBackTransport transport =
        HttpCheckBackTransport.open(
            HttpCheckBackConfig.allowing(
                Map.of(
                    "*", Set.of("all.example"),
                    "orders", Set.of("orders.example:8080"),
                    "order-*", Set.of("shop.example"),
                    "*-paid", Set.of("pay.example"))))) {
      assertThat(transport.refusal("orders", URI.create("http://orders.example:8080/c"))).isEmpty();
      assertThat(transport.refusal("orders", URI.create("https://all.example/c"))).isEmpty();
      assertThat(transport.refusal("stock", URI.create("https://all.example/c"))).isEmpty();
      assertThat(
              transport.refusal("stock", URI.create("http://orders.example:8080/c")).orElseThrow())
          .contains("orders.example:8080 is not allowed", "stock")
          .doesNotContain("all.example");
      assertThat(transport.refusal("order-paid", URI.create("http://shop.example"))).isEmpty();
      assertThat(transport.refusal("order-paid", URI.create("http://pay.example"))).isEmpty();
      assertThat(transport.refusal("order-", URI.create("http://shop.example"))).isEmpty();
      assertThat(transport.refusal("order", URI.create("http://shop.example"))).isPresent();
      assertThat(transport.refusal("my-order-", URI.create("http://shop.example"))).isPresent();
    }
  }

  @Test
  void wrongConfigurationListsEveryFault() {
    assertThatThrownBy(
            () ->
                new HttpCheckBackConfig(
                    Map.of("1", Set.of("http://x")),
                    Duration.ZERO,
                    Duration.ofHours(1),
                    Map.of("1", List.of("short")),
                    Map.of()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("half.check.connect-timeout: 0s")
        .hasMessageContaining("half.check.timeout: 1h")
        .hasMessageContaining("half.check.allowed-hosts-of.1: 'http://x'")
        .hasMessageContaining("half.check.secrets.1[0]: ")
        .hasMessageNotContaining("short");
    assertThatThrownBy(() -> config.signed(Map.of("orders", List.of())))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("half.check.secrets.orders: none (expected: at least one");
    assertThatThrownBy(() -> HttpCheckBackConfig.allowing(Map.of("1", Set.of())))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("half.check.allowed-hosts: none")
        .hasMessageContaining("half.check.allowed-hosts-of.1: none");
  }

  // ---- signed questions

  private static final String SECRET = "whsec_" + "c2VjcmV0".repeat(5);
  private static final String OTHER = "whsec_" + "b3RoZXJz".repeat(5);

  /** Answers only what is signed with {@link #SECRET}. */
  private void serveSigned(String path, CheckBack checkBack) {
    CheckBackEndpoint endpoint = new CheckBackEndpoint(Map.of("1", checkBack));
    producer.on(
        path,
        exchange ->
            answer(
                exchange,
                endpoint.answerSigned(
                    HttpSignature.of(List.of(SECRET)),
                    exchange.getRequestHeaders()::getFirst,
                    last().body(),
                    Instant.now())));
  }

  private CheckAnswer askSigned(Map<String, List<String>> secrets) {
    try (HttpCheckBackTransport transport = HttpCheckBackTransport.open(config.signed(secrets))) {
      return ask(transport, producer.url("/signed"), List.of(KEY)).get(0);
    }
  }

  @Test
  void signedQuestionIsAnswered() {
    serveSigned("/signed", key -> Verdict.COMMITTED);

    assertThat(askSigned(Map.of("*", List.of(SECRET))).verdict()).isEqualTo(Verdict.COMMITTED);
    assertThat(askSigned(Map.of("*", List.of(OTHER), "1", List.of(OTHER, SECRET))).verdict())
        .isEqualTo(Verdict.COMMITTED);
  }

  @Test
  void questionThatIsNotSignedAsItMustBeReachesNobody() {
    AtomicInteger asked = new AtomicInteger();
    serveSigned(
        "/signed",
        key -> {
          asked.incrementAndGet();
          return Verdict.COMMITTED;
        });

    for (Map<String, List<String>> secrets :
        List.of(
            Map.<String, List<String>>of(),
            Map.of("*", List.of(OTHER)),
            Map.of("*", List.of(SECRET), "1", List.of(OTHER)),
            Map.of("2", List.of(SECRET)))) {
      CheckAnswer answer = askSigned(secrets);

      assertThat(answer.verdict()).as("%s", secrets).isEqualTo(Verdict.UNREACHABLE);
      assertThat(answer.reason()).contains("401", "not signed");
    }
    assertThat(asked).hasValue(0);
  }

  @Test
  void signatureOfAnotherQuestionOrOfLongAgoIsRefused() {
    HttpSignature signature = HttpSignature.of(List.of(SECRET));
    CheckBackEndpoint endpoint = new CheckBackEndpoint(Map.of("1", key -> Verdict.COMMITTED));
    Instant now = Instant.now();
    byte[] question = CheckBackJson.question(List.of(KEY)).getBytes(UTF_8);
    byte[] other = CheckBackJson.question(List.of(new HalfKey("1", "5"))).getBytes(UTF_8);
    Map<String, String> headers =
        Map.of(
            HttpSignature.ID, "1",
            HttpSignature.TIMESTAMP, Long.toString(now.getEpochSecond()),
            HttpSignature.SIGNATURE, signature.sign("1", now, question));

    assertThat(endpoint.answerSigned(signature, headers::get, question, now).status())
        .isEqualTo(200);
    assertThat(endpoint.answerSigned(signature, headers::get, other, now).status()).isEqualTo(401);
    assertThat(
            endpoint.answerSigned(signature, headers::get, question, now.plusSeconds(400)).status())
        .isEqualTo(401);
  }

  @Test
  void secretsAreNotShown() {
    assertThat(config.signed(Map.of("orders", List.of(SECRET))).toString())
        .contains("orders")
        .doesNotContain(SECRET);
  }

  // ---- the producer's side

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{}",
        "{\"business\":\"1\"}",
        "{\"business\":\"1\",\"keys\":[]}",
        "{\"business\":\"1\",\"keys\":[\" \"]}",
        "{\"business\":\"1\",\"business\":\"2\",\"keys\":[\"1\"]}",
        "{\"keys\":[\"1\"]}"
      })
  void aQuestionThatIsNoneIsRefused(String body) {
    CheckBackEndpoint endpoint = new CheckBackEndpoint(Map.of("1", key -> Verdict.COMMITTED));

    CheckBackEndpoint.Reply reply = endpoint.answer(body);

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.body()).contains("expected");
  }

  @Test
  void aBusinessThatNobodyAnswersForIsUnreachableNotRolledBack() {
    serve("/check-back", new CheckBackEndpoint(Map.of("2", key -> Verdict.ROLLED_BACK)));

    CheckAnswer answer = ask("/check-back");

    assertThat(answer.verdict()).isEqualTo(Verdict.UNREACHABLE);
    assertThat(answer.reason()).contains("404", "nobody here answers for business '1'");
  }

  @Test
  void aCheckBackThatFailsIsUnreachable() {
    serve(
        "/check-back",
        new CheckBackEndpoint(
            Map.of(
                "1",
                key -> {
                  throw new IllegalStateException("the password is s3cret");
                })));

    CheckAnswer answer = ask("/check-back");

    assertThat(answer.verdict()).isEqualTo(Verdict.UNREACHABLE);
    assertThat(answer.reason()).contains("503").doesNotContain("s3cret");
  }

  @Test
  void aCheckBackWithTooFewVerdictsIsUnreachable() {
    CheckBack wrong =
        new CheckBack() {
          @Override
          public Verdict check(HalfKey key) {
            return Verdict.COMMITTED;
          }

          @Override
          public List<Verdict> checkAll(List<HalfKey> keys) {
            return List.of();
          }
        };
    serve("/check-back", new CheckBackEndpoint(Map.of("1", wrong)));

    assertThat(ask("/check-back").verdict()).isEqualTo(Verdict.UNREACHABLE);
  }

  // ---- the end

  @Test
  void closingBreaksOffWhatIsUnderWay() throws InterruptedException {
    CountDownLatch asked = new CountDownLatch(1);
    producer.on(
        "/check-back",
        exchange -> {
          asked.countDown();
          producer.hang();
        });
    CompletableFuture<List<CheckAnswer>> answers =
        own.ask(URI.create(producer.url("/check-back")), List.of(KEY, KEY, KEY))
            .toCompletableFuture();
    assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();

    own.close();

    assertThat(answers).isCompletedWithValueMatching(list -> list.size() == 3);
    assertThat(answers.join().get(0).reason()).contains("closed");
    assertThat(ask("/check-back").verdict()).isEqualTo(Verdict.UNREACHABLE);
  }
}
