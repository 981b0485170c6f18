package io.angarium.alert;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Destination;
import io.angarium.alert.signal.Signals;
import io.angarium.board.BoardView;
import io.angarium.confirmation.ConfirmationDesk.Unconfirmed;
import io.angarium.desk.BoundedCount;
import io.angarium.desk.DestinationPause;
import io.angarium.desk.NodeView;
import io.angarium.desk.Overview;
import io.angarium.desk.PartitionView;
import io.angarium.desk.RelayView;
import io.angarium.half.decide.HalfBacklog;
import io.angarium.reconciliation.StoredReport;
import io.angarium.reconciliation.Window;
import io.angarium.relay.settings.CircuitState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StandardRulesTest {
  private static final Instant NOW = Instant.parse("2026-11-29T00:00:00Z");

  private BoundedCount dead = BoundedCount.NONE;
  private BoundedCount deadLately = BoundedCount.NONE;
  private BoundedCount stuck = BoundedCount.NONE;
  private BoundedCount overdue = BoundedCount.NONE;
  private @Nullable Instant oldest;
  private NodeView node = node("shop-1", true, Duration.ofSeconds(9));
  private List<PartitionView> partitions = List.of(partition("shop-1", true));
  private @Nullable HalfBacklog half = new HalfBacklog(0, 0, 0);
  private String destination = "kafka:orders";
  private CircuitState circuit = CircuitState.CLOSED;
  private List<String> faults = List.of();
  private Instant clock = NOW;
  private @Nullable BoardView board;
  private List<Unconfirmed> unconfirmed = List.of();
  private List<StoredReport> reports = List.of();
  private List<DestinationPause> pauses = List.of();
  private long waiting = 12;

  static Signals healthy() {
    return new StandardRulesTest().signals();
  }

  private Signals signals() {
    Overview overview =
        new Overview(
            NOW,
            BoundedCount.upTo(10_000, waiting),
            oldest,
            BoundedCount.NONE,
            null,
            overdue,
            BoundedCount.NONE,
            BoundedCount.NONE,
            stuck,
            dead,
            BoundedCount.upTo(10_000, 9_999),
            deadLately,
            null,
            BoundedCount.NONE,
            BoundedCount.NONE,
            null,
            false);
    return new Signals(
            overview,
            new RelayView(List.of(node), partitions, NOW),
            half,
            board,
            Map.of(Destination.parse(destination), circuit),
            faults,
            "shop-1",
            clock)
        .ofConsumers(unconfirmed, reports)
        .ofPauses(pauses, pauses.isEmpty() ? oldest : null);
  }

  private static Unconfirmed unconfirmed(long sentAgain, long overdue) {
    return new Unconfirmed("kafka:orders", 40, NOW, sentAgain, 0, 2, NOW, overdue);
  }

  private static StoredReport report(long id, int missing) {
    Window window = new Window(NOW.minusSeconds(7_200), NOW.minusSeconds(3_600));
    return new StoredReport(
        id, "orders", "kafka:orders", window, NOW, 40, 28, missing, 0, 0, false, null);
  }

  @Test
  void unconfirmedMessagesThatWereSentAgain() {
    unconfirmed = List.of(unconfirmed(0, 0));
    assertThat(StandardRules.all()).allSatisfy(rule -> assertThat(rule.look(signals())).isEmpty());

    unconfirmed = List.of(unconfirmed(12, 0));
    assertFound(
        "unconfirmed",
        Severity.WARNING,
        "kafka:orders",
        "Unconfirmed messages of kafka:orders that were sent again: 12 of 40");

    unconfirmed = List.of(unconfirmed(12, 3));
    assertFound(
        "unconfirmed",
        Severity.WARNING,
        "kafka:orders",
        "Unconfirmed messages of kafka:orders that no node settles: 3");
  }

  @Test
  void openReportsOfATaskAreOneFinding() {
    reports = List.of(report(7, 12), report(6, 3));

    assertFound(
        "reconciliation",
        Severity.CRITICAL,
        "orders",
        "Reports of orders that differ: 2; the latest of 2026-11-28T22:00:00Z to"
            + " 2026-11-28T23:00:00Z: 12 missing, 0 unexpected, 0 repeated");
    reports = List.of(report(7, 0));
    assertFound(
        "reconciliation",
        Severity.CRITICAL,
        "orders",
        "Reports of orders that differ: 1; the latest of 2026-11-28T22:00:00Z to"
            + " 2026-11-28T23:00:00Z: 0 missing, 0 unexpected, 0 repeated");
  }

  private static NodeView node(String name, boolean takingPart, Duration left) {
    return new NodeView(name, new UUID(1, 2), takingPart, left, 1, List.of());
  }

  private static PartitionView partition(@Nullable String node, boolean live) {
    return new PartitionView(3, BoundedCount.NONE, null, node, live, 1);
  }

  /** What is found, by the name of the rule. */
  private void assertFound(String rule, Severity severity, String subject, String text) {
    Signals seen = signals();
    for (AlertRule each : StandardRules.all()) {
      List<Finding> found = each.look(seen);
      if (each.name().equals(rule)) {
        assertThat(found).as(rule).hasSize(1);
        assertThat(found.get(0).severity()).isEqualTo(severity);
        assertThat(found.get(0).subject()).isEqualTo(subject);
        assertThat(found.get(0).text()).isEqualTo(text);
      } else {
        assertThat(found).as(each.name()).isEmpty();
      }
    }
  }

  @Test
  void nothingIsWrongWithAHealthyOutbox() {
    assertThat(StandardRules.all()).allSatisfy(rule -> assertThat(rule.look(healthy())).isEmpty());
    assertThat(StandardRules.all()).extracting(AlertRule::name).doesNotHaveDuplicates();
    assertThat(StandardRules.all()).allSatisfy(rule -> assertThat(rule.meaning()).endsWith("."));
  }

  @Test
  void deadLetters() {
    dead = BoundedCount.upTo(10_000, 1);
    assertFound("dead-letters", Severity.WARNING, "outbox", "Dead letters waiting for a person: 1");

    dead = BoundedCount.upTo(10_000, 10_000);
    assertFound(
        "dead-letters",
        Severity.CRITICAL,
        "outbox",
        "Dead letters waiting for a person: 10000 or more");
  }

  @Test
  void deadRate() {
    deadLately = BoundedCount.upTo(10_000, 20);
    assertFound("dead-rate", Severity.CRITICAL, "outbox", "Messages that died within 10m: 20");
  }

  @Test
  void oldestWaiting() {
    oldest = NOW.minusSeconds(60);
    assertFound(
        "oldest-waiting", Severity.CRITICAL, "outbox", "Messages waiting: 12, the oldest for 1m");
  }

  @Test
  void messagesThatAPauseHoldsBackAreNotLate() {
    oldest = NOW.minusSeconds(600);
    pauses = List.of(pause(Duration.ofHours(1), Duration.ofHours(1)));
    waiting = 9_000;

    assertThat(StandardRules.all()).allSatisfy(rule -> assertThat(rule.look(signals())).isEmpty());
  }

  @Test
  void pausedLong() {
    pauses = List.of(pause(Duration.ofHours(4), Duration.ofMinutes(30)));
    assertFound(
        "paused-long",
        Severity.WARNING,
        "kafka:orders",
        "kafka:orders has been paused for 4h; the pause ends in 30m");

    pauses = List.of(pause(Duration.ofMinutes(239), Duration.ofMinutes(1)));
    waiting = 9_000;
    assertThat(StandardRules.all()).allSatisfy(rule -> assertThat(rule.look(signals())).isEmpty());
  }

  private static DestinationPause pause(Duration age, Duration left) {
    return new DestinationPause(
        1, "kafka:orders", NOW.minus(age), NOW.plus(left), "ann", "an upgrade", 1, 1);
  }

  @Test
  void keyStuck() {
    stuck = BoundedCount.upTo(100, 2);
    assertFound(
        "key-stuck",
        Severity.WARNING,
        "outbox",
        "Keys that stand still after 10 attempts or more, with messages behind them: 2");
  }

  @Test
  void delayedOverdue() {
    overdue = BoundedCount.upTo(10_000, 3);
    assertFound(
        "delayed-overdue",
        Severity.CRITICAL,
        "outbox",
        "Delayed messages late by more than a minute: 3");
  }

  @Test
  void noOwner() {
    partitions = List.of(partition("shop-1", false));
    assertFound("no-owner", Severity.CRITICAL, "outbox", "Partitions without a live node: 1 of 1");

    partitions = List.of(partition(null, false));
    assertFound("no-owner", Severity.CRITICAL, "outbox", "Partitions without a live node: 1 of 1");

    partitions = List.of();
    assertFound(
        "no-owner", Severity.CRITICAL, "outbox", "Messages wait, and no relay has ever run here");
  }

  @Test
  void nodeSilent() {
    node = node("shop-2", true, Duration.ofSeconds(-4));
    assertFound(
        "node-silent", Severity.WARNING, "shop-2", "The heartbeat of node shop-2 ended 4s ago");
  }

  @Test
  void nodeResting() {
    node = node("shop-2", false, Duration.ofSeconds(4));
    assertFound("node-resting", Severity.WARNING, "shop-2", "Node shop-2 rests after failures");
  }

  @Test
  void workNotDone() {
    faults = List.of("Retention fails", "The relay is stalled");
    assertFound(
        "work-not-done", Severity.WARNING, "shop-1", "Retention fails; The relay is stalled");
  }

  @Test
  void circuitOpen() {
    circuit = CircuitState.OPEN;
    assertFound(
        "circuit-open", Severity.CRITICAL, "kafka:orders", "The circuit of kafka:orders is open");

    destination = "http:https://user:pw@host/in?token=1";
    assertFound(
        "circuit-open",
        Severity.CRITICAL,
        "http:https://host/in",
        "The circuit of http:https://host/in is open");
  }

  @Test
  void halfMessages() {
    half = new HalfBacklog(0, 0, 2);
    assertFound(
        "half-unresolved", Severity.CRITICAL, "outbox", "Half messages waiting for a person: 2");
    half = new HalfBacklog(0, 1, 0);
    assertFound(
        "half-overdue",
        Severity.CRITICAL,
        "outbox",
        "Half messages that should have been asked for and were not: 1");
    half = new HalfBacklog(5, 0, 0);
    assertFound(
        "half-undecided", Severity.WARNING, "outbox", "Half messages asked for and not decided: 5");
    half = null;
    assertThat(StandardRules.all()).allSatisfy(rule -> assertThat(rule.look(signals())).isEmpty());
  }

  @Test
  void clockSkew() {
    clock = NOW.plusSeconds(6);
    assertFound(
        "clock-skew",
        Severity.WARNING,
        "shop-1",
        "The clock of shop-1 and that of its database differ by 6s");
  }
}
