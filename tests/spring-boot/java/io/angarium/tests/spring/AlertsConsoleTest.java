package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.ConfigurableApplicationContext;

/** Alerts in the console of an application: who may do what over HTTP. */
class AlertsConsoleTest {
  private static final String ALERTS = "/angarium/console/api/v1/default/alerts";
  private static final String KEYS = "angarium.console.keys.";
  private static final String SUBJECT = "\"rule\":\"circuit-open\",\"subject\":\"%s\"";
  private static final String REASON = ",\"reason\":\"the broker restarts\"}";
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final Database database = Database.h2().withOrders();
  private ConfigurableApplicationContext context;

  @BeforeEach
  void start() {
    context =
        Shop.on(database)
            .withoutJpa()
            .with(Styles.Jdbc.class)
            .onTheWeb()
            .with("angarium.relay.enabled=false")
            .with("angarium.alerts.enabled=true")
            .with("angarium.alerts.channels.room.type=slack")
            .with("angarium.alerts.channels.room.url=http://localhost:1/secret-path")
            .with("angarium.console.enabled=true")
            .with("angarium.console.access=keys")
            .with(KEYS + "viewer.hashes=" + hash("viewer"))
            .with(KEYS + "operator.hashes=" + hash("operator"))
            .with(KEYS + "operator.role=operator")
            .with(KEYS + "admin.hashes=" + hash("admin"))
            .with(KEYS + "admin.role=admin")
            .with(KEYS + "orders.hashes=" + hash("orders"))
            .with(KEYS + "orders.role=admin")
            .with(KEYS + "orders.destinations=kafka:orders*")
            .start();
    fires("kafka:orders");
    fires("kafka:payments");
    fires("outbox");
  }

  @AfterEach
  void stop() {
    context.close();
  }

  private void fires(String subject) {
    database
        .jdbc()
        .update(
            """
            INSERT INTO outbox_alert (
              rule, subject, state, severity, alert_value, alert_text, episode, since)
            VALUES ('circuit-open', ?, 'firing', 'critical', 1, 'It is open', 1,
              CURRENT_TIMESTAMP(6))
            """,
            subject);
  }

  private static String hash(String key) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
      return "sha256:" + HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private HttpResponse<String> send(String key, String method, String act, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + Web.host(context) + ALERTS + act))
            .header("Authorization", "Bearer " + key)
            .header("Angarium-Console", "1")
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body))
            .build();
    return CLIENT.send(request, BodyHandlers.ofString());
  }

  private String list(String key) throws IOException, InterruptedException {
    return send(key, "GET", "", "").body();
  }

  private List<String> audit() {
    return database
        .jdbc()
        .queryForList(
            "SELECT acted_by || ' ' || act || ' ' || target FROM outbox_audit ORDER BY id",
            String.class);
  }

  @Test
  void alertIsSeenTakenSilencedAndToldAgain() throws Exception {
    assertThat(list("viewer"))
        .contains("\"subject\":\"kafka:orders\"", "\"counts\":{\"firing\":3,\"taken\":0,")
        .contains("\"channels\":[\"log\",\"room\"]")
        .doesNotContain("secret-path");

    assertThat(take("operator", "kafka:orders").statusCode()).isEqualTo(200);
    HttpResponse<String> silenced = silence("operator", "kafka:*");
    assertThat(silenced.statusCode()).isEqualTo(200);
    assertThat(list("viewer"))
        .contains("\"taken\":{\"by\":\"operator\",", "\"note\":\"the broker restarts\"")
        .contains("\"counts\":{\"firing\":3,\"taken\":1,\"silenced\":2,");

    String id = silenced.body().replaceFirst(".*\"id\":\"(\\d+)\".*", "$1");
    assertThat(lift("operator", id).statusCode()).isEqualTo(200);
    assertThat(list("viewer")).contains("\"silences\":[]", "\"silenced\":0,");
    assertThat(test("admin", "log").body()).contains("\"told\":true");
    assertThat(test("admin", "room").body())
        .contains("\"told\":false", "channel room at http://localhost:1")
        .doesNotContain("secret-path");
    assertThat(audit())
        .containsExactly(
            "operator take-alert circuit-open kafka:orders",
            "operator silence-alerts circuit-open kafka:*",
            "operator lift-silence " + id,
            "admin test-channel log",
            "admin test-channel room");
  }

  private HttpResponse<String> take(String key, String subject) throws Exception {
    return send(key, "POST", "/take", "{" + SUBJECT.formatted(subject) + REASON);
  }

  private HttpResponse<String> silence(String key, String subject) throws Exception {
    String body = "{" + SUBJECT.formatted(subject) + ",\"minutes\":60" + REASON;
    return send(key, "POST", "/silences", body);
  }

  private HttpResponse<String> lift(String key, String id) throws Exception {
    return send(key, "POST", "/silences/lift", "{\"id\":\"" + id + "\"" + REASON);
  }

  private HttpResponse<String> test(String key, String channel) throws Exception {
    return send(key, "POST", "/test", "{\"channel\":\"" + channel + "\"" + REASON);
  }

  /** Each route for each person; the columns are of the alert of one destination and of another. */
  @ParameterizedTest
  @CsvSource({
    "stranger, 401, 401, 401, 401, 401, 401, 401",
    "viewer,   200, 403, 403, 403, 403, 403, 403",
    "operator, 200, 200, 200, 200, 200, 200, 403",
    "admin,    200, 200, 200, 200, 200, 200, 200",
    "orders,   200, 200, 404, 200, 404, 404, 403",
  })
  void everyRouteAsksForItsRightAndScope(
      String key,
      int list,
      int takeOwn,
      int takeOther,
      int silenceOwn,
      int silenceAll,
      int liftOther,
      int test)
      throws Exception {
    String silenced = silence("admin", "kafka:payments").body();
    String other = silenced.replaceFirst(".*\"id\":\"(\\d+)\".*", "$1");
    int audited = audit().size();

    assertThat(send(key, "GET", "", "").statusCode()).isEqualTo(list);
    assertThat(take(key, "kafka:orders").statusCode()).isEqualTo(takeOwn);
    assertThat(take(key, "kafka:payments").statusCode()).isEqualTo(takeOther);
    assertThat(silence(key, "kafka:orders").statusCode()).isEqualTo(silenceOwn);
    assertThat(silence(key, "*").statusCode()).isEqualTo(silenceAll);
    assertThat(lift(key, other).statusCode()).isEqualTo(liftOther);
    assertThat(test(key, "log").statusCode()).isEqualTo(test);

    List<Integer> done =
        List.of(takeOwn, takeOther, silenceOwn, silenceAll, liftOther, test).stream()
            .filter(status -> status == 200)
            .toList();
    assertThat(audit()).as("what was refused is not noted").hasSize(audited + done.size());
  }

  @Test
  void operatorOfSomeDestinationsSeesTheirAlertsAlone() throws Exception {
    silence("admin", "kafka:payments");

    assertThat(list("orders"))
        .contains("kafka:orders", "\"counts\":{\"firing\":1,", "\"silences\":[]")
        .doesNotContain("payments", "outbox");
  }
}
