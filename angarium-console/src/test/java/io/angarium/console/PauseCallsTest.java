package io.angarium.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.console.access.Grant;
import io.angarium.console.access.KeyAccess;
import io.angarium.console.access.KeyAccess.HashedKey;
import io.angarium.console.access.KeyHash;
import io.angarium.console.access.Operator;
import io.angarium.console.access.Right;
import io.angarium.console.settings.ConsoleSettings;
import io.angarium.desk.ActBy;
import io.angarium.desk.DestinationPause;
import io.angarium.testkit.ManualClock;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PauseCallsTest {
  private static final String PAUSE =
      "{\"destinations\":\"%s\",\"minutes\":30,\"reason\":\"the broker restarts\"}";
  private static final ActBy BOB = ActBy.of("bob", "upgrade", ActBy.Via.API);

  private ConsoleUnderTest server;

  @BeforeEach
  void open() {
    KeyAccess keys =
        new KeyAccess(
            List.of(
                key(Operator.ofAll("viewer", Right.VIEWER)),
                key(Operator.ofAll("operator", Right.OPERATOR)),
                key(of("orders", Right.OPERATOR, "kafka:orders*"))));
    server = new ConsoleUnderTest(new ManualClock(FakeDesk.NOW), ConsoleSettings.of("1.0"), keys);
  }

  private static Operator of(String name, Set<Right> rights, String destinations) {
    return new Operator(name, List.of(new Grant(rights, List.of(destinations), List.of("*"))));
  }

  private static HashedKey key(Operator operator) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest(operator.name().getBytes(StandardCharsets.UTF_8));
      return new HashedKey(new KeyHash("sha256:" + HexFormat.of().formatHex(hash)), operator);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  @AfterEach
  void close() {
    server.close();
  }

  private String pauses(String key) {
    return server.call(key, "GET", "default/pauses", null).body();
  }

  private HttpResponse<String> act(String key, String path, String body) {
    return server.call(key, "POST", "default/pauses" + path, body);
  }

  private DestinationPause begun(String destinations) {
    return server.desk.pauses.pause(destinations, Duration.ofHours(1), BOB);
  }

  private static String resume(DestinationPause pause) {
    return "{\"id\":\"" + pause.id() + "\",\"reason\":\"done\"}";
  }

  @Test
  void operatorPausesAndResumes() {
    assertThat(act("operator", "", PAUSE.formatted("rabbitmq:*")).body())
        .contains("\"destinations\":\"rabbitmq:*\"", "\"until\":\"2026-11-26T12:30:00.000Z\"");
    assertThat(pauses("viewer"))
        .contains("\"by\":\"operator\",\"reason\":\"the broker restarts\",\"applied\":0");

    DestinationPause pause = server.desk.pauses.pauses().get(0);
    assertThat(act("operator", "/resume", resume(pause)).statusCode()).isEqualTo(200);
    assertThat(act("operator", "/resume", resume(pause)).statusCode()).isEqualTo(404);

    assertThat(pauses("viewer")).contains("\"items\":[]");
  }

  @Test
  void pulseShowsPauses() {
    begun("kafka:payments");

    assertThat(server.call("viewer", "GET", "default/pulse", null).body())
        .contains("\"pauses\":[{\"id\":\"1\",\"destinations\":\"kafka:payments\"");
    assertThat(server.call("orders", "GET", "default/pulse", null).body())
        .contains("\"pauses\":[]");
  }

  @Test
  void viewerPausesNothing() {
    DestinationPause pause = begun("kafka:orders");

    assertThat(act("viewer", "", PAUSE.formatted("kafka:mail")).statusCode()).isEqualTo(403);
    assertThat(act("viewer", "/resume", resume(pause)).statusCode()).isEqualTo(403);

    assertThat(server.desk.pauses.pauses()).containsExactly(pause);
  }

  @ParameterizedTest
  @CsvSource({
    "kafka:orders, 200",
    "kafka:orders-eu, 200",
    "kafka:orders*, 200",
    "kafka:payments, 403",
    "kafka:*, 403",
    "*, 403",
    "'', 400",
  })
  void operatorOfSomeDestinationsPausesThoseAlone(String destinations, int status) {
    assertThat(act("orders", "", PAUSE.formatted(destinations)).statusCode())
        .isEqualTo(destinations.isEmpty() ? 403 : status);
    assertThat(server.desk.pauses.pauses()).hasSize(status == 200 ? 1 : 0);
  }

  @Test
  void operatorOfSomeDestinationsSeesAndResumesThoseAlone() {
    DestinationPause own = begun("kafka:orders");
    DestinationPause foreign = begun("kafka:payments");
    DestinationPause wide = begun("kafka:*");

    assertThat(pauses("orders"))
        .contains("\"destinations\":\"kafka:orders\"")
        .doesNotContain("payments", "kafka:*");
    assertThat(act("orders", "/resume", resume(foreign)).statusCode()).isEqualTo(404);
    assertThat(act("orders", "/resume", resume(wide)).statusCode()).isEqualTo(404);
    assertThat(act("orders", "/resume", resume(own)).statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"minutes\":30,\"reason\":\"r\"}|destinations: none",
        "{\"destinations\":\" \",\"minutes\":30,\"reason\":\"r\"}|destinations: 1 characters",
        "{\"destinations\":\"*\",\"reason\":\"r\"}|minutes: null (expected: 1..43200)",
        "{\"destinations\":\"*\",\"minutes\":0,\"reason\":\"r\"}|minutes: 0 (expected: 1..43200)",
        "{\"destinations\":\"*\",\"minutes\":43201,\"reason\":\"r\"}|minutes: 43201 (expected:",
        "{\"destinations\":\"*\",\"minutes\":30}|reason",
      })
  void wrongPauseIsNamed(String body, String fault) {
    HttpResponse<String> answer = act("operator", "", body);

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains(fault);
    assertThat(server.desk.pauses.pauses()).isEmpty();
  }
}
