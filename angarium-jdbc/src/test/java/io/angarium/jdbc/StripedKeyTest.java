package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.BusinessKey;
import io.angarium.BusinessKey.Uniqueness;
import io.angarium.DuplicateBusinessKeyException;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.intake.NewMessage;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.StripedKey;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresMySql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Unique business keys on MySQL and MariaDB, under their default isolation. */
final class StripedKeyTest {
  private static final String GUARDS =
      "SELECT COUNT(DISTINCT stripe) FROM outbox_dedup WHERE business_key = ''";

  private static final String KEYS = "SELECT COUNT(*) FROM outbox_dedup WHERE business_key <> ''";

  private static final String OLD_KEYS =
      """
      INSERT INTO outbox_dedup (stripe, business_type, business_key, message_id, created_at)
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
      SELECT
        CRC32(CONCAT('order', CHAR(0), 1000 * a.i + b.i)) %% 1024, 'order', 1000 * a.i + b.i,
        REPEAT(X'00', 16), TIMESTAMP '2020-01-01 00:00:00' + INTERVAL 1000 * a.i + b.i SECOND
      FROM n AS a CROSS JOIN n AS b
      WHERE a.i <= %d / 1000
      """;

  @Nested
  @OnOneJdk
  @RequiresMariaDb
  final class OnMariaDb implements Striping {
    private final DataSource database = EmptyDatabase.mariaDb();

    @Override
    public DataSource database() {
      return database;
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMySql
  final class OnMySql implements Striping {
    private final DataSource database = EmptyDatabase.mySql();

    @Override
    public DataSource database() {
      return database;
    }
  }

  interface Striping {
    DataSource database();

    private static NewMessage message(String key) {
      Message message =
          Message.of("kafka:a", new byte[0])
              .business(new BusinessKey("order", key, Uniqueness.REFUSE));
      return new NewMessage(new MessageId(UUID.randomUUID()), 0, message);
    }

    /** The first one to be found in a stripe. */
    private static NewMessage inStripe(int stripe) {
      return IntStream.range(0, 1_000_000)
          .mapToObj(i -> message("k" + i))
          .filter(message -> StripedKey.of(message).stripe() == stripe)
          .findFirst()
          .orElseThrow();
    }

    private static void write(MySqlScene scene, NewMessage... messages) throws SQLException {
      try (Connection connection = scene.begin()) {
        scene.database.writer().write(connection, List.of(messages));
        connection.commit();
      }
    }

    @Test
    default void stripesAreThoseOfTheSchemaScript() throws SQLException {
      try (MySqlScene scene = new MySqlScene(database())) {
        write(scene, message("a"), message("\u00e4\u4e2d\ud83d\ude80"), message("b 1"));

        String stripe = "CRC32(CONCAT(business_type, CHAR(0), business_key)) % 1024";
        String rows = "SELECT COUNT(*) FROM outbox_dedup WHERE business_key <> ''";
        assertThat(EmptyDatabase.number(database(), rows + " AND stripe = " + stripe)).isEqualTo(3);
        assertThat(EmptyDatabase.number(database(), GUARDS)).isEqualTo(StripedKey.STRIPES);
      }
    }

    @Test
    default void keysOfOtherStripesDoNotWaitForOpenTransactions() throws SQLException {
      try (MySqlScene scene = new MySqlScene(database());
          Connection open = scene.begin();
          Connection other = scene.begin()) {
        Sql.of("SET SESSION innodb_lock_wait_timeout = 1").run(other);
        OutboxWriter writer = scene.database.writer();
        write(scene, inStripe(20));
        writer.write(open, List.of(inStripe(10)));
        assertThatThrownBy(() -> writer.write(open, List.of(inStripe(20))))
            .isInstanceOf(DuplicateBusinessKeyException.class);

        assertThatCode(
                () -> {
                  for (int stripe : List.of(9, 11, 19, 21)) {
                    writer.write(other, List.of(inStripe(stripe)));
                  }
                })
            .doesNotThrowAnyException();
      }
    }

    @Test
    default void keyCommittedAfterTheTransactionsFirstLookIsRefused() throws SQLException {
      try (MySqlScene scene = new MySqlScene(database());
          Connection early = scene.begin()) {
        Sql.of("SELECT COUNT(*) FROM outbox_dedup").query(early, row -> row.getLong(1));
        write(scene, message("a"));

        assertThatThrownBy(
                () -> scene.database.writer().write(early, List.of(message("a"), message("b"))))
            .isInstanceOf(DuplicateBusinessKeyException.class)
            .hasMessageContaining("(order, a)");
      }
    }

    @Test
    default void guardsOutliveRetention() {
      try (MySqlScene scene = new MySqlScene(database())) {
        assertThat(scene.database.retention().forgetBusinessKeys(Duration.ZERO)).isZero();

        assertThat(EmptyDatabase.number(database(), GUARDS)).isEqualTo(StripedKey.STRIPES);
      }
    }

    /** Otherwise two that meet could both take their part for the rest, and stop. */
    @Test
    default void forgettingGoesOnAfterAnotherNodeForgotSomeOfTheSameKeys() {
      try (MySqlScene scene = new MySqlScene(database())) {
        EmptyDatabase.execute(database(), OLD_KEYS.formatted(12_000));
        AtomicBoolean other = new AtomicBoolean();
        DataSource meeting =
            new ConnectionSource(
                () -> Counted.of(scene.dataSource.getConnection(), sql -> meet(sql, other)));

        long forgotten =
            JdbcDatabase.open(meeting, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.NONE))
                .retention()
                .forgetBusinessKeys(Duration.ofDays(1));

        assertThat(other).isTrue();
        assertThat(forgotten).isEqualTo(12_000 - 500);
        assertThat(EmptyDatabase.number(database(), KEYS)).isZero();
      }
    }

    /** The other node deletes the oldest keys after they were found here. */
    private void meet(String sql, AtomicBoolean met) {
      if (sql.startsWith("DELETE") && met.compareAndSet(false, true)) {
        EmptyDatabase.execute(
            database(),
            "DELETE FROM outbox_dedup WHERE business_key <> '' ORDER BY created_at LIMIT 500");
      }
    }

    @Test
    default void guardComesBackWithAKeyWhenTheTableWasEmptied() throws SQLException {
      try (MySqlScene scene = new MySqlScene(database())) {
        EmptyDatabase.execute(database(), "TRUNCATE TABLE outbox_dedup");

        write(scene, message("a"));

        assertThat(EmptyDatabase.number(database(), GUARDS)).isEqualTo(1);
        assertThat(scene.database.retention().forgetBusinessKeys(Duration.ZERO)).isEqualTo(1);
      }
    }
  }
}
