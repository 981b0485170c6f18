package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.intake.Partitioning;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.store.ReadLimit;
import io.angarium.store.SentMessage;
import io.angarium.store.SequenceRange;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresMySql;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A transaction of the application that stays open does not keep a relay from starting over. */
final class ExactDeleteTest {
  private static final Message MESSAGE = Message.of("kafka:a", new byte[] {1}).key("k");

  @Nested
  final class OnH2 extends Held {
    OnH2() {
      super(EmptyDatabase.h2InMemory());
    }
  }

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres extends Held {
    OnPostgres() {
      super(EmptyDatabase.postgres());
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMariaDb
  final class OnMariaDb extends Held {
    OnMariaDb() {
      super(EmptyDatabase.mariaDb());
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMySql
  final class OnMySql extends Held {
    OnMySql() {
      super(EmptyDatabase.mySql());
    }
  }

  /** The same on every database. */
  abstract static class Held {
    private final DataSource dataSource;
    private final JdbcDatabase database;

    Held(DataSource dataSource) {
      this.dataSource = dataSource;
      JdbcConfig create = JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE);
      this.database = JdbcDatabase.open(PatientDatabase.of(dataSource), create);
    }

    @Test
    void rowOfAnOpenTransactionIsPassedOver() throws SQLException {
      try (JdbcOutboxStore store = database.store();
          Connection open = dataSource.getConnection()) {
        open.setAutoCommit(false);
        send(open);
        Position taken = positions(open).get(0);

        assertThat(store.deleteExact(List.of(sent(taken)))).isEmpty();

        open.commit();
        assertThat(store.deleteExact(List.of(sent(taken)))).containsExactly(taken);
      }
    }

    @Test
    void rowThatIsHeldStaysAndTheOthersAreDeleted() throws SQLException {
      try (JdbcOutboxStore store = database.store();
          Connection holder = dataSource.getConnection()) {
        holder.setAutoCommit(false);
        send(holder);
        send(holder);
        holder.commit();
        List<SentMessage> both =
            read(store).stream().map(row -> new SentMessage(row.position(), row.id())).toList();
        Sql.of("SELECT id FROM outbox WHERE id = ? FOR UPDATE", both.get(0).position().sequence())
            .query(holder, row -> row.getLong(1));

        assertThat(store.deleteExact(both)).isEmpty();

        holder.rollback();
        assertThat(read(store)).extracting(StoredMessage::id).containsExactly(both.get(0).id());
        assertThat(store.deleteExact(both)).isEmpty();
        assertThat(read(store)).isEmpty();
      }
    }

    private void send(Connection connection) {
      database.outbox(MessageIntake.of(null), Handover.NONE).on(connection).send(MESSAGE);
    }

    private static SentMessage sent(Position position) {
      return new SentMessage(position, new MessageId(new UUID(1, 2)));
    }

    private static List<Position> positions(Connection connection) throws SQLException {
      return Sql.of("SELECT partition_no, id FROM outbox")
          .query(connection, row -> new Position(row.getInt(1), row.getLong(2)));
    }

    private static List<StoredMessage> read(JdbcOutboxStore store) {
      List<SequenceRange> spans =
          Arrays.stream(Partitioning.DEFAULTS.all())
              .mapToObj(p -> SequenceRange.after(p, 0))
              .toList();
      return store.read(spans, ReadLimit.rows(10)).rows();
    }
  }
}
