package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.StoreException;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresMySql;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The outbox's table is altered while a relay works: its sequence does not seem to go back. */
class AlteredTableTest {
  private static final int ALTERATIONS = 40;
  private static final int MESSAGES = 20;

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
    abstract DataSource create();

    @Test
    void sequenceIsAsItWasOrNotTold() throws SQLException {
      DataSource source = create();
      JdbcDatabase database =
          JdbcDatabase.open(source, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
      List<Message> messages =
          IntStream.range(0, MESSAGES)
              .mapToObj(i -> Message.of("fake:orders", new byte[] {1}))
              .toList();
      database
          .outbox(MessageIntake.of(null), Handover.NONE)
          .inTransaction((connection, outbox) -> outbox.sendAll(messages));
      try (JdbcOutboxStore store = database.store()) {
        CompletableFuture<Void> altering = CompletableFuture.runAsync(() -> alter(source));
        do {
          assertAsItWas(store::lastSequence);
          assertAsItWas(() -> store.glance(List.of(0, 1), Duration.ZERO).lastSequence());
          assertAsItWas(() -> store.backlog().depth());
        } while (!altering.isDone());
        altering.join();
        assertThat(store.lastSequence()).isEqualTo(MESSAGES);
      }
    }

    private static void alter(DataSource source) {
      for (int i = 0; i < ALTERATIONS; i++) {
        EmptyDatabase.execute(
            source,
            "ALTER TABLE outbox ADD COLUMN planted INTEGER",
            "ALTER TABLE outbox DROP COLUMN planted");
      }
    }

    private static void assertAsItWas(LongSupplier asked) {
      try {
        assertThat(asked.getAsLong()).isEqualTo(MESSAGES);
      } catch (StoreException e) {
        assertThat(e).hasMessageNotContaining("went back"); // it is asked again
      }
    }
  }
}
