package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.background.BackgroundWork;
import io.angarium.deadletter.DeadLetterFilter;
import io.angarium.deadletter.DeadLetters;
import io.angarium.deadletter.Decision;
import io.angarium.jdbc.RetentionRounds;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** The Actuator endpoint {@code angarium} and the bean behind it, on a real web server. */
class ActuatorEndpointTest {
  private static final String PATH = "/actuator/angarium";
  private static final String LETTERS = PATH + "/dead-letters";

  private final Database database = Database.h2().withOrders();
  private final UUID large = UUID.randomUUID();
  private final UUID unknown = UUID.randomUUID();

  private Shop shop() {
    return Shop.on(database).withoutJpa().with(Styles.Jdbc.class).onTheWeb();
  }

  private Shop exposed() {
    return shop().with("management.endpoints.web.exposure.include=*");
  }

  private Shop writable() {
    return exposed()
        .with("management.endpoint.angarium.access=unrestricted")
        .with("angarium.relay.enabled=false");
  }

  private void someAreDead() {
    bury(1, large, "kafka:orders", "too large");
    bury(2, unknown, "kafka:stock", "no such topic");
  }

  private void bury(int sequence, UUID id, String destination, String reason) {
    database
        .jdbc()
        .update(
            """
            INSERT INTO outbox_dead (
              id, partition_no, key_hash, blocks_key, attempts, reason, created_at, message_id,
              destination, message_key, headers, payload)
            VALUES (?, 1, 7, FALSE, 2, ?, CURRENT_TIMESTAMP(6), ?, ?, 'key', 'a:secret', X'53')
            """,
            sequence,
            reason,
            id,
            destination);
  }

  @Test
  void withoutBeingExposedItIsNotThere() throws Exception {
    try (ConfigurableApplicationContext context = shop().start()) {
      assertThat(Web.get(context, "/actuator/health").statusCode()).isEqualTo(200);
      assertThat(Web.get(context, PATH).statusCode()).isEqualTo(404);
      assertThat(context.containsBean("angariumEndpoint")).isFalse();
    }
  }

  @Test
  void exposedItTellsHowTheRelayIsAndWhatWaits() throws Exception {
    try (ConfigurableApplicationContext context = exposed().start()) {
      someAreDead();

      HttpResponse<String> answered = Web.get(context, PATH);

      assertThat(answered.statusCode()).isEqualTo(200);
      assertThat(answered.body())
          .contains(
              "\"status\":\"UP\"",
              "\"unsent\":0",
              "\"dead\":2",
              "\"deadLetters\":{\"count\":2,\"atLeast\":false",
              "\"kafka:orders\":1");
    }
  }

  @Test
  void workOfTheBackgroundThatIsNotDoneIsDownAndToldWithItsReason() throws Exception {
    Shop half =
        shop()
            .with("management.endpoint.health.show-details=always")
            .with("angarium.half.enabled=true")
            .with("angarium.confirmation.destinations[0]=mailbox:orders");
    try (ConfigurableApplicationContext context = half.start()) {
      assertThat(context.getBeansOfType(BackgroundWork.class).values())
          .hasAtLeastOneElementOfType(RetentionRounds.class)
          .extracting(work -> work.getClass().getSimpleName())
          .contains("CheckBackLifecycle", "ConfirmationLifecycle");
      assertThat(Web.get(context, "/actuator/health").statusCode()).isEqualTo(200);

      database.jdbc().execute("DROP TABLE outbox_half_check CASCADE");
      database.jdbc().execute("DROP TABLE outbox_half CASCADE");
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      HttpResponse<String> health = Web.get(context, "/actuator/health");
      while (health.statusCode() == 200 && System.nanoTime() < end) {
        LockSupport.parkNanos(10_000_000);
        health = Web.get(context, "/actuator/health");
      }

      assertThat(health.statusCode()).isEqualTo(503);
      assertThat(health.body()).contains("\"background\":[\"", "fails: ");
    }
  }

  @Test
  void deadLettersAreListedByFilterAndShownWithoutTheirContents() throws Exception {
    try (ConfigurableApplicationContext context = exposed().start()) {
      someAreDead();

      String all = Web.get(context, LETTERS).body();
      String first = Web.get(context, LETTERS + "?limit=1").body();
      String orders = Web.get(context, LETTERS + "?destination=kafka:orders").body();
      String reasons = Web.get(context, LETTERS + "?reasonHas=topic").body();

      assertThat(all).contains(large.toString(), unknown.toString()).doesNotContain("secret");
      assertThat(first).contains(unknown.toString(), "\"next\":\"2.1\"").doesNotContain("" + large);
      assertThat(Web.get(context, LETTERS + "?cursor=2.1").body())
          .contains(large.toString())
          .doesNotContain(unknown.toString());
      assertThat(orders).contains(large.toString()).doesNotContain(unknown.toString());
      assertThat(reasons).contains(unknown.toString()).doesNotContain(large.toString());
      assertThat(Web.get(context, LETTERS + "/" + large).body())
          .contains("\"error\":\"too large\"", "\"sequence\":\"1\"", "\"payloadBytes\":1")
          .doesNotContain("secret");
      assertThat(Web.get(context, LETTERS + "/" + UUID.randomUUID()).statusCode()).isEqualTo(404);
      assertThat(Web.get(context, PATH + "/payloads").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void requeueingNeedsAStepOfItsOwn() throws Exception {
    try (ConfigurableApplicationContext context = exposed().start()) {
      someAreDead();

      HttpResponse<String> answered =
          Web.post(context, LETTERS, "{\"ids\":\"" + large + "\",\"reason\":\"repaired\"}");

      assertThat(answered.statusCode()).isEqualTo(405);
      assertThat(context.getBean(DeadLetters.class).page(null, null, 10)).hasSize(2);
    }
  }

  @Test
  void oneAndAllThatMatchAreRequeued() throws Exception {
    try (ConfigurableApplicationContext context = writable().start()) {
      someAreDead();
      UUID second = UUID.randomUUID();
      UUID none = UUID.randomUUID();
      bury(3, second, "kafka:orders", "too large");

      String one =
          Web.post(
                  context,
                  LETTERS,
                  "{\"ids\":\"" + unknown + "," + none + "\",\"reason\":\"topic made\"}")
              .body();
      String all =
          Web.post(
                  context,
                  LETTERS,
                  "{\"destination\":\"kafka:*\",\"reasonHas\":\"large\",\"reason\":\"raised\"}")
              .body();

      assertThat(one).contains("\"done\":[\"" + unknown + "\"]", "\"notFound\":[\"" + none + "\"]");
      assertThat(all).contains("\"requeued\":2");
      assertThat(database.jdbc().queryForObject("SELECT COUNT(*) FROM outbox", Integer.class))
          .isEqualTo(3);
      assertThat(
              database.jdbc().queryForList("SELECT DISTINCT updated_by FROM outbox", String.class))
          .containsExactly("actuator");
    }
  }

  @Test
  void wrongCallsAreToldAndChangeNothing() throws Exception {
    try (ConfigurableApplicationContext context = writable().start()) {
      someAreDead();
      for (String body :
          List.of(
              "{}",
              "{\"reason\":\"why\"}",
              "{\"reason\":\"why\",\"destinaton\":\"kafka:orders\"}",
              "{\"reason\":\"why\",\"reasonHas\":\"large\"}",
              "{\"reason\":\" \",\"destination\":\"*\"}",
              "{\"reason\":\"why\",\"destination\":\"*\",\"from\":\"yesterday\"}",
              "{\"reason\":\"why\",\"destination\":\"*\",\"cursor\":\"x\"}",
              "{\"reason\":\"why\",\"destination\":\"*\",\"cursor\":\"1.1\"}",
              "{\"reason\":\"why\",\"destination\":\"*\",\"key\":\"a\\nb\"}",
              "{\"reason\":\"why\",\"ids\":\"\"}",
              "{\"reason\":\"why\",\"ids\":\"x\"}",
              "{\"reason\":\"why\",\"ids\":\"" + large + "\",\"destination\":\"*\"}")) {
        assertThat(Web.post(context, LETTERS, body).statusCode()).as(body).isEqualTo(400);
      }
      assertThat(
              Web.post(context, PATH + "/payloads", "{\"reason\":\"why\",\"destination\":\"*\"}")
                  .statusCode())
          .isEqualTo(400);
      for (String query : List.of("?limit=0", "?limit=201", "?limit=x", "?to=x", "?cursor=x")) {
        assertThat(Web.get(context, LETTERS + query).statusCode()).as(query).isEqualTo(400);
      }
      assertThat(Web.get(context, LETTERS + "/x").statusCode()).isEqualTo(400);
      assertThat(context.getBean(DeadLetters.class).page(null, null, 10)).hasSize(2);
    }
  }

  @Test
  void wrongCallsAreAnsweredWithTheReason() throws Exception {
    try (ConfigurableApplicationContext context = writable().start()) {
      someAreDead();

      assertThat(Web.post(context, LETTERS, "{\"ids\":\"" + large + "\"}").body())
          .contains("\"error\":\"reason: none (expected: why");
      assertThat(Web.post(context, LETTERS, "{\"reason\":\"why\"}").body())
          .contains("ids or destination: none (expected: ids alone, or a destination");
      assertThat(Web.post(context, LETTERS, "{\"reason\":\"why\",\"ids\":\"x\"}").body())
          .contains("\"error\":\"").contains("x");
      HttpResponse<String> array =
          Web.post(context, LETTERS, "{\"reason\":\"why\",\"ids\":[\"" + large + "\"]}");
      assertThat(array.statusCode()).isEqualTo(400);
      assertThat(array.body())
          .contains("\"error\":\"body: not readable", "one text with commas in between");
      assertThat(Web.get(context, LETTERS + "?limit=0").body())
          .contains("limit: 0 (expected: 1..200)");
      assertThat(context.getBean(DeadLetters.class).page(null, null, 10)).hasSize(2);
    }
  }

  @Test
  void processThatOnlyWritesHasTheBeanAndTheEndpoint() throws Exception {
    try (ConfigurableApplicationContext context = writable().start()) {
      someAreDead();

      assertThat(Web.get(context, PATH).body()).contains("\"status\":\"OFF\"", "\"dead\":2");
      assertThat(
              context
                  .getBean(DeadLetters.class)
                  .requeueAll(DeadLetterFilter.of("kafka:orders"), new Decision("ann", "raised"))
                  .requeued())
          .isEqualTo(1);
    }
  }

  @Test
  void relayIsToldEvenIfTheTablesAreGone() throws Exception {
    try (ConfigurableApplicationContext context = exposed().start()) {
      database.jdbc().execute("DROP TABLE outbox_dead");

      assertThat(Web.get(context, PATH).body()).contains("\"status\":\"DOWN\"", "\"store\":");
    }
  }
}
