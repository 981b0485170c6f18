package io.angarium.jdbc;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.StoreException;
import io.angarium.half.intake.IntakeTopic;
import io.angarium.half.intake.IntakeTopics;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaFeature;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresMySql;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
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
  @OnOneJdk
  @RequiresMariaDb
  final class OnMariaDb implements OnDatabase {
    private final DataSource empty = EmptyDatabase.mariaDb();

    @Override
    public DataSource empty() {
      return empty;
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMySql
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
      assertThat(topics.all())
          .extracting(IntakeTopic::topic)
          .containsExactlyInAnyOrder("half-0", "half-1");
    }

    @Test
    default void pagesFollowEachOtherInTheOrderOfTheNames() {
      JdbcIntakeTopics topics = topics();
      insert(0, 5);
      EmptyDatabase.execute(empty(), "INSERT INTO outbox_intake_topic (topic) VALUES ('')");

      List<String> names = new ArrayList<>();
      List<IntakeTopic> page = topics.page(null, 2);
      while (!page.isEmpty()) {
        page.forEach(each -> names.add(each.topic()));
        page = topics.page(names.get(names.size() - 1), 2);
      }

      assertThat(names).containsExactly("", "half-0", "half-1", "half-2", "half-3", "half-4");
    }

    private void insert(int from, int to) {
      String rows =
          IntStream.range(from, to).mapToObj(i -> "('half-" + i + "')").collect(joining(", "));
      EmptyDatabase.execute(empty(), "INSERT INTO outbox_intake_topic (topic) VALUES " + rows);
    }

    @Test
    default void moreTopicsThanTheLimitAreRefusedAndRowsBeyondItComeLast() {
      JdbcIntakeTopics topics = topics();
      insert(0, IntakeTopics.TOPICS_MAX);

      assertThat(topics.all()).hasSize(IntakeTopics.TOPICS_MAX);
      assertThat(topics.register(IntakeTopic.of("one-more"))).isFalse();
      assertThat(topics.register(IntakeTopic.of("half-7"))).isTrue();
      insertLater("a-first");
      insertLater("a-second");

      assertThat(topics.all())
          .hasSize(IntakeTopics.TOPICS_MAX + 1)
          .extracting(IntakeTopic::topic)
          .doesNotHaveDuplicates()
          .endsWith("a-first");
      assertThat(topics.change("half-7", true, null, null))
          .hasValueSatisfying(topic -> assertThat(topic.onlyMarked()).isTrue());
      assertThat(topics.page("a", 2))
          .extracting(IntakeTopic::topic)
          .containsExactly("a-first", "a-second");
    }

    private void insertLater(String topic) {
      EmptyDatabase.execute(
          empty(),
          "INSERT INTO outbox_intake_topic (topic, created_at) VALUES ('"
              + topic
              + "', TIMESTAMP '2037-01-01 00:00:00')");
    }

    @Test
    default void changeLeavesWhatItDoesNotSay() {
      JdbcIntakeTopics topics = topics();

      IntakeTopic first = topics.change("half", null, false, "Ada").orElseThrow();
      IntakeTopic second = topics.change("half", true, null, "Bob").orElseThrow();
      IntakeTopic third = topics.change("half", null, null, null).orElseThrow();

      isNew(first);
      Instant created = first.createdAt();
      assertThat(first).isEqualTo(new IntakeTopic("half", false, false, "Ada", created));
      assertThat(second).isEqualTo(new IntakeTopic("half", true, false, "Bob", created));
      assertThat(third).isEqualTo(new IntakeTopic("half", true, false, null, created));
      assertThat(topics.all()).containsExactly(third);
    }

    @Test
    default void ofTwoChangesAtOnceNeitherIsLost() throws Exception {
      JdbcIntakeTopics topics = topics();
      ExecutorService callers = Executors.newFixedThreadPool(2);
      try {
        for (int i = 0; i < 40; i++) {
          String topic = "half-" + i / 2; // new for the one pair, registered for the next
          boolean marked = i % 2 == 0;
          List<Callable<Optional<IntakeTopic>>> both =
              List.of(
                  () -> topics.change(topic, marked, null, "Ada"),
                  () -> topics.change(topic, null, !marked, "Bob"));
          for (Future<Optional<IntakeTopic>> call : callers.invokeAll(both)) {
            assertThat(call.get()).isPresent();
          }
          assertThat(topics.change(topic, null, null, null))
              .hasValueSatisfying(
                  now ->
                      assertThat(now)
                          .isEqualTo(
                              new IntakeTopic(topic, marked, !marked, null, now.createdAt())));
        }
      } finally {
        callers.shutdownNow();
      }
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
      JdbcDatabase database = JdbcDatabase.open(empty(), CREATE.features(SchemaFeature.HALF));
      EmptyDatabase.execute(empty(), "DROP TABLE outbox_intake_topic", "DROP TABLE outbox_feature");

      assertThatThrownBy(() -> JdbcDatabase.open(empty(), JdbcConfig.DEFAULTS).intakeTopics())
          .hasMessageContaining("table outbox_intake_topic: missing in ");
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
    for (int limit : List.of(0, 1_001)) {
      assertThatThrownBy(() -> topics.page(null, limit))
          .hasMessage("limit: " + limit + " (expected: 1..1000)");
    }
  }
}
