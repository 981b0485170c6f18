package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import io.angarium.Message;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfState;
import io.angarium.half.Marker;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaFeature;
import io.angarium.jdbc.settings.SchemaMode;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** What grows is cut without anybody calling for it. */
final class RetentionRoundsTest {
  private static final HalfKey KEY = new HalfKey("order", "1");

  private static final RetentionConfig OFTEN =
      RetentionConfig.DEFAULTS.interval(Duration.ofSeconds(1));

  private final DataSource source = EmptyDatabase.h2InMemory();

  private final JdbcDatabase database =
      JdbcDatabase.open(source, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      LockSupport.parkNanos(10_000_000);
    }
  }

  private long rows(String table) {
    return EmptyDatabase.number(source, "SELECT COUNT(*) FROM " + table);
  }

  private void cutUntilEmpty(RetentionConfig config, String table) {
    RetentionRounds rounds = RetentionRounds.start(database.retention(), config);
    try {
      await(() -> rows(table) == 0);
    } finally {
      rounds.close();
    }
  }

  private void write() {
    try (JdbcHalfMessages half = database.halfMessages(MessageIntake.of(null), Handover.NONE)) {
      half.prepare(HalfMessage.of(KEY, Message.of("kafka:orders", new byte[1])));
      assertThat(half.rollback(KEY)).isEqualTo(HalfState.ROLLED_BACK);
    }
    database.localTransactions().run(new Marker("order", "1"), (Connection connection) -> true);
    EmptyDatabase.execute(
        source,
        "UPDATE outbox_half SET created_at = '2020-01-01 00:00:00', decided_at = '2020-01-01"
            + " 00:00:00'",
        "UPDATE outbox_marker SET created_at = '2020-01-01 00:00:00'");
  }

  @Test
  void oldOutcomesGoAndMarkersStayUnlessATimeIsGiven() {
    write();

    cutUntilEmpty(OFTEN, "outbox_half");

    assertThat(rows("outbox_marker")).isEqualTo(1);
    RetentionConfig markersToo = OFTEN.markers(Duration.ofDays(3));
    cutUntilEmpty(markersToo, "outbox_marker");
  }

  @Test
  void whatFailsDoesNotKeepTheRestFromBeingCut() {
    write();
    EmptyDatabase.execute(source, "ALTER TABLE outbox_sent RENAME TO elsewhere");

    RetentionConfig all = OFTEN.sent(Duration.ZERO).businessKeys(Duration.ZERO);
    cutUntilEmpty(all, "outbox_half");
  }

  @Test
  void featuresWithoutTablesAreLeftAlone() {
    EmptyDatabase.execute(
        source,
        "INSERT INTO outbox_dedup (business_type, business_key, message_id, created_at)"
            + " VALUES ('order', '1', RANDOM_UUID(), '2020-01-01 00:00:00')");
    RetentionRounds rounds =
        RetentionRounds.start(
            database.retention(), OFTEN.markers(Duration.ofDays(3)).businessKeys(Duration.ZERO));
    try {
      await(() -> rows("outbox_dedup") == 0);
    } finally {
      rounds.close(); // waits for the round that runs
    }

    assertThat(database.has(SchemaFeature.MARKER)).isFalse();
    assertThat(database.has(SchemaFeature.HALF)).isFalse();
  }

  /** E.g. of a feature that is off here, and that a newer Angarium uses. */
  @Test
  void unusableTablesOfAFeatureFailNoRound() {
    write();
    EmptyDatabase.execute(
        source,
        "DROP TABLE outbox_half_alert",
        "UPDATE outbox_feature SET version = 9, works_from = 8 WHERE feature = 'HALF'");
    JdbcDatabase other = JdbcDatabase.open(source, JdbcConfig.DEFAULTS);

    try (RetentionRounds rounds =
        RetentionRounds.start(
            other.retention(), OFTEN.interval(Duration.ofDays(1)).markers(Duration.ofDays(3)))) {
      assertThatCode(rounds::cut).doesNotThrowAnyException();
    }

    assertThat(rows("outbox_half")).isEqualTo(1);
    assertThat(rows("outbox_marker")).isZero();
  }

  @Test
  void everyFaultIsListed() {
    assertThatThrownBy(
            () ->
                new RetentionConfig(
                    Duration.ofSeconds(-1),
                    Duration.ofDays(4_000),
                    Duration.ofDays(2),
                    Duration.ofHours(23),
                    Duration.ofHours(22),
                    Duration.ZERO))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll(
            "retention.sent",
            "retention.business-keys",
            "retention.markers",
            "retention.half-messages",
            "retention.discarded",
            "retention.interval");
  }
}
