package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.angarium.ConfigurationException;
import io.angarium.console.access.ConsoleAccess;
import io.angarium.console.access.Operator;
import io.angarium.console.access.Right;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The operator console in an application, on a real web server. */
class ConsoleTest {
  private static final String PATH = "/angarium/console";
  private static final String API = PATH + "/api/v1/";

  private final Database database = Database.h2().withOrders();
  private final UUID dead = UUID.randomUUID();

  private Shop shop() {
    return Shop.on(database)
        .withoutJpa()
        .with(Styles.Jdbc.class)
        .onTheWeb()
        .with("angarium.relay.enabled=false");
  }

  private Shop served() {
    return shop().with("angarium.console.enabled=true").with(AdaAlone.class);
  }

  /** Lets everybody in as Ada who says so. */
  @Configuration(proxyBeanMethods = false)
  static class AdaAlone {
    @Bean
    ConsoleAccess ada() {
      return new ConsoleAccess() {
        @Override
        public Optional<Operator> operator(HttpServletRequest request) {
          return "ada".equals(request.getHeader("X-User"))
              ? Optional.of(Operator.ofAll("ada", Right.OPERATOR))
              : Optional.empty();
        }

        @Override
        public String way() {
          return "application";
        }
      };
    }
  }

  private void oneIsDead() {
    database
        .jdbc()
        .update(
            """
            INSERT INTO outbox_dead (
              id, partition_no, key_hash, blocks_key, attempts, reason, created_at, message_id,
              destination, message_key, headers, payload)
            VALUES (1, 1, 7, FALSE, 2, 'too large', CURRENT_TIMESTAMP(6), ?, 'kafka:orders', 'key',
              'a:b', X'53')
            """,
            dead);
  }

  private static HttpResponse<String> send(
      ConfigurableApplicationContext context, String method, String path, String body)
      throws IOException, InterruptedException {
    String port = context.getEnvironment().getProperty("local.server.port");
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
            .header("X-User", "ada")
            .header("Angarium-Console", "1")
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body))
            .build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
  }

  @Test
  void moduleAloneServesNothing() throws Exception {
    try (ConfigurableApplicationContext context = shop().start()) {
      assertThat(Web.get(context, PATH + "/").statusCode()).isEqualTo(404);
      assertThat(Web.get(context, API + "me").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void consoleWithoutAWayInStopsTheStartAndListsAll() {
    Throwable thrown = catchThrowable(() -> shop().with("angarium.console.enabled=true").start());

    assertThat(thrown)
        .rootCause()
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("angarium.console.enabled: true, but there is no way in")
        .hasMessageContaining("angarium.console.access=local")
        .hasMessageContaining("angarium.console.keys.<name>.hashes")
        .hasMessageContaining("ConsoleAccess");
  }

  @Test
  void wrongPropertiesAreListedAtOnce() {
    Throwable thrown =
        catchThrowable(
            () ->
                served()
                    .with("angarium.console.path=console/")
                    .with("angarium.console.cookie-secret=short")
                    .with("angarium.console.trace-url=ftp://x")
                    .with("angarium.console.keys.bob.hashes=swordfish")
                    .start());

    assertThat(thrown)
        .rootCause()
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("angarium.console.path: 'console/' (expected: ")
        .hasMessageContaining("angarium.console.cookie-secret: 5 characters (expected: ")
        .hasMessageContaining("angarium.console.keys.bob.hashes: ")
        .hasMessageNotContaining("swordfish");
  }

  /** Wherever the application is, and however it maps its own objects. */
  @ParameterizedTest
  @CsvSource({
    "'', spring.mvc.servlet.path=/",
    "/shop, server.servlet.context-path=/shop",
    "/mvc, spring.mvc.servlet.path=/mvc",
    "'', spring.jackson.property-naming-strategy=SNAKE_CASE",
    "'', spring.threads.virtual.enabled=true",
  })
  void pageAndApiAreBelowTheApplication(String base, String property) throws Exception {
    try (ConfigurableApplicationContext context = served().with(property).start()) {
      oneIsDead();

      assertThat(Web.get(context, base + PATH + "/").body()).contains("<div id=\"app\">");
      assertThat(Web.get(context, base + API + "me").statusCode()).isEqualTo(401);
      assertThat(send(context, "GET", base + API + "default/pulse", "").body())
          .contains("\"oldestWaiting\":null", "\"dead\":{\"count\":1,\"atLeast\":false}");
      assertThat(send(context, "GET", base + PATH, "").statusCode()).isEqualTo(308);
    }
  }

  @Test
  void deadLetterIsRequeuedAndTheAuditSaysByWhom() throws Exception {
    try (ConfigurableApplicationContext context = served().start()) {
      oneIsDead();

      HttpResponse<String> acted =
          send(
              context,
              "POST",
              API + "default/messages/acts",
              "{\"act\":\"requeue\",\"ids\":[\"" + dead + "\"],\"reason\":\"repaired\"}");
      HttpResponse<String> audit = send(context, "GET", API + "default/audit", "");
      HttpResponse<String> found =
          send(context, "GET", API + "default/messages/" + dead + "?depth=all", "");

      assertThat(acted.body()).contains("\"done\":[\"" + dead + "\"]");
      assertThat(audit.body()).contains("\"by\":\"ada\"", "\"act\":\"requeue\"", "repaired");
      assertThat(found.body()).contains("\"stage\":\"waiting\"");
    }
  }

  @Test
  void featureOfTheConsoleIsAmongTheTables() throws Exception {
    try (ConfigurableApplicationContext context = served().start()) {
      List<String> tables =
          database
              .jdbc()
              .queryForList(
                  "SELECT LOWER(table_name) FROM information_schema.tables", String.class);

      assertThat(tables).contains("outbox_audit", "outbox_discarded", "outbox_operation");
      assertThat(context.isActive()).isTrue();
    }
  }

  /** Nobody asks how far it is until it is done. */
  @Test
  void nodeWithARelayCarriesOutAnOperation() throws Exception {
    Shop shop =
        Shop.on(database)
            .withoutJpa()
            .with(Styles.Jdbc.class)
            .onTheWeb()
            .with("angarium.console.enabled=true")
            .with("angarium.relay.node=shop-1")
            .with(AdaAlone.class);
    try (ConfigurableApplicationContext context = shop.start()) {
      oneIsDead();
      String preview =
          send(
                  context,
                  "POST",
                  API + "default/operations/preview",
                  "{\"kind\":\"discard\",\"filter\":{}}")
              .body();
      String token = preview.replaceFirst(".*\"token\":\"([^\"]+)\".*", "$1");
      String operation = "operations/" + UUID.randomUUID();
      HttpResponse<String> begun =
          send(
              context,
              "PUT",
              API + "default/" + operation,
              ("{\"kind\":\"discard\",\"filter\":{},\"token\":\"%s\",\"delay\":\"PT0S\","
                      + "\"reason\":\"of a test\"}")
                  .formatted(token));

      assertThat(begun.body()).contains("\"state\":\"waiting\"");
      until(context, operation, "\"state\":\"done\"", "\"node\":\"shop-1\"", "\"done\":1");
      assertThat(database.jdbc().queryForList("SELECT message_id FROM outbox_dead")).isEmpty();
      assertThat(send(context, "GET", API + "default/audit", "").body())
          .contains("begin-operation", "end-operation", "\"act\":\"discard\"");
    }
  }

  /** With a relay, which learns of a pause with its next heartbeat. */
  @Test
  void pausedDestinationGetsNothingUntilItIsResumed() throws Exception {
    Shop shop =
        Shop.on(database)
            .withoutJpa()
            .with(Styles.Jdbc.class)
            .onTheWeb()
            .with("angarium.console.enabled=true")
            .with(AdaAlone.class);
    try (ConfigurableApplicationContext context = shop.start()) {
      Mailbox mailbox = context.getBean(Mailbox.class);
      Orders orders = context.getBean(Orders.class);
      orders.place(1);
      mailbox.next();

      String begun = pauses(context, "", "{\"destinations\":\"mailbox:*\",\"minutes\":60,%s}");
      String id = begun.replaceFirst(".*\"id\":\"(\\d+)\".*", "$1");
      until(context, "pauses", "\"applied\":1,\"nodes\":1");
      orders.place(2);
      orders.place(3);
      until(context, "destinations", "\"waiting\":2", "\"pausedUntil\":\"");
      String buried =
          send(
                  context,
                  "POST",
                  API + "default/messages/acts",
                  "{\"act\":\"bury\",\"ids\":[\"" + waiting(context) + "\"],\"reason\":\"why\"}")
              .body();
      pauses(context, "/resume", "{\"id\":\"" + id + "\",%s}");

      assertThat(mailbox.next().message().key()).isEqualTo("order 3");
      assertThat(mailbox.keys()).containsExactly("order 1", "order 3");
      assertThat(buried).contains("\"notFound\":[]", "\"refused\":{}");
      assertThat(send(context, "GET", API + "default/audit", "").body())
          .contains("pause-destination", "resume-destination", "\"act\":\"bury\"");
    }
  }

  private static String pauses(ConfigurableApplicationContext context, String act, String body)
      throws Exception {
    HttpResponse<String> answer =
        send(
            context,
            "POST",
            API + "default/pauses" + act,
            body.formatted("\"reason\":\"the broker restarts\""));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  /** The id of the oldest message that waits. */
  private static String waiting(ConfigurableApplicationContext context) throws Exception {
    String found =
        send(
                context,
                "POST",
                API + "default/messages/search",
                "{\"stage\":\"waiting\",\"order\":\"oldest\"}")
            .body();
    return found.replaceFirst(".*?\"id\":\"([0-9a-f-]{36})\".*", "$1");
  }

  private static void until(
      ConfigurableApplicationContext context, String path, String... parts) throws Exception {
    Instant end = Instant.now().plusSeconds(60);
    String body;
    do {
      body = send(context, "GET", API + "default/" + path, "").body();
      if (Stream.of(parts).allMatch(body::contains)) {
        return;
      }
      LockSupport.parkNanos(50_000_000);
    } while (Instant.now().isBefore(end));
    assertThat(body).contains(parts);
  }
}
