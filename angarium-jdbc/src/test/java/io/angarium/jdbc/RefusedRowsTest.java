package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.deadletter.DeadLetter;
import io.angarium.intake.NewMessage;
import io.angarium.intake.Partitioning;
import io.angarium.intake.StoredMessage;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.store.DeadEntry;
import io.angarium.store.ReadLimit;
import io.angarium.store.SequenceRange;
import io.angarium.store.WriteRefusedException;
import io.angarium.store.lease.Lease;
import io.angarium.store.lease.NodeId;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresMySql;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What a database refuses for good is told from what passes, and reasons of any text are taken. */
class RefusedRowsTest {
  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres extends OnDatabase {
    @Override
    DataSource create() {
      return EmptyDatabase.postgres();
    }
  }

  @Nested
  @RequiresMariaDb
  final class OnMariaDb extends OnDatabase {
    @Override
    DataSource create() {
      return EmptyDatabase.mariaDb();
    }
  }

  @Nested
  @RequiresMySql
  final class OnMySql extends OnDatabase {
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
  }

  abstract static class OnDatabase {
    private static final ReadLimit LIMIT = new ReadLimit(10, 1 << 20);

    private final NodeId node = new NodeId("a", UUID.randomUUID());
    private DataSource source;
    private JdbcDatabase database;
    private JdbcOutboxStore outbox;
    private JdbcLeaseStore leases;

    abstract DataSource create();

    @BeforeEach
    void open() {
      source = create();
      database = JdbcDatabase.open(source, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
      outbox = database.store();
      leases = database.leases();
      leases.prepare(new Partitioning(8, 2));
      leases.heartbeat(node, true, Duration.ofMinutes(1));
    }

    @AfterEach
    void close() {
      outbox.close();
      leases.close();
    }

    @Test
    void constraintRefusesAndIsTold() throws SQLException {
      Lease lease = leases.acquire(node, List.of(3), Duration.ZERO).get(0);
      StoredMessage row = commit();
      EmptyDatabase.execute(
          source, "ALTER TABLE outbox_dead ADD CONSTRAINT planted CHECK (attempts > 100)");

      assertThatThrownBy(() -> bury(lease, row, "no such topic"))
          .isInstanceOf(WriteRefusedException.class)
          .hasMessageContaining("burying messages");

      EmptyDatabase.execute(source, "ALTER TABLE outbox_dead DROP CONSTRAINT planted");
      bury(lease, row, "no such topic");
      assertThat(dead().reason()).isEqualTo("no such topic");
    }

    @Test
    void missingColumnRefuses() throws SQLException {
      Lease lease = leases.acquire(node, List.of(3), Duration.ZERO).get(0);
      StoredMessage row = commit();
      EmptyDatabase.execute(source, "ALTER TABLE outbox_dead RENAME TO outbox_dead_away");

      assertThatThrownBy(() -> bury(lease, row, "gone")).isInstanceOf(WriteRefusedException.class);

      EmptyDatabase.execute(source, "ALTER TABLE outbox_dead_away RENAME TO outbox_dead");
      bury(lease, row, "gone");
      assertThat(dead().reason()).isEqualTo("gone");
    }

    @Test
    void reasonThatTheEncodingLacksIsWrittenAsEscapes() throws SQLException {
      Lease lease = leases.acquire(node, List.of(3), Duration.ZERO).get(0);
      StoredMessage row = commit();
      String ascii = // as an encoding does
          database.product().startsWith("M")
              ? "CHECK (LENGTH(reason) = CHAR_LENGTH(reason))"
              : database.product().startsWith("P")
                  ? "CHECK (octet_length(reason) = length(reason))"
                  : "CHECK (OCTET_LENGTH(reason) = CHAR_LENGTH(reason))";
      EmptyDatabase.execute(source, "ALTER TABLE outbox_dead ADD CONSTRAINT planted " + ascii);

      bury(lease, row, "\u4e3b\u9898 \ud83d\ude00 does not exist");

      assertThat(dead().reason()).isEqualTo("\\u4E3B\\u9898 \\u1F600 does not exist");
    }

    @Test
    void reasonsThatOthersHaveCutAreTaken() throws SQLException {
      Lease lease = leases.acquire(node, List.of(3), Duration.ZERO).get(0);
      StoredMessage row = commit();

      bury(lease, row, "cut \ud83d, nul \u0000, none \uffff");

      assertThat(dead().reason()).isEqualTo("cut \\uD83D, nul  , none \uffff");
    }

    private void bury(Lease lease, StoredMessage row, String reason) {
      outbox.bury(lease, List.of(DeadEntry.of(row, 1, reason, false)));
    }

    private DeadLetter dead() {
      return outbox.deadLetters().page(null, null, 10).get(0);
    }

    private StoredMessage commit() throws SQLException {
      Message message = Message.of("kafka:orders", new byte[] {1}).key("k");
      try (Connection connection = source.getConnection()) {
        connection.setAutoCommit(false);
        database
            .writer()
            .write(
                connection, List.of(new NewMessage(new MessageId(UUID.randomUUID()), 3, message)));
        connection.commit();
      }
      return outbox.read(List.of(new SequenceRange(3, 0, Long.MAX_VALUE)), LIMIT).rows().get(0);
    }
  }
}
