package io.angarium.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import io.angarium.StoreException;
import io.angarium.TimeSource;
import io.angarium.grpc.GrpcHalfConfig;
import io.angarium.grpc.GrpcHalfMessages;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessages;
import io.angarium.http.half.HttpHalfConfig;
import io.angarium.http.half.HttpHalfMessages;
import io.angarium.intake.MessageIntake;
import io.angarium.server.access.Caller;
import io.angarium.server.access.CallerRates;
import io.angarium.server.access.Grants;
import io.angarium.server.access.RateLimit;
import io.angarium.server.access.Tokens;
import io.angarium.server.problem.ProblemException;
import io.angarium.server.settings.OAuth2Properties;
import io.angarium.server.settings.Permission;
import io.angarium.testkit.ManualClock;
import io.angarium.testservers.FreePort;
import io.angarium.testservers.OnOneJdk;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the keys come from, and what happens when they do not. */
class TokenIssuerTest {
  private static final String OAUTH = "angarium.server.oauth2.";
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final RSAKey OLD = Issuer.rsa("old");
  private static final ECKey NEW = Issuer.ec("new");

  private final Issuer issuer = new Issuer().publish(OLD);
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void stop() {
    threads.shutdownNow();
    issuer.close();
  }

  private static OAuth2Properties given(String issuer, @Nullable String keys, Duration skew) {
    return given(issuer, keys, skew, false);
  }

  private static OAuth2Properties given(
      String issuer, @Nullable String keys, Duration skew, boolean plainHttp) {
    return given(issuer, keys, skew, Duration.ofMinutes(5), plainHttp);
  }

  private static OAuth2Properties given(
      String issuer, @Nullable String keys, Duration skew, Duration refreshed, boolean plainHttp) {
    return new OAuth2Properties(
        issuer,
        keys,
        List.of(Issuer.AUDIENCE),
        skew,
        "sub",
        refreshed,
        refreshed.multipliedBy(12),
        plainHttp,
        Map.of("orders", grant(null)));
  }

  private static OAuth2Properties.Grant grant(@Nullable Integer rate) {
    return new OAuth2Properties.Grant(
        "scope",
        List.of("orders"),
        List.of("*"),
        List.of("*"),
        Set.of(Permission.PREPARE),
        rate,
        null);
  }

  private Tokens tokens() {
    return Tokens.of(given(issuer.uri(), null, Duration.ZERO), TimeSource.SYSTEM);
  }

  private static int status(Tokens tokens, String token) {
    try {
      return tokens.callerOf(token).name().isEmpty() ? 0 : 200;
    } catch (ProblemException e) {
      return e.status();
    }
  }

  @Test
  void newKeyIsFetchedWhenATokenOfItComesAndTheOldOneCountsNoLonger() {
    Tokens tokens = tokens();
    String old = issuer.token(OLD, "shop", "orders");
    assertThat(status(tokens, old)).isEqualTo(200);

    issuer.publish(NEW);

    assertThat(status(tokens, issuer.token(NEW, "shop", "orders"))).isEqualTo(200);
    assertThat(status(tokens, issuer.token(NEW, "shop", "orders"))).isEqualTo(200);
    assertThat(issuer.asked()).isEqualTo(2);
    assertThat(status(tokens, old)).isIn(401, 503); // 503: asked for it twice just now
  }

  @Test
  void unknownKeyIsRefusedAndTheIssuerIsNotAskedForEachOfThem() {
    Tokens tokens = tokens();
    assertThat(status(tokens, issuer.token(OLD, "shop", "orders"))).isEqualTo(200);

    assertThat(status(tokens, issuer.token(Issuer.ec("none"), "shop", "orders"))).isEqualTo(401);
    long start = System.nanoTime();
    List<Integer> flood = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      flood.add(status(tokens, issuer.token(NEW.toECKey(), "shop", "orders")));
    }
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);

    assertThat(flood).containsAnyOf(503).doesNotContain(200);
    assertThat((long) issuer.asked()).isLessThanOrEqualTo(2 * (2 + seconds / 10));
    assertThat(status(tokens, issuer.token(OLD, "shop", "orders"))).isEqualTo(200);
  }

  /** Whoever has signed them. The key is not known, and the issuer must not be asked for it. */
  @Test
  void whatIsWrongForSureIsRefusedWithoutAQuestionToTheIssuer() {
    Tokens tokens = tokens();
    issuer.close();
    Date past = Date.from(Instant.now().minusSeconds(1));
    JWTClaimsSet.Builder claims = issuer.claims("shop", "orders");
    JWTClaimsSet right = claims.build();

    assertThat(status(tokens, Issuer.signed(NEW, claims.expirationTime(past).build())))
        .isEqualTo(401);
    assertThat(
            status(
                tokens,
                Issuer.signed(NEW, new JWTClaimsSet.Builder(right).audience("shop").build())))
        .isEqualTo(401);
    assertThat(
            status(
                tokens,
                Issuer.signed(NEW, new JWTClaimsSet.Builder(right).issuer("http://evil").build())))
        .isEqualTo(401);
    assertThat(status(tokens, Issuer.signed(NEW, right))).isEqualTo(503);
  }

  /** With an answer that never ends, and never pauses. */
  @Test
  void whoHasAKnownKeyDoesNotWaitForASlowIssuer() {
    ManualClock clock = ManualClock.create();
    Tokens tokens = Tokens.of(given(issuer.uri(), null, Duration.ZERO), clock);
    Date end = Date.from(clock.instant().plus(Duration.ofDays(1)));
    JWTClaimsSet claims = issuer.claims("shop", "orders").expirationTime(end).build();
    String known = Issuer.signed(OLD, claims);
    assertThat(status(tokens, known)).isEqualTo(200);
    issuer.answerSlowly(true);
    clock.advance(Duration.ofMinutes(6));

    CompletableFuture<Integer> waiting =
        CompletableFuture.supplyAsync(() -> status(tokens, known), threads);
    await(() -> issuer.dripping() == 1);
    assertThat(status(tokens, known)).isEqualTo(200);
    assertThat(waiting).isNotDone();

    assertThat(waiting).succeedsWithin(Duration.ofMinutes(1)).isEqualTo(200);
    await(() -> issuer.dripping() == 0);
    clock.advance(Duration.ofSeconds(11));
    assertThat(status(tokens, known)).isEqualTo(200);
    await(() -> issuer.dripping() == 1); // asked again, and nobody waits any more
    assertThat(status(tokens, Issuer.signed(NEW, claims))).isEqualTo(503);
  }

  @Test
  void refreshedKeysCountAtOnceWhereTheIssuerAnswers() {
    ManualClock clock = ManualClock.create();
    Tokens tokens = Tokens.of(given(issuer.uri(), null, Duration.ZERO), clock);
    Date end = Date.from(clock.instant().plus(Duration.ofDays(1)));
    JWTClaimsSet claims = issuer.claims("shop", "orders").expirationTime(end).build();
    assertThat(status(tokens, Issuer.signed(OLD, claims))).isEqualTo(200);

    issuer.publish(NEW);
    clock.advance(Duration.ofMinutes(6));

    assertThat(status(tokens, Issuer.signed(OLD, claims))).isEqualTo(401);
    assertThat(status(tokens, Issuer.signed(NEW, claims))).isEqualTo(200);
    assertThat(issuer.asked()).isEqualTo(2);
    issuer.close();
    clock.advance(Duration.ofMinutes(59));
    assertThat(status(tokens, Issuer.signed(NEW, claims))).isEqualTo(200);
    clock.advance(Duration.ofMinutes(1));
    assertThat(status(tokens, Issuer.signed(NEW, claims))).isEqualTo(503);
  }

  @Test
  void fewWaitForTheIssuerAtATimeAndOthersAreToldAtOnce() {
    Tokens tokens = tokens();
    String token = issuer.token(OLD, "shop", "orders");
    issuer.answerSlowly(true);

    List<CompletableFuture<String>> answers = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      answers.add(CompletableFuture.supplyAsync(() -> refusal(tokens, token), threads));
    }
    List<String> told = new ArrayList<>();
    answers.forEach(each -> told.add(each.orTimeout(1, TimeUnit.MINUTES).join()));

    assertThat(told).filteredOn(each -> each.contains("4 others wait")).hasSize(8);
    assertThat(told).filteredOn(each -> each.contains("cannot be fetched")).hasSize(4);
  }

  @Test
  void whoIsNotAskedForBecauseOfTheManyIsToldSo() {
    ManualClock clock = ManualClock.create();
    Tokens tokens = Tokens.of(given(issuer.uri(), null, Duration.ZERO), clock);
    Date end = Date.from(clock.instant().plus(Duration.ofDays(1)));
    JWTClaimsSet claims = issuer.claims("shop", "orders").expirationTime(end).build();
    assertThat(status(tokens, Issuer.signed(OLD, claims))).isEqualTo(200);
    assertThat(status(tokens, Issuer.signed(NEW, claims))).isEqualTo(401);

    assertThat(refusal(tokens, Issuer.signed(NEW, claims)))
        .contains("its key is not known", "asked for its keys 2 times in the last 10s");
  }

  private static String refusal(Tokens tokens, String token) {
    try {
      return tokens.callerOf(token).name();
    } catch (ProblemException e) {
      return e.status() + " " + e.getMessage();
    }
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "[]", "", "nothing", "{}", "{\"issuer\":null}"})
  void descriptionThatIsNoneIsAnIssuerThatIsAway(String content) {
    issuer.describe("/.well-known/openid-configuration", content);

    assertThat(refusal(tokens(), issuer.token(OLD, "shop", "orders")))
        .startsWith("503 ")
        .contains("cannot be fetched");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"null", "[]", "", "nothing", "{}", "{\"keys\":null}", "{\"keys\":[null]}"})
  void keysThatAreNoneAreAnIssuerThatIsAway(String content) {
    issuer.describe("/none", content);
    OAuth2Properties given = given(issuer.uri(), issuer.uri() + "/none", Duration.ZERO);

    assertThat(refusal(Tokens.of(given, TimeSource.SYSTEM), issuer.token(OLD, "shop", "orders")))
        .startsWith("503 ")
        .contains("cannot be fetched");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null,",
        "7,",
        "{\"kty\":\"EC\",\"crv\":\"none\"},",
        "{\"kty\":\"PQ\"},",
        "{\"kty\":5},"
      })
  void keyThatCannotBeReadHidesNoOthers(String key) {
    issuer.publishBefore(key);

    assertThat(status(tokens(), issuer.token(OLD, "shop", "orders"))).isEqualTo(200);
  }

  @Test
  void knownKeysAreUsedWhileTheIssuerIsAwayAndUnknownOnesAreNotCalledWrong() {
    Tokens tokens = tokens();
    String known = issuer.token(OLD, "shop", "orders");
    assertThat(status(tokens, known)).isEqualTo(200);

    issuer.close();

    String unknown = issuer.token(NEW, "shop", "orders");
    assertThat(status(tokens, unknown)).isEqualTo(503);
    assertThat(status(tokens, unknown)).isEqualTo(503);
    assertThat(status(tokens, known)).isEqualTo(200);
  }

  @Test
  void keyThatTheIssuerTakesBackCountsNoLongerThanIsSaid() {
    ManualClock clock = ManualClock.create();
    Duration refreshed = Duration.ofSeconds(20);
    Tokens tokens = Tokens.of(given(issuer.uri(), null, Duration.ZERO, refreshed, false), clock);
    Date end = Date.from(clock.instant().plus(Duration.ofDays(1)));
    String token = Issuer.signed(OLD, issuer.claims("shop", "orders").expirationTime(end).build());
    assertThat(status(tokens, token)).isEqualTo(200);

    issuer.publish(NEW);

    clock.advance(refreshed.minusMillis(1));
    assertThat(status(tokens, token)).isEqualTo(200);
    clock.advance(Duration.ofMillis(1));
    assertThat(status(tokens, token)).isEqualTo(401);
  }

  /** The issuer is away at the start, which does not wait for it, and then there. */
  @OnOneJdk
  @Test
  void issuerThatIsAwayIsToldAsThat() {
    int free = FreePort.find();
    try (ServerUnderTest server = server("http://127.0.0.1:" + free)) {
      assertAway(server, "http://127.0.0.1:" + free);
    }
  }

  /** It takes connections and says nothing. */
  @OnOneJdk
  @Test
  void issuerThatIsSilentIsWaitedForNotForLong() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        ServerUnderTest server = server("http://127.0.0.1:" + silent.getLocalPort())) {
      assertAway(server, "http://127.0.0.1:" + silent.getLocalPort());
    }
  }

  private static ServerUnderTest server(String issuer) {
    return ServerUnderTest.open(
        "angarium.relay.enabled=false",
        "angarium.server.grpc.enabled=true",
        "angarium.server.grpc.port=0",
        "angarium.server.dubbo.enabled=true",
        "angarium.server.dubbo.trust-message.enabled=false",
        "angarium.server.dubbo.port=" + DubboShop.freePort(),
        OAUTH + "issuer-uri=" + issuer,
        OAUTH + "audiences=" + Issuer.AUDIENCE,
        OAUTH + "grants.orders.values=orders",
        OAUTH + "grants.orders.businesses=*",
        OAUTH + "grants.orders.destinations=*");
  }

  private void assertAway(ServerUnderTest server, String name) {
    String token = Issuer.signed(OLD, issuer.claims("shop", "orders").issuer(name).build());
    HttpResponse<String> answered =
        server.send(
            server.request("/v1/half-messages/a/b").header("Authorization", "Bearer " + token));
    assertThat(answered.statusCode()).isEqualTo(503);
    assertThat(answered.headers().firstValue("Retry-After")).isPresent();
    assertThat(answered.headers().firstValue("WWW-Authenticate")).isEmpty();
    assertThat(answered.body()).contains("ISSUER_AWAY", "nothing took effect");
    HttpHalfConfig config = HttpHalfConfig.of(server.address()).answer(PATIENCE).token(() -> token);
    try (HttpHalfMessages half = HttpHalfMessages.open(config, MessageIntake.of(null))) {
      assertThatThrownBy(() -> half.commit(new HalfKey("a", "b")))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("ISSUER_AWAY");
    }
    GrpcHalfMessages grpc =
        new GrpcHalfMessages(
            server.channel((String) null),
            GrpcHalfConfig.DEFAULTS.timeout(PATIENCE).token(() -> token));
    assertThatThrownBy(() -> grpc.commit(new HalfKey("a", "b")))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("UNAVAILABLE")
        .hasMessageContaining("cannot be checked now");
    HalfMessages dubbo = server.dubbo(given -> given.token(() -> token));
    assertThatThrownBy(() -> dubbo.commit(new HalfKey("a", "b")))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("ISSUER_AWAY")
        .hasMessageContaining("nothing took effect");
    assertThat(server.send(server.request("/actuator/health")).statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({
    "'', /.well-known/openid-configuration",
    "/realms/shop, /realms/shop/.well-known/openid-configuration",
    "/realms/shop/, /realms/shop/.well-known/openid-configuration",
    "/realms/shop, /.well-known/oauth-authorization-server/realms/shop"
  })
  void issuerSaysWhereItsKeysAre(String path, String description) {
    String name = issuer.uri() + path;
    issuer.forget("/.well-known/openid-configuration");
    issuer.describe(description, name, issuer.uri() + "/keys");
    Tokens tokens = Tokens.of(given(name, null, Duration.ZERO), TimeSource.SYSTEM);

    assertThat(
            status(
                tokens, Issuer.signed(OLD, issuer.claims("shop", "orders").issuer(name).build())))
        .isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://keys.example/keys", "file:///etc/passwd", "nowhere", "null"})
  void keysOfUnsafePlacesAreNotFetched(String place) {
    issuer.describe("/.well-known/openid-configuration", issuer.uri(), place);

    assertThat(status(tokens(), issuer.token(OLD, "shop", "orders"))).isEqualTo(503);
  }

  /** The same machine, by a name that does not say so. */
  @Test
  void keysComeFromElsewhereWithoutTlsOnlyWhereThatIsSaid() {
    String elsewhere = issuer.uri().replace("127.0.0.1", "[::ffff:127.0.0.1]") + "/keys";
    issuer.describe("/.well-known/openid-configuration", issuer.uri(), elsewhere);
    String token = issuer.token(OLD, "shop", "orders");

    assertThat(status(tokens(), token)).isEqualTo(503);
    assertThat(issuer.asked()).isZero();

    OAuth2Properties plain = given(issuer.uri(), null, Duration.ZERO, true);
    assertThat(status(Tokens.of(plain, TimeSource.SYSTEM), token)).isEqualTo(200);
  }

  @Test
  void keysAreNoFile(@TempDir Path folder) throws IOException {
    Path keys = folder.resolve("keys.json");
    Files.writeString(keys, new JWKSet(OLD).toString());
    issuer.describe(
        "/.well-known/openid-configuration", issuer.uri(), String.valueOf(keys.toUri()));

    assertThat(status(tokens(), issuer.token(OLD, "shop", "orders"))).isEqualTo(503);
  }

  @Test
  void nobodyWhomTheAnswerNamesIsAsked() {
    OAuth2Properties given = given(issuer.uri(), issuer.uri() + "/moved", Duration.ZERO);

    assertThat(status(Tokens.of(given, TimeSource.SYSTEM), issuer.token(OLD, "shop", "orders")))
        .isEqualTo(503);
    assertThat(issuer.asked()).isZero();
  }

  @Test
  void descriptionOfAnotherIssuerIsNotBelieved() {
    issuer.describe(
        "/.well-known/openid-configuration", "https://evil.example", issuer.uri() + "/keys");

    assertThat(status(tokens(), issuer.token(OLD, "shop", "orders"))).isEqualTo(503);
    assertThat(issuer.asked()).isZero();
  }

  @Test
  void withTheAddressOfItsKeysTheIssuerNeedNotDescribeItself() {
    issuer.forget("/.well-known/openid-configuration");
    String name = "https://login.example/";
    Tokens tokens =
        Tokens.of(given(name, issuer.uri() + "/keys", Duration.ZERO), TimeSource.SYSTEM);

    assertThat(
            status(
                tokens, Issuer.signed(OLD, issuer.claims("shop", "orders").issuer(name).build())))
        .isEqualTo(200);
  }

  @Test
  void tokenCountsAsLongAsItsEndAndTheSkewSayByTheClockOfTheServer() {
    ManualClock clock = ManualClock.create();
    Tokens tokens = Tokens.of(given(issuer.uri(), null, Duration.ofSeconds(30)), clock);
    Instant end = clock.instant().plusSeconds(60);
    JWTClaimsSet claims = issuer.claims("shop", "orders").expirationTime(Date.from(end)).build();
    String token = Issuer.signed(OLD, claims);
    Caller caller = tokens.callerOf(token);

    clock.advance(Duration.ofSeconds(89));
    assertThat(status(tokens, token)).isEqualTo(200);
    caller.count(1);

    clock.advance(Duration.ofSeconds(1));
    assertThat(status(tokens, token)).isEqualTo(401);
    assertThatThrownBy(() -> caller.count(1)).hasMessageContaining("has expired");
  }

  @Test
  void ratesOfCallersAreBoundedInNumber() {
    CallerRates rates = new CallerRates(3, ManualClock.create());
    RateLimit first = rates.of("1", 5);
    for (int i = 2; i <= 4; i++) {
      rates.of("" + i, 5);
      assertThat(rates.of("1", 5)).isSameAs(first);
    }

    assertThat(rates.size()).isEqualTo(3);
    assertThat(rates.of("3", 5)).isSameAs(rates.of("3", 5));
    for (int i = 0; i < 100; i++) {
      rates.of("other" + i, null);
    }
    assertThat(rates.of("1", 5)).isSameAs(first);
  }

  @Test
  void ofSeveralGrantsTheLargestRateCounts() {
    JWTClaimsSet claims = new JWTClaimsSet.Builder().claim("scope", "orders").build();

    assertThat(new Grants(Map.of("a", grant(3), "b", grant(7))).of(claims).rate()).isEqualTo(7);
    assertThat(new Grants(Map.of("a", grant(3), "b", grant(null))).of(claims).rate()).isNull();
    assertThat(new Grants(Map.of("a", grant(3))).of(claims).rate()).isEqualTo(3);
  }

  @Test
  void everyFaultIsListedAtOnce() {
    List<String> faults =
        ServerStartTest.faults(
            "server.address=0.0.0.0",
            OAUTH + "issuer-uri=login.example",
            OAUTH + "jwk-set-uri=http://login.example/keys",
            OAUTH + "clock-skew=1h",
            OAUTH + "name-claim=",
            OAUTH + "keys-refreshed=1s",
            OAUTH + "keys-kept=0s",
            OAUTH + "colour=red",
            OAUTH + "grants.orders.claim=",
            OAUTH + "grants.orders.rate=0",
            OAUTH + "grants.orders.steps=prepare",
            OAUTH + "grants.orders.payload-max=0B");

    assertThat(faults)
        .anyMatch(f -> f.startsWith(OAUTH + "issuer-uri: 'login.example' (expected: "))
        .anyMatch(f -> f.startsWith(OAUTH + "jwk-set-uri: 'http://login.example/keys' (expected: "))
        .anyMatch(f -> f.startsWith(OAUTH + "audiences: none (expected: "))
        .anyMatch(f -> f.startsWith(OAUTH + "clock-skew: 1h (expected: "))
        .anyMatch(f -> f.startsWith(OAUTH + "name-claim: '' (expected: "))
        .anyMatch(f -> f.startsWith(OAUTH + "keys-refreshed: 1s (expected: "))
        .anyMatch(f -> f.startsWith(OAUTH + "keys-kept: 0s (expected: "))
        .anyMatch(f -> f.startsWith(OAUTH + "colour: unknown property"))
        .anyMatch(f -> f.startsWith(OAUTH + "grants.orders.claim: '' (expected: "))
        .anyMatch(f -> f.startsWith(OAUTH + "grants.orders.values: none (expected: "))
        .anyMatch(f -> f.startsWith(OAUTH + "grants.orders.businesses: none (expected: "))
        .anyMatch(f -> f.startsWith(OAUTH + "grants.orders.destinations: none (expected: "))
        .anyMatch(f -> f.startsWith(OAUTH + "grants.orders.rate: 0 (expected: "))
        .anyMatch(f -> f.startsWith(OAUTH + "grants.orders.payload-max: 0B (expected: "))
        .hasSize(14);
  }

  /** In other claims a value is one text, perhaps with spaces. */
  @Test
  void scopesThatNoTokenCanHaveAreFaults() {
    assertThat(
            ServerStartTest.faults(
                OAUTH + "issuer-uri=https://login.example",
                OAUTH + "audiences=angarium",
                OAUTH + "grants.any.values=*",
                OAUTH + "grants.any.businesses=*",
                OAUTH + "grants.any.steps=read",
                OAUTH + "grants.two.claim=scp",
                OAUTH + "grants.two.values=orders payments",
                OAUTH + "grants.two.businesses=*",
                OAUTH + "grants.two.steps=read",
                OAUTH + "grants.job.claim=sub",
                OAUTH + "grants.job.values=batch job",
                OAUTH + "grants.job.businesses=*",
                OAUTH + "grants.job.steps=read"))
        .anyMatch(f -> f.startsWith(OAUTH + "grants.any.values: [*] (expected: single words"))
        .anyMatch(
            f -> f.startsWith(OAUTH + "grants.two.values: [orders payments] (expected: single"))
        .hasSize(2);
  }

  @Test
  void partsThatBelongTogetherAreWantedTogether() {
    assertThat(ServerStartTest.faults(OAUTH + "audiences=angarium"))
        .anyMatch(f -> f.startsWith(OAUTH + "issuer-uri: none (expected: "))
        .anyMatch(f -> f.startsWith(OAUTH + "grants: none (expected: "))
        .hasSize(2);
    assertThat(
            ServerStartTest.faults(
                OAUTH + "issuer-uri=http://login.example",
                OAUTH + "audiences=angarium",
                OAUTH + "grants.Orders.values=orders",
                OAUTH + "grants.Orders.businesses=*",
                OAUTH + "grants.Orders.steps=read"))
        .anyMatch(f -> f.startsWith(OAUTH + "issuer-uri: 'http://login.example' (expected: "))
        .anyMatch(f -> f.startsWith(OAUTH + "grants: 'Orders' (expected: a name"))
        .hasSize(2);
  }
}
