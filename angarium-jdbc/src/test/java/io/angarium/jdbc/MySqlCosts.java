package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.BusinessKey;
import io.angarium.BusinessKey.Uniqueness;
import io.angarium.Handover;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.MessageIntake;
import io.angarium.MessageLimits;
import io.angarium.Partitioning;
import io.angarium.TimeSource;
import io.angarium.store.NewMessage;
import io.angarium.store.ReadLimit;
import io.angarium.store.Span;
import io.angarium.store.StoredMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** How many statements a message costs. */
interface MySqlCosts {
  int BATCH = 1_000;

  DataSource database();

  @Test
  default void transactionCostsOneInsertForUpToAThousandMessages() {
    try (MySqlScene scene = new MySqlScene(database())) {
      List<String> executed = new ArrayList<>();
      MessageIntake intake =
          new MessageIntake(
              MessageLimits.DEFAULTS,
              Partitioning.DEFAULTS,
              null,
              List.of(),
              TimeSource.SYSTEM,
              new Random(7)::nextLong);
      JdbcOutbox outbox = counted(scene, executed).outbox(intake, Handover.NONE);
      List<Message> messages =
          IntStream.range(0, BATCH).mapToObj(i -> Message.of("kafka:a", new byte[10])).toList();
      executed.clear(); // what finding out the server's version took

      outbox.inTransaction((connection, out) -> messages.stream().map(out::send).toList());

      assertThat(executed).hasSize(2).first().asString().startsWith("INSERT INTO outbox (");
      assertThat(executed.get(1)).isEqualTo("COMMIT");
      assertThat(EmptyDatabase.number(scene.dataSource, "SELECT COUNT(*) FROM outbox"))
          .isEqualTo(BATCH);
    }
  }

  @Test
  default void uniqueBusinessKeysCostOneStatementMoreAndAnotherIfOneIsNew() throws SQLException {
    try (MySqlScene scene = new MySqlScene(database());
        Connection plain = scene.begin()) {
      List<String> executed = new ArrayList<>();
      Connection connection = Counted.of(plain, executed::add);

      scene.database.writer().write(connection, unique("a", "b", "c"));
      assertThat(executed).hasSize(3);
      executed.clear();
      scene.database.writer().write(connection, unique("a", "c"));

      assertThat(executed).hasSize(1).first().asString().contains("FOR UPDATE");
    }
  }

  private static List<NewMessage> unique(String... keys) {
    return Arrays.stream(keys)
        .map(key -> new BusinessKey("order", key, Uniqueness.IGNORE))
        .map(business -> Message.of("kafka:a", new byte[10]).business(business))
        .map(message -> new NewMessage(new MessageId(UUID.randomUUID()), 0, message))
        .toList();
  }

  @Test
  default void drainingCostsTwoStatementsPerBatch() throws SQLException {
    try (MySqlScene scene = new MySqlScene(database())) {
      scene.write(10 * BATCH);
      List<String> executed = new ArrayList<>();
      int messages = 0;
      try (JdbcOutboxStore store = counted(scene, executed).store()) {
        List<StoredMessage> rows = read(store);
        executed.clear(); // the settings of the sessions, once per connection
        while (!rows.isEmpty()) {
          messages += rows.size();
          store.delete(rows.stream().map(StoredMessage::position).toList());
          rows = read(store);
        }
      }

      double perMessage = executed.size() / (double) messages;
      System.out.printf(
          "%s, draining: %.4f statements per message%n", scene.database.product(), perMessage);
      assertThat(messages).isEqualTo(10 * BATCH);
      assertThat(perMessage).isLessThanOrEqualTo(0.02);
    }
  }

  @Test
  default void lookForLateRowsFetchesOnlyThoseUnknown() throws SQLException {
    try (MySqlScene scene = new MySqlScene(database())) {
      List<StoredMessage> rows = scene.write(640);
      long late = rows.get(100).position().sequence();
      List<Span> all = PostgresScene.everythingAfter(0);
      List<String> executed = new ArrayList<>();
      try (JdbcOutboxStore store = counted(scene, executed).store()) {
        store.readLate(all, null, ReadLimit.rows(1), known -> true);
        executed.clear();
        assertThat(store.readLate(all, null, ReadLimit.rows(1), known -> true).complete()).isTrue();
        assertThat(executed).hasSize(1).first().asString().doesNotContain("payload");

        assertThat(
                store
                    .readLate(all, null, ReadLimit.rows(1), known -> known.sequence() != late)
                    .rows())
            .singleElement()
            .satisfies(row -> assertThat(row.position().sequence()).isEqualTo(late));
        assertThat(executed).hasSize(3);
      }
    }
  }

  private static JdbcDatabase counted(MySqlScene scene, List<String> executed) {
    DataSource counted =
        new ConnectionSource(() -> Counted.of(scene.dataSource.getConnection(), executed::add));
    return JdbcDatabase.open(counted, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.NONE));
  }

  private static List<StoredMessage> read(JdbcOutboxStore store) {
    return store
        .read(
            PostgresScene.everythingAfter(0),
            ReadLimit.rows(BATCH / Partitioning.DEFAULTS.keyed() + 1))
        .rows();
  }
}
