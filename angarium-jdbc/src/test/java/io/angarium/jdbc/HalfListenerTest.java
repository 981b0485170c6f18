package io.angarium.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Message;
import io.angarium.StoreException;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfListener;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfState;
import io.angarium.half.HalfStep;
import io.angarium.half.Refusal;
import io.angarium.half.RefusedStepException;
import io.angarium.half.WhenUnknown;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What listeners of half messages hear of calls and of persons. */
final class HalfListenerTest {
  private static final HalfKey KEY = new HalfKey("order", "1");

  @Nested
  final class OnH2 extends OnDatabase {
    OnH2() {
      super(EmptyDatabase.h2InMemory());
    }
  }

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres extends OnDatabase {
    OnPostgres() {
      super(EmptyDatabase.postgres());
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMariaDb
  final class OnMariaDb extends OnDatabase {
    OnMariaDb() {
      super(EmptiedDatabase.mariaDb());
    }
  }

  private static HalfMessage message(HalfKey key) {
    return HalfMessage.of(key, Message.of("kafka:orders", "x".getBytes(UTF_8)));
  }

  private static final class Heard implements HalfListener {
    final List<String> events = new ArrayList<>();
    final List<Duration> ages = new ArrayList<>();

    @Override
    public void changed(HalfKey key, HalfState before, HalfState after, Duration age) {
      events.add(key.key() + " " + before + " " + after);
      ages.add(age);
    }

    @Override
    public void refused(HalfKey key, HalfStep step, Refusal refusal) {
      events.add(key.key() + " " + step + " refused " + refusal);
    }
  }

  abstract static class OnDatabase {
    private final DataSource dataSource;
    private final JdbcDatabase database;
    private final Heard heard = new Heard();
    private final JdbcHalfMessages half;

    OnDatabase(DataSource dataSource) {
      this.dataSource = dataSource;
      this.database = JdbcDatabase.open(dataSource, EmptyDatabase.WITH_ALL_TABLES);
      this.half = database.halfMessages(MessageIntake.of(null), Handover.NONE, heard);
    }

    @AfterEach
    void close() {
      half.close();
    }

    @Test
    void everyChangeIsHeardOnceAndNoRepeat() {
      half.prepare(message(KEY));
      half.prepare(message(KEY));
      half.commit(KEY);
      half.commit(KEY);
      assertThatThrownBy(() -> half.rollback(KEY)).isInstanceOf(RefusedStepException.class);
      assertThatThrownBy(() -> half.commit(new HalfKey("order", "none")))
          .isInstanceOf(RefusedStepException.class);

      assertThat(heard.events)
          .containsExactly(
              "1 UNKNOWN PREPARED",
              "1 PREPARED COMMITTED",
              "1 ROLLBACK refused ALREADY_COMMITTED",
              "none COMMIT refused UNKNOWN");
    }

    @Test
    void callsOfOneTransactionAreHeardOneByOne() {
      half.callAll(
          List.of(
              new HalfCall.Prepare(message(KEY)),
              new HalfCall.Prepare(message(KEY)),
              new HalfCall.Rollback(KEY, WhenUnknown.REFUSE),
              new HalfCall.Prepare(message(KEY))));

      assertThat(heard.events)
          .containsExactly(
              "1 UNKNOWN PREPARED",
              "1 PREPARED ROLLED_BACK",
              "1 PREPARE refused ALREADY_ROLLED_BACK");
    }

    @Test
    void manyCommitsAtOnceAreHeardWithTheirAges() {
      List<HalfCall> prepares = new ArrayList<>();
      List<HalfCall> commits = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        HalfKey key = new HalfKey("order", "" + i);
        prepares.add(new HalfCall.Prepare(message(key)));
        commits.add(new HalfCall.Commit(key, WhenUnknown.REFUSE));
      }
      half.callAll(prepares);
      EmptyDatabase.execute(dataSource, "UPDATE outbox_half SET created_at = '2020-01-01'");
      heard.ages.clear();

      half.callAll(commits);
      half.callAll(commits);

      assertThat(heard.events)
          .containsExactly(
              "0 UNKNOWN PREPARED",
              "1 UNKNOWN PREPARED",
              "2 UNKNOWN PREPARED",
              "0 PREPARED COMMITTED",
              "1 PREPARED COMMITTED",
              "2 PREPARED COMMITTED");
      assertThat(heard.ages).hasSize(3).allMatch(age -> age.compareTo(Duration.ofDays(365)) > 0);
    }

    @Test
    void decisionBeforeItsMessageIsHeardWhenThatComes() {
      half.commit(KEY, WhenUnknown.REMEMBER);
      half.prepare(message(KEY));

      assertThat(heard.events).containsExactly("1 COMMIT_REMEMBERED COMMITTED");
      assertThat(heard.ages).containsOnly(Duration.ZERO);
    }

    @Test
    void ageIsThatByTheClockOfTheDatabase() {
      half.prepare(message(KEY));
      EmptyDatabase.execute(dataSource, "UPDATE outbox_half SET created_at = '2020-01-01'");
      half.commit(KEY);

      assertThat(heard.ages.get(0)).isZero();
      assertThat(heard.ages.get(1)).isGreaterThan(Duration.ofDays(365));
    }

    @Test
    void whatPersonsDoIsHeard() {
      half.prepare(message(KEY));
      database.halfMessageDesk(Handover.NONE, heard).rollback(KEY, "ann", "never paid");

      assertThat(heard.events).containsExactly("1 UNKNOWN PREPARED", "1 PREPARED ROLLED_BACK");
    }

    @Test
    void whatFailsIsNotHeard() {
      half.prepare(message(KEY));
      EmptyDatabase.execute(dataSource, "ALTER TABLE outbox RENAME TO elsewhere");
      assertThatThrownBy(() -> half.commit(KEY)).isInstanceOf(StoreException.class);
      EmptyDatabase.execute(dataSource, "ALTER TABLE elsewhere RENAME TO outbox");
      half.commit(KEY);

      assertThat(heard.events).containsExactly("1 UNKNOWN PREPARED", "1 PREPARED COMMITTED");
    }

    @Test
    void whatMayNotBeCommittedIsNotHeard() {
      AtomicBoolean losing = new AtomicBoolean();
      JdbcDatabase lossy =
          JdbcDatabase.open(
              new ConnectionSource(
                  () -> {
                    Connection connection = dataSource.getConnection();
                    return losing.get()
                        ? HalfMessagesTest.OnDatabase.losingCommits(connection)
                        : connection;
                  }),
              JdbcConfig.DEFAULTS.schemaMode(SchemaMode.NONE));
      losing.set(true);
      try (JdbcHalfMessages told =
          lossy.halfMessages(MessageIntake.of(null), Handover.NONE, heard)) {
        List<HalfCall> calls = // of one, PostgreSQL makes no transaction
            List.of(
                new HalfCall.Prepare(message(KEY)),
                new HalfCall.Prepare(message(new HalfKey("order", "2"))));
        assertThatThrownBy(() -> told.callAll(calls)).isInstanceOf(StoreException.class);
      }

      assertThat(heard.events).isEmpty();
    }

    @Test
    void listenerThatThrowsHindersNobody() {
      HalfListener throwing =
          HalfListener.all(
              () ->
                  List.of(
                      new HalfListener() {
                        @Override
                        public void changed(
                            HalfKey key, HalfState before, HalfState after, Duration age) {
                          throw new IllegalStateException("planned");
                        }
                      },
                      heard));
      try (JdbcHalfMessages told =
          database.halfMessages(MessageIntake.of(null), Handover.NONE, throwing)) {
        assertThat(told.prepare(message(KEY))).isEqualTo(HalfState.PREPARED);
      }

      assertThat(heard.events).containsExactly("1 UNKNOWN PREPARED");
    }
  }
}
