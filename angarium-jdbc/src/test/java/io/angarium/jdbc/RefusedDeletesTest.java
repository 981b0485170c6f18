package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Message;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.intake.Partitioning;
import io.angarium.intake.Position;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.relay.Relay;
import io.angarium.relay.settings.RelayListener;
import io.angarium.store.WriteRefusedException;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresMySql;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A sent message whose row the database refuses to delete holds up no other. */
class RefusedDeletesTest {
  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres extends OnDatabase {
    @Override
    DataSource create() {
      return EmptyDatabase.postgres();
    }

    @Override
    String[] refuseDeletes(long id) {
      return new String[] {
        "CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS "
            + ("'BEGIN IF OLD.id = " + id)
            + " THEN RAISE EXCEPTION ''planted''; END IF; RETURN OLD; END'",
        "CREATE TRIGGER planted BEFORE DELETE ON outbox FOR EACH ROW EXECUTE FUNCTION planted()"
      };
    }

    @Override
    String mend() {
      return "DROP TRIGGER planted ON outbox";
    }
  }

  @Nested
  @RequiresMariaDb
  final class OnMariaDb extends OnMySqlFamily {
    @Override
    DataSource create() {
      return EmptyDatabase.mariaDb();
    }
  }

  @Nested
  @RequiresMySql
  final class OnMySql extends OnMySqlFamily {
    @Override
    DataSource create() {
      return EmptyDatabase.mySql();
    }
  }

  @Nested
  final class OnH2 extends OnDatabase {
    @Override
    DataSource create() {
      return EmptyDatabase.h2InMemory();
    }

    /** A row that another table points to. */
    @Override
    String[] refuseDeletes(long id) {
      return new String[] {
        "CREATE TABLE planted (id BIGINT REFERENCES outbox (id))",
        "INSERT INTO planted VALUES (" + id + ")"
      };
    }

    @Override
    String mend() {
      return "DROP TABLE planted";
    }
  }

  abstract static class OnMySqlFamily extends OnDatabase {
    @Override
    String[] refuseDeletes(long id) {
      return new String[] {
        "CREATE TRIGGER planted BEFORE DELETE ON outbox FOR EACH ROW BEGIN IF OLD.id = "
            + id
            + " THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'planted'; END IF; END"
      };
    }

    @Override
    String mend() {
      return "DROP TRIGGER planted";
    }
  }

  abstract static class OnDatabase {
    private DataSource source;
    private JdbcDatabase database;

    abstract DataSource create();

    /** Statements after which a row of the outbox cannot be deleted. */
    abstract String[] refuseDeletes(long id);

    /** Takes that back. */
    abstract String mend();

    @BeforeEach
    void open() throws SQLException {
      source = create();
      database = JdbcDatabase.open(source, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
      try (JdbcLeaseStore leases = database.leases();
          Connection connection = source.getConnection()) {
        leases.prepare(Partitioning.DEFAULTS);
        connection.setAutoCommit(false);
        for (int i = 0; i < 20; i++) {
          database
              .outbox(MessageIntake.of(null), Handover.NONE)
              .on(connection)
              .send(Message.of("fake:orders", new byte[] {1}).key("k" + i % 5));
        }
        connection.commit();
      }
    }

    @Test
    void nothingOfARefusedBatchIsDeleted() {
      List<Position> all = rows();
      Position kept = all.get(7);
      EmptyDatabase.execute(source, refuseDeletes(kept.sequence()));
      try (JdbcOutboxStore store = database.store()) {
        assertThatThrownBy(() -> store.delete(all))
            .isInstanceOf(WriteRefusedException.class)
            .hasMessageContaining("deleting sent messages");
        assertThat(rows()).containsExactlyElementsOf(all);

        store.delete(all.subList(0, 7));
        store.delete(all.subList(8, 20));
        assertThat(rows()).containsExactly(kept);
      }
    }

    @Test
    void rowThatCannotBeDeletedHoldsUpNoOther() throws InterruptedException {
      Position kept = rows().get(7);
      EmptyDatabase.execute(source, refuseDeletes(kept.sequence()));

      relay(kept, () -> EmptyDatabase.execute(source, mend()));
    }

    @Test
    void rowThatTheHistoryRefusesHoldsUpNoOther() throws InterruptedException {
      Position kept = rows().get(7);
      String constraint = "CONSTRAINT planted CHECK (id <> " + kept.sequence() + ")";
      EmptyDatabase.execute(source, "ALTER TABLE outbox_sent ADD " + constraint);
      database = JdbcDatabase.open(source, JdbcConfig.DEFAULTS.history(true));

      relay(
          kept,
          () -> EmptyDatabase.execute(source, "ALTER TABLE outbox_sent DROP CONSTRAINT planted"));

      assertThat(EmptyDatabase.number(source, "SELECT COUNT(*) FROM outbox_sent")).isEqualTo(20);
    }

    private void relay(Position kept, Runnable mend) throws InterruptedException {
      RelayScene scene = new RelayScene();
      Semaphore refusals = new Semaphore(0);
      try (JdbcOutboxStore store = database.store();
          JdbcLeaseStore leases = database.leases();
          Relay relay =
              scene.relay("a", Duration.ofSeconds(30), store, leases, listener(refusals))) {
        relay.start();
        scene.awaitArrivals(20);
        // the batch of twenty, four halves with the row, the row, and once more a second later
        assertThat(refusals.tryAcquire(7, 90, TimeUnit.SECONDS)).isTrue();
        assertThat(rows()).containsExactly(kept);
        assertThat(relay.healthy()).isFalse();

        mend.run();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
        while (!relay.healthy()) {
          assertThat(System.nanoTime()).as("deleted in time").isLessThan(deadline);
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        assertThat(rows()).isEmpty();
      }
    }

    private static RelayListener listener(Semaphore refusals) {
      return new RelayListener() {
        @Override
        public void storeFailed(String task, RuntimeException cause) {
          if (cause instanceof WriteRefusedException) {
            refusals.release();
          }
        }
      };
    }

    private List<Position> rows() {
      try (Connection connection = source.getConnection()) {
        return Sql.of("SELECT partition_no, id FROM outbox ORDER BY id")
            .query(connection, row -> new Position(row.getInt(1), row.getLong(2)));
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
