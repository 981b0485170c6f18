package io.angarium.server;

import static io.angarium.server.ServerStartTest.faults;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfMessages;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the server tells Prometheus, and whom it does not tell. */
class ServerMetricsTest {
  private static final String METRICS = "/actuator/prometheus";

  private static ServerUnderTest server;

  @BeforeAll
  static void start() {
    server =
        ServerUnderTest.open(
            "angarium.server.api-keys.shop.hashes=" + ServerUnderTest.HASH,
            "angarium.server.api-keys.shop.businesses=*",
            "angarium.server.api-keys.shop.destinations=*",
            "angarium.server.api-keys.shop.steps=prepare,commit,rollback,read,operate",
            "angarium.server.api-keys.prometheus.hashes=" + ServerUnderTest.hash("scrape"),
            "angarium.server.api-keys.prometheus.steps=measure");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static HttpResponse<String> get(String key, String path) {
    return server.send(server.request(path).header("Authorization", "Bearer " + key));
  }

  @Test
  void halfMessagesAndTheRelayAreToldOf() {
    HalfMessages half = server.half();
    HalfKey key = new HalfKey("order-paid", "1");
    half.prepare(HalfMessage.of(key, Message.of("log:orders", new byte[1])));
    half.commit(key);

    HttpResponse<String> told = get("scrape", METRICS);

    assertThat(told.statusCode()).isEqualTo(200);
    assertThat(told.body())
        .contains("angarium_half_prepared_total{business=\"order-paid\"} 1.0")
        .contains(
            "angarium_half_decided_seconds_count{business=\"order-paid\",outcome=\"committed\"} 1")
        .contains("angarium_half_backlog_unresolved ")
        .contains("angarium_backlog_depth ")
        .contains("angarium_healthy 1.0");
  }

  @Test
  void everyMeterHasHelp() {
    get("scrape", METRICS); // which is measured itself

    String told = get("scrape", METRICS).body();

    assertThat(told.lines().filter(line -> line.startsWith("# HELP ")))
        .hasSizeGreaterThan(50)
        .allMatch(line -> line.matches("# HELP \\w+ \\S.*"));
  }

  @Test
  void whoMayNotMeasureIsToldWhatToDo() {
    HttpResponse<String> refused = get(ServerUnderTest.KEY, METRICS);

    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body()).contains("angarium.server.api-keys.shop.steps");
    assertThat(server.send(server.request(METRICS)).statusCode()).isEqualTo(401);
  }

  @Test
  void whoMayMeasureMayNothingElse() {
    assertThat(get("scrape", "/v1/half-messages/order-paid/1").statusCode()).isEqualTo(403);
    assertThat(get("scrape", "/v1/unresolved").statusCode()).isEqualTo(403);
  }

  /** However it is written, whoever may not measure is not told. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/actuator/prometheus",
        "/actuator/prometheus/",
        "//actuator/prometheus",
        "/actuator//prometheus",
        "/./actuator/prometheus",
        "/v1/../actuator/prometheus",
        "/actuator;a=b/prometheus",
        "/actuator/prometheus;a=b",
        "/%61ctuator/prometheus",
        "/actuator%2Fprometheus",
        "/actuator%5Cprometheus",
        "/ACTUATOR/prometheus",
        "/actuator",
        "/actuator/metrics"
      })
  void metricsHaveNoSecondWayIn(String path) throws IOException {
    String answer = raw(path);

    assertThat(answer).doesNotContain("angarium_", " 200 ");
  }

  /** Spring MVC then serves everything below it, the metrics as well. */
  @ParameterizedTest
  @ValueSource(strings = {"spring.mvc.servlet.path", "server.servlet.context-path"})
  void metricsAndWhatIsForAllMoveWithThePathOfTheServer(String property) throws IOException {
    try (ServerUnderTest moved =
        ServerUnderTest.open(
            property + "=/centre",
            "angarium.server.api-keys.shop.hashes=" + ServerUnderTest.HASH,
            "angarium.server.api-keys.shop.businesses=*",
            "angarium.server.api-keys.shop.destinations=*",
            "angarium.server.api-keys.prometheus.hashes=" + ServerUnderTest.hash("scrape"),
            "angarium.server.api-keys.prometheus.steps=measure")) {
      String metrics = "/centre" + METRICS;

      assertThat(moved.send(moved.request(metrics)).statusCode()).isEqualTo(401);
      assertThat(asked(moved, ServerUnderTest.KEY, metrics)).isEqualTo(403);
      assertThat(raw(moved.port(), "/centre/v1/../actuator/prometheus"))
          .doesNotContain("angarium_", " 200 ");
      assertThat(asked(moved, "scrape", metrics)).isEqualTo(200);
      assertThat(moved.send(moved.request("/centre/actuator/health")).statusCode()).isEqualTo(200);
      assertThat(moved.send(moved.request("/centre/openapi.json")).statusCode()).isEqualTo(200);
      assertThat(asked(moved, ServerUnderTest.KEY, "/centre/v1/half-messages/order-paid/1"))
          .isEqualTo(200);
    }
  }

  @Test
  void healthIsForAllUnderAnotherPathAndThePageFindsIt() {
    try (ServerUnderTest moved =
        ServerUnderTest.open(
            "management.endpoints.web.base-path=/manage",
            "angarium.server.api-keys.shop.hashes=" + ServerUnderTest.HASH,
            "angarium.server.api-keys.shop.businesses=*",
            "angarium.server.api-keys.shop.destinations=*")) {
      assertThat(moved.send(moved.request("/about.json")).body())
          .contains("\"actuator\":\"manage\"");
      assertThat(moved.send(moved.request("/manage/health")).statusCode()).isEqualTo(200);
      assertThat(moved.send(moved.request("/manage/prometheus")).statusCode()).isEqualTo(401);
    }
  }

  @Test
  void pageKnowsThatHealthIsAtAnotherPort() {
    try (ServerUnderTest moved =
        ServerUnderTest.open("management.server.port=0", "management.server.address=127.0.0.1")) {
      assertThat(moved.send(moved.request("/about.json")).body()).contains("\"actuator\":\"\"");
      assertThat(moved.send(moved.request("/actuator/health")).statusCode()).isEqualTo(404);
    }
  }

  private static int asked(ServerUnderTest server, String key, String path) {
    return server.send(server.request(path).header("Authorization", "Bearer " + key)).statusCode();
  }

  private static String raw(String path) throws IOException {
    return raw(server.port(), path);
  }

  /** Past a client that would tidy the path up. */
  private static String raw(int port, String path) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      String request =
          "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer %s\r\n\r\n"
              .formatted(path, ServerUnderTest.KEY);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      InputStream in = socket.getInputStream();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void programsOfThisMachineMaySeeThemWhereNoKeysAre() {
    try (ServerUnderTest open = ServerUnderTest.open()) {
      assertThat(open.send(open.request(METRICS)).statusCode()).isEqualTo(200);
      assertThat(open.send(open.request(METRICS).header("X-Forwarded-For", "::1")).statusCode())
          .isEqualTo(403);
    }
  }

  @Test
  void placesWhereNobodyIsAskedForAKeyStopTheStart() {
    assertThat(
            faults(
                "management.server.port=0",
                "management.server.address=0.0.0.0",
                "management.endpoints.web.base-path=/"))
        .anyMatch(f -> f.startsWith("management.server.port: 0 (expected: none"))
        .anyMatch(f -> f.startsWith("management.endpoints.web.base-path: / (expected: "))
        .hasSize(2);
    assertThat(faults("management.server.port=0", "angarium.server.speed=high"))
        .anyMatch(f -> f.startsWith("management.server.port: 0"));
    assertThat(
            faults(
                "management.server.port=0",
                "management.server.address=127.0.0.1",
                "angarium.server.speed=high"))
        .hasSize(1);
  }
}
