package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.NoTransactionException;
import io.angarium.StoreException;
import io.angarium.inbox.ConcurrentDeliveryException;
import io.angarium.inbox.InboxKey;
import io.angarium.inbox.WhenBusy;
import io.angarium.jdbc.JdbcInboxTest.JdbcFixture;
import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresMySql;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Work that is one statement, on every database. */
final class InboxStatementTest {
  private static final InboxConfig CREATED = InboxConfig.DEFAULTS.schemaMode(SchemaMode.CREATE);
  private static final InboxKey KEY = InboxKey.of("stock", "1");
  private static final String DEDUCT =
      "UPDATE stock SET amount = amount - ? WHERE item = ? AND :fresh";

  @Nested
  final class OnH2 extends OnDatabase {
    OnH2() {
      super(EmptyDatabase.h2InMemory(), CREATED);
    }
  }

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres extends OnDatabase {
    OnPostgres() {
      super(EmptyDatabase.postgres(), CREATED);
    }

    @Test
    void noteAndWorkAreOneStatement() {
      List<String> sent = new ArrayList<>();
      JdbcInbox counted =
          JdbcInbox.open(
              new ConnectionSource(() -> Counted.of(database.getConnection(), sent::add)), CREATED);
      sent.clear();

      assertThat(counted.update(KEY, DEDUCT, 1, "apple")).hasValue(1);
      assertThat(sent).singleElement().asString().contains("INSERT INTO inbox", "UPDATE stock");
    }
  }

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class TellingOnPostgres extends OnDatabase {
    TellingOnPostgres() {
      super(EmptyDatabase.postgres(), CREATED.whenBusy(WhenBusy.TELL));
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMariaDb
  final class OnMariaDb extends OnDatabase {
    OnMariaDb() {
      super(EmptyDatabase.mariaDb(), CREATED);
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMySql
  final class OnMySql extends OnDatabase {
    OnMySql() {
      super(EmptyDatabase.mySql(), CREATED);
    }
  }

  abstract static class OnDatabase {
    final DataSource database;
    private final JdbcFixture fixture;
    private final JdbcInbox inbox;

    OnDatabase(DataSource database, InboxConfig config) {
      this.database = database;
      fixture = new JdbcFixture(database, config);
      inbox = fixture.inbox();
      EmptyDatabase.execute(
          database,
          "CREATE TABLE stock (item VARCHAR(20) PRIMARY KEY, amount INT NOT NULL CHECK (amount >="
              + " 0))");
      EmptyDatabase.execute(database, "INSERT INTO stock VALUES ('apple', 5)");
    }

    private long apples() {
      return EmptyDatabase.number(database, "SELECT amount FROM stock");
    }

    @Test
    void statementRunsForTheFirstDeliveryOnly() {
      assertThat(inbox.update(KEY, DEDUCT, 2, "apple")).hasValue(1);
      assertThat(inbox.update(KEY, DEDUCT, 2, "apple")).isEmpty();
      assertThat(inbox.process(KEY, c -> {})).isFalse();

      assertThat(apples()).isEqualTo(3);
    }

    @Test
    void whatWasProcessedInTheLongFormIsNotRepeated() {
      inbox.process(KEY, c -> {});

      assertThat(inbox.update(KEY, DEDUCT, 2, "apple")).isEmpty();
      assertThat(apples()).isEqualTo(5);
    }

    @Test
    void statementThatChangesNothingIsNotTakenForARepeat() {
      assertThat(inbox.update(KEY, DEDUCT, 2, "pear")).hasValue(0);
      assertThat(inbox.update(KEY, DEDUCT, 2, "pear")).isEmpty();
    }

    @Test
    void failedStatementLeavesNoNote() {
      assertThatThrownBy(() -> inbox.update(KEY, DEDUCT, 9, "apple"))
          .isInstanceOf(StoreException.class)
          .hasCauseInstanceOf(SQLException.class);

      assertThat(inbox.update(KEY, DEDUCT, 5, "apple")).hasValue(1);
    }

    @Test
    void rowsAreInsertedOnce() {
      String insert = "INSERT INTO line (text) SELECT CAST(? AS CHAR(1)) FROM stock WHERE :fresh";

      assertThat(inbox.update(KEY, insert, "a")).hasValue(1);
      assertThat(inbox.update(KEY, insert, "b")).isEmpty();
      assertThat(fixture.written()).containsExactly("a");
    }

    @Test
    void statementOfTheCallersTransactionGoesWithIt() throws SQLException {
      try (Connection connection = database.getConnection()) {
        assertThatThrownBy(() -> inbox.on(connection).update(KEY, DEDUCT, 1, "apple"))
            .isInstanceOf(NoTransactionException.class);
        connection.setAutoCommit(false);
        assertThat(inbox.on(connection).update(KEY, DEDUCT, 1, "apple")).hasValue(1);
        connection.rollback();
        assertThat(inbox.on(connection).update(KEY, DEDUCT, 2, "apple")).hasValue(1);
        connection.commit();
      }
      assertThat(apples()).isEqualTo(3);
    }

    private OptionalLong add(InboxKey key) {
      try {
        return inbox.update(
            key, "UPDATE stock SET amount = amount + ? WHERE item = ? AND :fresh", 1, "apple");
      } catch (ConcurrentDeliveryException e) {
        return OptionalLong.empty();
      }
    }

    @Test
    void ofDeliveriesAtOnceOneRuns() throws Exception {
      ExecutorService threads = Executors.newFixedThreadPool(4);
      try {
        for (int round = 0; round < 20; round++) {
          InboxKey key = InboxKey.of("stock", "round " + round);
          List<Future<OptionalLong>> deliveries = new ArrayList<>();
          for (int i = 0; i < 4; i++) {
            deliveries.add(threads.submit(() -> add(key)));
          }
          for (Future<OptionalLong> delivery : deliveries) {
            delivery.get(60, TimeUnit.SECONDS);
          }
        }
      } finally {
        threads.shutdownNow();
      }
      assertThat(apples()).isEqualTo(25);
    }
  }

  @Test
  void statementWithoutTheConditionIsRefused() {
    JdbcInbox inbox = JdbcInbox.open(EmptyDatabase.h2InMemory(), CREATED);

    assertThatThrownBy(() -> inbox.update(KEY, "UPDATE stock SET amount = ::fresh", 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(":fresh as a condition");
    assertThatThrownBy(() -> inbox.update(KEY, "SELECT 1 WHERE :fresh"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected: an INSERT, UPDATE or DELETE");
  }
}
