package io.angarium.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.StoreException;
import io.angarium.dubbo.DubboHalfMessages;
import io.angarium.grpc.GrpcHalfConfig;
import io.angarium.grpc.GrpcHalfMessages;
import io.angarium.grpc.v1.HalfMessagesGrpc;
import io.angarium.grpc.v1.HalfWire;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.half.NotPermittedException;
import io.angarium.http.half.HttpHalfConfig;
import io.angarium.http.half.HttpHalfMessages;
import io.angarium.intake.MessageIntake;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may do what with a token, over HTTP, gRPC and Dubbo; the issuer is real. */
class TokenAccessTest {
  private static final String OAUTH = "angarium.server.oauth2.";
  private static final String REALM = "Bearer realm=\"angarium\"";

  private static final RSAKey RSA = Issuer.rsa("r1");
  private static final ECKey EC = Issuer.ec("e1");
  private static final RSAKey STRANGER = Issuer.rsa("r1");

  private static Issuer issuer;
  private static ServerUnderTest server;

  /** One for all, as it has a Dubbo of its own; shows {@link #tokenOverDubbo}. */
  private static DubboHalfMessages dubbo;

  private static @Nullable String tokenOverDubbo;

  @BeforeAll
  static void start() {
    issuer = new Issuer().publish(RSA, EC);
    server =
        ServerUnderTest.open(
            "angarium.relay.enabled=false",
            "angarium.server.grpc.enabled=true",
            "angarium.server.grpc.port=0",
            "angarium.server.dubbo.enabled=true",
            "angarium.server.dubbo.trust-message.enabled=false",
            "angarium.server.dubbo.port=" + DubboShop.freePort(),
            "angarium.server.api-keys.watch.hashes=" + ServerUnderTest.hash("watch.with-a-dot"),
            "angarium.server.api-keys.watch.businesses=*",
            "angarium.server.api-keys.watch.steps=read",
            OAUTH + "issuer-uri=" + issuer.uri(),
            OAUTH + "audiences=other," + Issuer.AUDIENCE,
            OAUTH + "clock-skew=0s",
            OAUTH + "grants.orders.values=orders,orders-too",
            OAUTH + "grants.orders.businesses=order-*",
            OAUTH + "grants.orders.destinations=kafka:orders",
            OAUTH + "grants.orders.payload-max=10B",
            OAUTH + "grants.payments.values=payments",
            OAUTH + "grants.payments.businesses=payment",
            OAUTH + "grants.payments.destinations=kafka:payments",
            OAUTH + "grants.slow.values=slow",
            OAUTH + "grants.slow.businesses=*",
            OAUTH + "grants.slow.destinations=*",
            OAUTH + "grants.slow.rate=1",
            OAUTH + "grants.people.claim=realm_access.roles",
            OAUTH + "grants.people.values=operator",
            OAUTH + "grants.people.businesses=*",
            OAUTH + "grants.people.steps=read,operate",
            OAUTH + "grants.batch.claim=sub",
            OAUTH + "grants.batch.values=batch job",
            OAUTH + "grants.batch.businesses=*",
            OAUTH + "grants.batch.steps=read");
    dubbo = server.dubbo(config -> config.token(() -> String.valueOf(tokenOverDubbo)));
  }

  @AfterAll
  static void stop() {
    server.close();
    issuer.close();
  }

  private static HalfMessage message(String business, String key, String destination) {
    return HalfMessage.of(new HalfKey(business, key), Message.of(destination, new byte[1]));
  }

  private static HttpHalfMessages as(String token) {
    return HttpHalfMessages.open(
        HttpHalfConfig.of(server.address()).token(() -> token), MessageIntake.of(null));
  }

  private static GrpcHalfMessages overGrpc(String token) {
    return new GrpcHalfMessages(
        server.channel((String) null),
        GrpcHalfConfig.DEFAULTS.timeout(Duration.ofMinutes(2)).token(() -> token));
  }

  private static HalfMessages overDubbo(String token) {
    tokenOverDubbo = token;
    return dubbo;
  }

  /** As a client of ours is told; empty if it is answered. */
  private static String askedOverDubbo(String token) {
    Throwable failure =
        catchThrowable(() -> overDubbo(token).state(new HalfKey("order-1", "none")));
    return failure == null ? "" : failure.getClass().getSimpleName() + " " + failure.getMessage();
  }

  /** What a question is answered. */
  private static HttpResponse<String> asked(String authorization) {
    return server.send(
        server.request("/v1/half-messages/order-1/none").header("Authorization", authorization));
  }

  private static Status askedOverGrpc(@Nullable String token) {
    HalfWire.StatesRequest request =
        HalfWire.StatesRequest.newBuilder()
            .addKeys(HalfWire.Key.newBuilder().setBusiness("order-1").setKey("none"))
            .build();
    Throwable failure =
        catchThrowable(
            () ->
                HalfMessagesGrpc.newBlockingStub(server.channel(token))
                    .withDeadlineAfter(1, TimeUnit.MINUTES)
                    .states(request));
    return failure == null ? Status.OK : Status.fromThrowable(failure);
  }

  private static String challenge(HttpResponse<String> answered) {
    return answered.headers().firstValue("WWW-Authenticate").orElse("none");
  }

  static Stream<JWK> keys() {
    return Stream.of(RSA, EC);
  }

  @ParameterizedTest
  @MethodSource("keys")
  void tokenDoesWhatItsGrantPermitsByEachWayIn(JWK key) {
    String token = issuer.token(key, "shop", "profile orders");
    String id = key.getKeyID();
    try (HttpHalfMessages http = as(token)) {
      for (HalfMessages shop : List.of(http, overGrpc(token), overDubbo(token))) {
        String number = id + shop.getClass().getSimpleName();
        assertThat(shop.prepare(message("order-1", number, "kafka:orders")))
            .isEqualTo(HalfState.PREPARED);
        assertThat(shop.commit(new HalfKey("order-1", number))).isEqualTo(HalfState.COMMITTED);
      }
    }
  }

  @Test
  void tokenMayNothingElse() {
    String token = issuer.token(RSA, "shop", "orders");
    try (HttpHalfMessages http = as(token)) {
      for (HalfMessages shop : List.of(http, overGrpc(token), overDubbo(token))) {
        assertNotPermitted(() -> shop.prepare(message("stock", "1", "kafka:orders")), "businesses");
        assertNotPermitted(
            () -> shop.prepare(message("payment", "1", "kafka:payments")), "businesses");
        assertNotPermitted(() -> shop.prepare(message("order-1", "1", "kafka:o")), "destinations");
        assertNotPermitted(() -> shop.commit(new HalfKey("stock", "1")), "businesses");
        assertNotPermitted(() -> shop.rollback(new HalfKey("stock", "1")), "businesses");
        assertNotPermitted(() -> shop.state(new HalfKey("stock", "1")), "businesses");
        HalfMessage large =
            HalfMessage.of(new HalfKey("order-1", "1"), Message.of("kafka:orders", new byte[11]));
        assertThatThrownBy(() -> shop.prepare(large))
            .isInstanceOf(InvalidMessageException.class)
            .hasMessageContaining("at most 10");
      }
    }
    HttpResponse<String> page =
        server.send(server.request("/v1/unresolved").header("Authorization", "Bearer " + token));
    assertThat(page.statusCode()).isEqualTo(403);
    assertThat(challenge(page)).isEqualTo(REALM + ", error=\"insufficient_scope\"");
  }

  private static void assertNotPermitted(ThrowingCallable call, String property) {
    assertThatThrownBy(call)
        .isInstanceOf(NotPermittedException.class)
        .hasMessageContaining("the token of 'shop'")
        .hasMessageContaining(OAUTH + "grants.orders." + property);
  }

  /** Else a grant for one would carry the businesses or destinations of the other. */
  @Test
  void grantsOfATokenAreNotMixed() {
    try (HttpHalfMessages shop = as(issuer.token(RSA, "shop", "orders payments"))) {
      shop.prepare(message("order-1", "both", "kafka:orders"));
      shop.prepare(message("payment", "both", "kafka:payments"));

      assertThatThrownBy(() -> shop.prepare(message("order-1", "mixed", "kafka:payments")))
          .isInstanceOf(NotPermittedException.class)
          .hasMessageContaining("grants.orders.destinations");
      assertThatThrownBy(() -> shop.prepare(message("payment", "mixed", "kafka:orders")))
          .isInstanceOf(NotPermittedException.class)
          .hasMessageContaining("grants.payments.destinations");
    }
  }

  @Test
  void batchWithOneForbiddenCallHasNoEffect() {
    try (HttpHalfMessages shop = as(issuer.token(EC, "shop", "orders"))) {
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

  @Test
  void grantsCanStandInOtherClaims() {
    JWTClaimsSet role =
        issuer
            .claims("ada", "profile")
            .claim("realm_access", Map.of("roles", List.of("reader", "operator")))
            .build();
    HttpResponse<String> page =
        server.send(
            server
                .request("/v1/unresolved")
                .header("Authorization", "Bearer " + Issuer.signed(RSA, role)));

    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(asked("Bearer " + issuer.token(EC, "batch job", "x")).statusCode()).isEqualTo(200);
    for (String other : List.of("batch", "job", "batch job x")) {
      assertThat(asked("Bearer " + issuer.token(EC, other, "x")).statusCode()).isEqualTo(403);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "profile", "order", "ORDERS", "orders,payments", "my-orders"})
  void tokenWithoutAGrantIsForbidden(String scope) {
    String token = issuer.token(RSA, "shop", scope);

    HttpResponse<String> answered = asked("Bearer " + token);

    assertThat(answered.statusCode()).isEqualTo(403);
    assertThat(challenge(answered)).isEqualTo(REALM + ", error=\"insufficient_scope\"");
    assertThat(answered.body()).contains("NOT_PERMITTED", "angarium.server.oauth2.grants");
    assertThat(askedOverGrpc(token).getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(askedOverDubbo(token)).contains("NotPermittedException", "NOT_PERMITTED", "grants");
  }

  static Stream<String> wrongTokens() throws JOSEException {
    Date past = Date.from(Instant.now().minusSeconds(1));
    String right = issuer.token(RSA, "shop", "orders");
    String[] parts = right.split("\\.", -1);
    JWTClaimsSet claims = issuer.claims("shop", "orders").build();
    return Stream.of(
        Issuer.signed(RSA, issuer.claims("shop", "orders").expirationTime(past).build()),
        Issuer.signed(RSA, issuer.claims("shop", "orders").expirationTime(null).build()),
        Issuer.signed(
            RSA,
            issuer
                .claims("shop", "orders")
                .notBeforeTime(Date.from(Instant.now().plus(Duration.ofHours(1))))
                .build()),
        Issuer.signed(RSA, issuer.claims("shop", "orders").audience("shop").build()),
        Issuer.signed(RSA, issuer.claims("shop", "orders").audience(List.of()).build()),
        Issuer.signed(RSA, issuer.claims("shop", "orders").issuer("http://evil").build()),
        Issuer.signed(RSA, issuer.claims("shop", "orders").issuer(issuer.uri() + "/").build()),
        Issuer.signed(RSA, issuer.claims("shop", "orders").issuer(null).build()),
        Issuer.signed(RSA, issuer.claims("shop", "orders").subject(null).build()),
        Issuer.signed(RSA, issuer.claims("a\nb", "orders").build()),
        Issuer.signed(RSA, issuer.claims("s".repeat(101), "orders").build()),
        Issuer.signed(STRANGER, claims),
        Issuer.signed(RSA, claims, "secevent+jwt"),
        new PlainJWT(claims).serialize(),
        unsigned(claims),
        hmac(RSA.toRSAPublicKey().getEncoded(), claims),
        hmac(RSA.toPublicJWK().toJSONString().getBytes(UTF_8), claims),
        parts[0] + "." + changed(parts[1]) + "." + parts[2],
        parts[0] + "." + parts[1] + ".",
        parts[0] + "." + parts[1],
        right + ".x.y",
        "bnVsbA.e30.AA", // the header null
        base64("{}") + "." + base64("null") + "." + base64("signature"),
        parts[0] + "." + base64("null") + "." + parts[2],
        withNull("exp"),
        withNull("iss"),
        withNull("aud"),
        withNull("sub"),
        "..",
        "a.b.c",
        "e30.e30.",
        "[[[[.[[[[.[[[[");
  }

  /** As if nothing but the algorithm were missing. */
  private static String unsigned(JWTClaimsSet claims) {
    String header = "{\"alg\":\"none\",\"typ\":\"JWT\",\"kid\":\"r1\"}";
    return base64(header) + "." + base64(claims.toString()) + "." + base64("signature");
  }

  /** Signed by the issuer, with a claim that is there and null. */
  private static String withNull(String claim) throws JOSEException {
    JWTClaimsSet claims = issuer.claims("shop", "orders").claim(claim, "null").build();
    String json = claims.toString().replaceAll("\"" + claim + "\":(\\d+|\"[^\"]*\")", "");
    String payload =
        "{\"%s\":null,%s".formatted(claim, json.substring(1)).replaceAll(",(?=[,}])", "");
    JWSObject token =
        new JWSObject(
            new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("r1").build(), new Payload(payload));
    token.sign(new RSASSASigner(RSA));
    return token.serialize();
  }

  /** Signed with what everybody can fetch. */
  private static String hmac(byte[] secret, JWTClaimsSet claims) throws JOSEException {
    JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("r1").build();
    JWSObject token = new JWSObject(header, new Payload(claims.toJSONObject()));
    token.sign(new MACSigner(secret));
    return token.serialize();
  }

  private static String changed(String payload) {
    String json = new String(Base64.getUrlDecoder().decode(payload), UTF_8);
    return base64(json.replace("orders", "orders payments"));
  }

  private static String base64(String text) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(US_ASCII));
  }

  @ParameterizedTest
  @MethodSource("wrongTokens")
  void wrongTokenIsRefusedAndSaidToBe(String token) {
    HttpResponse<String> answered = asked("Bearer " + token);

    assertThat(answered.statusCode()).as(answered.body()).isEqualTo(401);
    assertThat(challenge(answered)).isEqualTo(REALM + ", error=\"invalid_token\"");
    assertThat(answered.body()).contains("UNAUTHENTICATED", "the token is refused");
    assertThat(askedOverGrpc(token).getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
    assertThat(askedOverDubbo(token))
        .contains("NotPermittedException", "UNAUTHENTICATED", "the token is refused");
  }

  /** With many roles, as issuers of large companies make them. */
  @Test
  void longTokenIsTakenOverHttpAndGrpc() {
    String roles = "role-of-a-department ".repeat(600);
    String token = issuer.token(RSA, "shop", roles + "orders");
    assertThat(token.length()).isBetween(16 << 10, 24 << 10);

    assertThat(asked("Bearer " + token).statusCode()).isEqualTo(200);
    assertThat(askedOverGrpc(token)).isEqualTo(Status.OK);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Bearer", "Basic b2xkOg==", "Bearer wrong"})
  void whoShowsNothingIsTold(String authorization) {
    var request = server.request("/v1/half-messages/order-1/none");
    if (!authorization.isEmpty()) {
      request.header("Authorization", authorization);
    }

    HttpResponse<String> answered = server.send(request);

    assertThat(answered.statusCode()).isEqualTo(401);
    assertThat(challenge(answered))
        .isEqualTo(authorization.endsWith("wrong") ? REALM + ", error=\"invalid_token\"" : REALM);
    assertThat(answered.body()).contains("angarium.server.api-keys", issuer.uri());
  }

  @Test
  void keysAreTakenBesides() {
    assertThat(asked("Bearer watch.with-a-dot").statusCode()).isEqualTo(200);
    assertThat(askedOverGrpc("watch.with-a-dot").getCode()).isEqualTo(Status.Code.OK);
    assertThat(askedOverGrpc(null).getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
    assertThat(askedOverDubbo("watch.with-a-dot")).isEmpty();
  }

  /** The second call comes within the same second, or the test is slower than that. */
  @Test
  void eachCallerHasARateOfItsOwnWhateverTokensItHas() {
    List<HalfCall> many = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      many.add(new HalfCall.Prepare(message("slow", "" + i, "kafka:orders")));
    }
    try (HttpHalfMessages slow = as(issuer.token(RSA, "slow", "slow"));
        HttpHalfMessages again = as(issuer.token(EC, "slow", "slow"));
        HttpHalfMessages other = as(issuer.token(EC, "another", "slow"))) {
      slow.callAll(many);

      assertThatThrownBy(() -> again.commit(new HalfKey("slow", "1")))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("TOO_MANY")
          .hasMessageContaining("nothing took effect");
      assertThat(other.state(new HalfKey("slow", "1"))).isEqualTo(HalfState.PREPARED);
    }
  }

  /** With another token, where the machine was busy for all the time of the one before. */
  @Test
  void streamOfRequestsEndsWithItsToken() throws Exception {
    List<HalfWire.StreamResponse> answers = answersUntilTheTokenEnds();
    for (int i = 0; i < 10 && answers.size() == 1; i++) {
      answers = answersUntilTheTokenEnds();
    }

    assertThat(answers).as("answers before the end, and the end").hasSizeGreaterThan(1);
    HalfWire.StreamResponse last = answers.get(answers.size() - 1);
    assertThat(last.getFailed().getStatusCode()).isEqualTo(Status.Code.UNAUTHENTICATED.value());
    assertThat(last.getFailed().getDescription()).contains("the token", "xpired");
  }

  /** The last one is a failure. */
  private static List<HalfWire.StreamResponse> answersUntilTheTokenEnds() throws Exception {
    Date soon = Date.from(Instant.now().plusSeconds(5));
    String token = Issuer.signed(EC, issuer.claims("shop", "orders").expirationTime(soon).build());
    BlockingQueue<HalfWire.StreamResponse> incoming = new LinkedBlockingQueue<>();
    StreamObserver<HalfWire.StreamRequest> requests =
        HalfMessagesGrpc.newStub(server.channel(token)).callStream(into(incoming));
    HalfWire.StreamRequest request =
        HalfWire.StreamRequest.newBuilder()
            .addCalls(
                HalfWire.Call.newBuilder()
                    .setRollback(
                        HalfWire.Decision.newBuilder()
                            .setKey(HalfWire.Key.newBuilder().setBusiness("order-1").setKey("n"))
                            .setWhenUnknown(HalfWire.WhenUnknown.WHEN_UNKNOWN_REFUSE)))
            .build();
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    List<HalfWire.StreamResponse> answers = new ArrayList<>();
    HalfWire.StreamResponse answer;
    do {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
      requests.onNext(request);
      answer = incoming.poll(1, TimeUnit.MINUTES);
      answers.add(answer);
      assertThat(System.nanoTime()).isLessThan(deadline);
    } while (answer.hasAnswered());
    requests.onCompleted();
    return answers;
  }

  private static StreamObserver<HalfWire.StreamResponse> into(
      BlockingQueue<HalfWire.StreamResponse> answers) {
    return new StreamObserver<>() {
      @Override
      public void onNext(HalfWire.StreamResponse value) {
        answers.add(value);
      }

      /** The stream was not let in at all. */
      @Override
      public void onError(Throwable failure) {
        Status status = Status.fromThrowable(failure);
        answers.add(
            HalfWire.StreamResponse.newBuilder()
                .setFailed(
                    HalfWire.Failure.newBuilder()
                        .setStatusCode(status.getCode().value())
                        .setDescription(String.valueOf(status.getDescription())))
                .build());
      }

      @Override
      public void onCompleted() {}
    };
  }
}
