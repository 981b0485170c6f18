package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.intake.Handover;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.relay.Relay;
import io.angarium.testkit.fake.FakeTransport;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresMySql;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Rows were copied into tables whose sequence is as new, as a logical replication does it. */
final class SequenceBehindTest {
  @Nested
  final class OnH2 extends Copied {
    OnH2() {
      super(
          EmptyDatabase.h2InMemory(),
          "ALTER SEQUENCE outbox_seq RESTART WITH 1",
          "INSERT INTO outbox SELECT * FROM copied");
    }
  }

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres extends Copied {
    OnPostgres() {
      super(
          EmptyDatabase.postgres(),
          "ALTER TABLE outbox ALTER COLUMN id RESTART WITH 1",
          "INSERT INTO outbox OVERRIDING SYSTEM VALUE SELECT * FROM copied");
    }
  }

  /** Whose sequence goes with the rows: nothing lies above it. */
  @Nested
  @OnOneJdk
  @RequiresMariaDb
  final class OnMariaDb extends Copied {
    OnMariaDb() {
      super(
          EmptyDatabase.mariaDb(),
          "TRUNCATE TABLE outbox",
          "INSERT INTO outbox SELECT * FROM copied");
    }
  }

  /** Whose sequence goes with the rows: nothing lies above it. */
  @Nested
  @OnOneJdk
  @RequiresMySql
  final class OnMySql extends Copied {
    OnMySql() {
      super(
          EmptyDatabase.mySql(),
          "TRUNCATE TABLE outbox",
          "INSERT INTO outbox SELECT * FROM copied");
    }
  }

  /** The same on every database. */
  abstract static class Copied {
    private final DataSource source;
    private final String beginSequence;
    private final String copy;
    private final OldAndNew messages = new OldAndNew(FakeTransport.pipelined());
    private final JdbcDatabase database;
    private Relay relay;

    Copied(DataSource source, String beginSequence, String copy) {
      this.source = source;
      this.beginSequence = beginSequence;
      this.copy = copy;
      this.database = JdbcDatabase.open(source, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
    }

    @AfterEach
    void close() {
      if (relay != null) {
        relay.close();
      }
    }

    private void copy() {
      messages.sendOld(database, Handover.NONE);
      execute(
          "CREATE TABLE copied AS SELECT * FROM outbox", "DELETE FROM outbox", beginSequence, copy);
    }

    @Test
    void whatWasCopiedIsSentAtTheStart() {
      copy();

      relay = messages.start(database);

      messages.awaitOldArrived();
      OldAndNew.awaitTrue(() -> number("SELECT count(*) FROM outbox") == 0);
    }

    @Test
    void theStatementThatIsNamedRaisesTheSequenceAboveTheRows() {
      copy();
      long highest = number("SELECT max(id) FROM outbox");
      try (JdbcOutboxStore store = database.store()) {
        String how = store.howToRaiseSequence(highest);

        execute(how.substring(how.indexOf("then: ") + "then: ".length()));

        assertThat(store.lastSequence()).isGreaterThanOrEqualTo(highest);
      }
      messages.sendNew(database, 1);
      assertThat(number("SELECT max(id) FROM outbox")).isGreaterThan(highest);
    }

    private void execute(String... statements) {
      EmptyDatabase.execute(source, statements);
    }

    private long number(String sql) {
      return EmptyDatabase.number(source, sql);
    }
  }
}
