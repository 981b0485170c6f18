package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import io.angarium.board.DelayBuckets;
import io.angarium.board.MinuteOfDestination;
import io.angarium.board.NodeBoard;
import io.angarium.board.NodeStatus;
import io.angarium.board.Throughput;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.relay.status.RelayStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** What nodes told is forgotten, as it would be of no use. */
final class BoardRetentionTest {
  private final DataSource source = EmptyDatabase.h2InMemory();
  private final JdbcDatabase database =
      JdbcDatabase.open(source, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));

  @Test
  void oldMinutesAreForgotten() {
    Instant now = Instant.now();
    Instant cut = now.minus(NodeBoard.MINUTES_KEPT);
    for (int hours = 0; hours < 72; hours++) {
      tellMinute(now.minus(Duration.ofHours(hours)).plusSeconds(1_800));
    }
    for (int minutes = -7; minutes <= 7; minutes++) {
      tellMinute(cut.plus(Duration.ofMinutes(minutes)));
    }

    long forgotten = database.retention().forgetMinutes(NodeBoard.MINUTES_KEPT);

    assertThat(forgotten).isBetween(23L + 7, 23L + 8); // a minute may have ended meanwhile
    assertThat(rows("outbox_minute")).isEqualTo(72 + 15 - forgotten);
    assertThat(database.retention().forgetMinutes(NodeBoard.MINUTES_KEPT)).isZero();
    assertThat(
            EmptyDatabase.number(source, "SELECT MIN(minute_no) FROM outbox_minute")
                * Duration.ofMinutes(1).toSeconds())
        .isGreaterThanOrEqualTo(
            now.minus(NodeBoard.MINUTES_KEPT).minusSeconds(60).getEpochSecond());
  }

  @Test
  void emptyBoardIsForgottenQuickly() {
    assertThat(database.retention().forgetMinutes(Duration.ZERO)).isZero();
    assertThat(database.retention().forgetStatuses(Duration.ZERO)).isZero();
  }

  @Test
  void statusesOfNodesThatAreGoneAreForgotten() {
    tell();
    tell();
    EmptyDatabase.execute(
        source,
        "UPDATE outbox_status SET told_at = DATEADD(HOUR, -25, told_at)"
            + " WHERE incarnation = (SELECT MIN(incarnation) FROM outbox_status)");

    assertThat(database.retention().forgetStatuses(NodeBoard.STATUS_KEPT)).isEqualTo(1);

    assertThat(rows("outbox_status")).isEqualTo(1);
  }

  @Test
  void roundsForgetBoth() {
    tellMinute(Instant.now().minus(Duration.ofDays(3)));
    tell();
    EmptyDatabase.execute(source, "UPDATE outbox_status SET told_at = DATEADD(DAY, -2, told_at)");
    RetentionRounds rounds = RetentionRounds.start(database.retention(), RetentionConfig.DEFAULTS);
    try {
      rounds.cut();
    } finally {
      rounds.close();
    }

    assertThat(rows("outbox_minute")).isZero();
    assertThat(rows("outbox_status")).isZero();
  }

  @Test
  void databaseWithoutABoardHasNothingToForget() {
    JdbcDatabase validated = JdbcDatabase.open(source, JdbcConfig.DEFAULTS);

    assertThatThrownBy(() -> validated.retention().forgetMinutes(Duration.ZERO))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("outbox_minute");
  }

  private long rows(String table) {
    return EmptyDatabase.number(source, "SELECT COUNT(*) FROM " + table);
  }

  private void tellMinute(Instant minute) {
    database
        .nodeBoard()
        .tellMinute(
            UUID.randomUUID(),
            List.of(
                new MinuteOfDestination(
                    minute, "kafka:orders", new Throughput(1, 0, 0, 0, DelayBuckets.NONE))));
  }

  private void tell() {
    RelayStatus relay =
        new RelayStatus(
            "a", UUID.randomUUID(), Instant.now(), null, null, 0, 0, 1, 0, List.of(), null, null);
    database
        .nodeBoard()
        .tell(new NodeStatus("", "", "", false, relay, Throughput.NONE, Duration.ZERO));
  }
}
