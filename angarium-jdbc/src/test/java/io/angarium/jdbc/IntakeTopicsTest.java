package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.half.IntakeTopic;
import io.angarium.half.IntakeTopics;
import io.angarium.store.StoreException;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The registry of topics on every database. */
final class IntakeTopicsTest {
  private static final JdbcConfig CREATE = JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE);

  @Nested
  final class OnH2 implements OnDatabase {
    private final DataSource empty = EmptyDatabase.h2InMemory();

    @Override
    public DataSource empty() {
      return empty;
    }
  }

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres implements OnDatabase {
    private final DataSource empty = EmptyDatabase.postgres();

    @Override
    public DataSource empty() {
      return empty;
    }
  }

  @Nested
  @RequiresServer(Server.MARIADB)
  final class OnMariaDb implements OnDatabase {
    private final DataSource empty = EmptyDatabase.mariaDb();

    @Override
    public DataSource empty() {
      return empty;
    }
  }

  @Nested
  @OnOneJdk
  @RequiresServer(Server.MYSQL)
  final class OnMySql implements OnDatabase {
    private final DataSource empty = EmptyDatabase.mySql();

    @Override
    public DataSource empty() {
      return empty;
    }
  }

  interface OnDatabase {
    DataSource empty();

    default JdbcIntakeTopics topics() {
      return JdbcDatabase.open(empty(), CREATE).intakeTopics();
    }

    @Test
    default void topicsRegisteredByHandAreReadWithTheirDefaults() {
      JdbcIntakeTopics topics = topics();
      EmptyDatabase.execute(
          empty(),
          "INSERT INTO outbox_intake_topic (topic, registered_by) VALUES ('half-orders', 'Ada')",
          "INSERT INTO outbox_intake_topic (topic, only_marked) VALUES ('orders', TRUE)",
          "INSERT INTO outbox_intake_topic (topic, enabled) VALUES ('Orders', FALSE)");

      List<IntakeTopic> all = topics.all();

      assertThat(all)
          .extracting(
              each ->
                  new IntakeTopic(
                      each.topic(), each.onlyMarked(), each.enabled(), each.registeredBy(), null))
          .containsExactlyInAnyOrder(
              new IntakeTopic("half-orders", false, true, "Ada", null),
              new IntakeTopic("orders", true, true, null, null),
              new IntakeTopic("Orders", false, false, null, null));
      assertThat(all).allSatisfy(OnDatabase::isNew);
    }

    static void isNew(IntakeTopic topic) {
      assertThat(Objects.requireNonNull(topic.createdAt()))
          .isBetween(Instant.now().minus(Duration.ofMinutes(5)), Instant.now().plusSeconds(300));
    }

    @Test
    default void topicIsRegisteredChangedAndRemoved() {
      JdbcIntakeTopics topics = topics();

      assertThat(topics.register(IntakeTopic.of("half-orders"))).isTrue();
      Instant first = Objects.requireNonNull(topics.all().get(0).createdAt());
      assertThat(topics.register(new IntakeTopic("half-orders", true, false, "Ada", null)))
          .isTrue();

      assertThat(topics.all())
          .containsExactly(new IntakeTopic("half-orders", true, false, "Ada", first));
      isNew(topics.all().get(0));
      assertThat(topics.remove("half-orders")).isTrue();
      assertThat(topics.remove("half-orders")).isFalse();
      assertThat(topics.all()).isEmpty();
    }

    @Test
    default void callersAtOnceRegisterATopicOnce() throws Exception {
      JdbcIntakeTopics topics = topics();
      ExecutorService callers = Executors.newFixedThreadPool(6);
      try {
        List<Callable<Boolean>> calls = new ArrayList<>();
        for (int i = 0; i < 24; i++) {
          String by = "caller " + i;
          String topic = "half-" + i % 2;
          calls.add(() -> topics.register(new IntakeTopic(topic, false, true, by, null)));
        }

        for (Future<Boolean> call : callers.invokeAll(calls)) {
          assertThat(call.get()).isTrue();
        }
      } finally {
        callers.shutdownNow();
      }
      assertThat(topics.all()).extracting(IntakeTopic::topic).containsExactly("half-0", "half-1");
    }

    @Test
    default void moreTopicsThanTheLimitAreRefusedAndNotCutOff() {
      JdbcIntakeTopics topics = topics();
      EmptyDatabase.execute(
          empty(),
          IntStream.range(0, IntakeTopics.TOPICS_MAX)
              .mapToObj(i -> "INSERT INTO outbox_intake_topic (topic) VALUES ('half-" + i + "')")
              .toArray(String[]::new));

      assertThat(topics.all()).hasSize(IntakeTopics.TOPICS_MAX);
      assertThat(topics.register(IntakeTopic.of("one-more"))).isFalse();
      assertThat(topics.register(IntakeTopic.of("half-7"))).isTrue();
      EmptyDatabase.execute(empty(), "INSERT INTO outbox_intake_topic (topic) VALUES ('one-more')");
      assertThatThrownBy(topics::all)
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("outbox_intake_topic: more than 1000 rows");
    }

    @Test
    default void tableThatIsMissingIsAnErrorThatNamesIt() {
      JdbcIntakeTopics topics = topics();
      EmptyDatabase.execute(empty(), "DROP TABLE outbox_intake_topic");

      assertThatThrownBy(topics::all)
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("reading the registry of topics");
    }

    @Test
    default void tablesOfTheVersionBeforeGetTheRegistry() {
      JdbcDatabase database = JdbcDatabase.open(empty(), CREATE);
      EmptyDatabase.execute(
          empty(), "DROP TABLE outbox_intake_topic", "UPDATE outbox_schema SET version = 5");

      assertThatThrownBy(() -> JdbcDatabase.open(empty(), JdbcConfig.DEFAULTS))
          .hasMessageContaining("table outbox_intake_topic: missing")
          .hasMessageContaining("V6__intake_topic.sql");
      assertThat(topics().all()).isEmpty();
      assertThat(database.intakeTopics().all()).isEmpty();
    }
  }

  @Test
  void whatCannotBeATopicIsNotRegistered() {
    JdbcIntakeTopics topics = JdbcDatabase.open(EmptyDatabase.h2InMemory(), CREATE).intakeTopics();

    for (String name :
        List.of(
            "", " ", "a b", "a/b", ".", "..", "__consumer_offsets", "\u00e4", "x".repeat(250))) {
      assertThatThrownBy(() -> topics.register(IntakeTopic.of(name)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("topic: '" + name + "' (expected: 1..249 of");
    }
    for (String by : List.of(" ", "x".repeat(129))) {
      assertThatThrownBy(() -> topics.register(new IntakeTopic("half", false, true, by, null)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("registeredBy: '" + by + "' (expected: 1..128 characters");
    }
    assertThat(topics.register(IntakeTopic.of("..." + "x".repeat(246)))).isTrue();
    assertThat(topics.all()).hasSize(1);
  }
}
