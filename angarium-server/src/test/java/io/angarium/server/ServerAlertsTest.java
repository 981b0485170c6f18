package io.angarium.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** Alerts of the server over its console: who may do what, with the keys of all calls. */
class ServerAlertsTest {
  private static final String ALERTS = "/console/api/v1/default/alerts";
  private static final String KEYS = "angarium.server.api-keys.";
  private static final String SUBJECT = "\"rule\":\"circuit-open\",\"subject\":\"%s\"";
  private static final String REASON = ",\"reason\":\"the broker restarts\"}";

  private static ServerUnderTest server;
  private static JdbcTemplate jdbc;

  @BeforeAll
  static void start() {
    server =
        ServerUnderTest.open(
            "angarium.relay.enabled=false",
            "angarium.alerts.enabled=true",
            KEYS + "producer.hashes=" + ServerUnderTest.hash("producer"),
            KEYS + "producer.businesses=*",
            KEYS + "producer.destinations=*",
            KEYS + "producer.steps=prepare,commit,rollback,read,measure",
            KEYS + "viewer.hashes=" + ServerUnderTest.hash("viewer"),
            KEYS + "viewer.businesses=*",
            KEYS + "viewer.destinations=*",
            KEYS + "viewer.steps=view",
            KEYS + "operator.hashes=" + ServerUnderTest.hash("operator"),
            KEYS + "operator.businesses=*",
            KEYS + "operator.destinations=*",
            KEYS + "operator.steps=view,operate",
            KEYS + "admin.hashes=" + ServerUnderTest.hash("admin"),
            KEYS + "admin.businesses=*",
            KEYS + "admin.destinations=*",
            KEYS + "admin.steps=view,operate,admin",
            KEYS + "orders.hashes=" + ServerUnderTest.hash("orders"),
            KEYS + "orders.businesses=*",
            KEYS + "orders.destinations=kafka:orders*",
            KEYS + "orders.steps=view,operate,admin");
    jdbc = new JdbcTemplate(server.bean(DataSource.class));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void someFire() {
    jdbc.update("DELETE FROM outbox_silence");
    jdbc.update("DELETE FROM outbox_alert");
    fires("kafka:orders");
    fires("kafka:payments");
    fires("outbox");
  }

  private static void fires(String subject) {
    jdbc.update(
        """
        INSERT INTO outbox_alert (
          rule, subject, state, severity, alert_value, alert_text, episode, since)
        VALUES ('circuit-open', ?, 'firing', 'critical', 1, 'It is open', 1,
          CURRENT_TIMESTAMP(6))
        """,
        subject);
  }

  private static HttpResponse<String> send(String key, String method, String act, String body) {
    return server.send(
        server
            .request(ALERTS + act)
            .header("Authorization", "Bearer " + key)
            .header("Angarium-Console", "1")
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body)));
  }

  private static HttpResponse<String> take(String key, String subject) {
    return send(key, "POST", "/take", "{" + SUBJECT.formatted(subject) + REASON);
  }

  private static HttpResponse<String> silence(String key, String subject) {
    String body = "{" + SUBJECT.formatted(subject) + ",\"minutes\":60" + REASON;
    return send(key, "POST", "/silences", body);
  }

  private static HttpResponse<String> lift(String key, String id) {
    return send(key, "POST", "/silences/lift", "{\"id\":\"" + id + "\"" + REASON);
  }

  private static HttpResponse<String> test(String key) {
    return send(key, "POST", "/test", "{\"channel\":\"log\"" + REASON);
  }

  private static String id(HttpResponse<String> silenced) {
    return silenced.body().replaceFirst(".*\"id\":\"(\\d+)\".*", "$1");
  }

  @Test
  void alertIsSeenTakenSilencedAndToldAgain() {
    assertThat(send("viewer", "GET", "", "").body())
        .contains("\"counts\":{\"firing\":3,\"taken\":0,", "\"channels\":[\"log\"]");

    assertThat(take("operator", "kafka:orders").statusCode()).isEqualTo(200);
    HttpResponse<String> silenced = silence("operator", "kafka:*");
    assertThat(send("viewer", "GET", "", "").body())
        .contains("\"taken\":{\"by\":\"operator\",")
        .contains("\"counts\":{\"firing\":3,\"taken\":1,\"silenced\":2,");
    assertThat(lift("operator", id(silenced)).statusCode()).isEqualTo(200);
    assertThat(test("admin").statusCode()).isEqualTo(200);
  }

  /** The columns are of the alert of one destination and of another. */
  @ParameterizedTest
  @CsvSource({
    "stranger, 401, 401, 401, 401, 401, 401, 401",
    "producer, 403, 403, 403, 403, 403, 403, 403",
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
      int test) {
    String other = id(silence("admin", "kafka:payments"));

    assertThat(send(key, "GET", "", "").statusCode()).isEqualTo(list);
    assertThat(take(key, "kafka:orders").statusCode()).isEqualTo(takeOwn);
    assertThat(take(key, "kafka:payments").statusCode()).isEqualTo(takeOther);
    assertThat(silence(key, "kafka:orders").statusCode()).isEqualTo(silenceOwn);
    assertThat(silence(key, "*").statusCode()).isEqualTo(silenceAll);
    assertThat(lift(key, other).statusCode()).isEqualTo(liftOther);
    assertThat(test(key).statusCode()).isEqualTo(test);
  }

  @Test
  void operatorOfSomeDestinationsSeesTheirAlertsAlone() {
    silence("admin", "kafka:payments");

    assertThat(send("orders", "GET", "", "").body())
        .contains("kafka:orders", "\"counts\":{\"firing\":1,", "\"silences\":[]")
        .doesNotContain("payments", "outbox");
  }
}
