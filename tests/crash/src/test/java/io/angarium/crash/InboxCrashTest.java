package io.angarium.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.crash.Warehouse.Answer;
import io.angarium.crash.WarehouseRun.Outcome;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.Thorough;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Consumers that are killed in mid-work while eight take deliveries of the same orders. */
class InboxCrashTest {
  private static final List<Consumption> RIGHT = List.of(Consumption.SINGLE, Consumption.BATCH);
  private static final int CONSUMERS = 8;
  private static final Map<CrashPoint, Integer> KILLS =
      Map.of(CrashPoint.BEFORE_COMMIT, 3, CrashPoint.AFTER_COMMIT, 3, CrashPoint.ANY_TIME, 2);

  private static Outcome run(Server server, List<Consumption> ways, int copies, double repeated)
      throws Exception {
    return WarehouseRun.run(SharedServers.database(server).freshDatabase(), ways, copies, repeated);
  }

  /** That much happened that could have gone wrong, and nothing did. */
  private static void check(Outcome outcome) {
    assertThat(outcome.findings()).isEqualTo(Stock.Findings.NONE);
    assertThat(outcome.answered(Answer.REFUSED)).isZero();
    assertThat(outcome.answered(Answer.FAILED)).isPositive();
    assertThat(outcome.kills()).isEqualTo(KILLS);
    int effects = outcome.answered(Answer.NEW);
    int repeats = outcome.answered(Answer.REPEAT);
    // three were killed when they had committed, before they could say so
    assertThat(effects).isBetween(1, outcome.orders() - 3);
    assertThat((long) effects + repeats).isEqualTo(outcome.orders() + outcome.duplicates());
  }

  @Test
  @RequiresServer(Server.POSTGRESQL)
  void ordersOfKilledConsumersTakeEffectOnceOnPostgresql() throws Exception {
    ordersTakeEffectOnceOnPostgresql(0.1);
  }

  @Test
  @RequiresServer(Server.MARIADB)
  void ordersOfKilledConsumersTakeEffectOnceOnMariadb() throws Exception {
    ordersTakeEffectOnceOnMariadb(0.1);
  }

  @Thorough
  @ParameterizedTest
  @ValueSource(doubles = {0, 0.5})
  @RequiresServer(Server.POSTGRESQL)
  void ordersTakeEffectOnceOnPostgresql(double repeated) throws Exception {
    Outcome outcome = run(Server.POSTGRESQL, RIGHT, 1, repeated);

    check(outcome);
    assertThat(outcome.answered(Answer.MET)).isZero();
  }

  @Thorough
  @ParameterizedTest
  @ValueSource(doubles = {0, 0.5})
  @RequiresServer(Server.MARIADB)
  void ordersTakeEffectOnceOnMariadb(double repeated) throws Exception {
    Outcome outcome = run(Server.MARIADB, RIGHT, 1, repeated);

    check(outcome);
  }

  @Test
  @RequiresServer(Server.POSTGRESQL)
  void ordersThatAllConsumersGetAtOnceTakeEffectOnceOnPostgresql() throws Exception {
    Outcome outcome = run(Server.POSTGRESQL, RIGHT, CONSUMERS, 0);

    check(outcome);
    assertThat(outcome.answered(Answer.MET)).isZero();
  }

  @Thorough
  @Test
  @RequiresServer(Server.MARIADB)
  void ordersThatAllConsumersGetAtOnceTakeEffectOnceOnMariadb() throws Exception {
    // MariaDB may end one of several that waited for an order that then failed
    Outcome outcome = run(Server.MARIADB, RIGHT, CONSUMERS, 0);

    check(outcome);
  }

  @Test
  @RequiresServer(Server.POSTGRESQL)
  void workWithoutTheInboxIsNoticed() throws Exception {
    Outcome outcome = run(Server.POSTGRESQL, List.of(Consumption.WITHOUT_INBOX), 1, 0.1);

    assertThat(outcome.findings().missing()).isEmpty();
    assertThat(outcome.findings().repeated()).isNotEmpty();
    assertThat(outcome.findings().sums()).anyMatch(line -> line.startsWith("taken"));
  }

  @Thorough
  @Test
  @RequiresServer(Server.POSTGRESQL)
  void noteThatIsCommittedBeforeTheWorkIsNoticed() throws Exception {
    Outcome outcome = run(Server.POSTGRESQL, List.of(Consumption.NOTE_FIRST), 1, 0.1);

    assertThat(outcome.findings().repeated()).isEmpty();
    assertThat(outcome.findings().missing()).isNotEmpty();
    assertThat(outcome.findings().sums()).anyMatch(line -> line.startsWith("taken"));
  }
}
