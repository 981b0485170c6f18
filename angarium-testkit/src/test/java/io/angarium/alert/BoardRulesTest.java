package io.angarium.alert;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Destination;
import io.angarium.alert.signal.Signals;
import io.angarium.board.BoardView;
import io.angarium.board.NodeStatus;
import io.angarium.board.Throughput;
import io.angarium.board.ToldStatus;
import io.angarium.board.UnreachableProducer;
import io.angarium.desk.BoundedCount;
import io.angarium.desk.NodeView;
import io.angarium.desk.Overview;
import io.angarium.desk.RelayView;
import io.angarium.relay.settings.CircuitState;
import io.angarium.relay.status.CircuitStatus;
import io.angarium.relay.status.RelayStatus;
import io.angarium.relay.status.RelayStatus.StoreFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the rules find on the node board: when they fire, and when they do not. */
class BoardRulesTest {
  private static final Instant NOW = Instant.parse("2026-11-29T00:00:00Z");
  private static final Duration AT_ONCE = Duration.ZERO;

  private final List<ToldStatus> told = new ArrayList<>();
  private final List<NodeView> heartbeats = new ArrayList<>();
  private Map<Destination, CircuitState> own = Map.of();
  private Instant now = NOW;
  private BoundedCount waiting = BoundedCount.NONE;

  @Test
  void healthyNodesAreNoReason() {
    tell(node("a"), AT_ONCE);
    tell(new Sample("b").clock(NOW.minusSeconds(20)).status(), Duration.ofSeconds(20));

    assertThat(StandardRules.all())
        .allSatisfy(rule -> assertThat(rule.look(signals())).as(rule.name()).isEmpty());
  }

  // ---- node-silent

  @Test
  void nodeThatWasKilledAndHasNoHeartbeatIsSilent() {
    tell(node("a"), AT_ONCE);
    tell(node("b"), Duration.ofSeconds(40));

    assertThat(found("node-silent"))
        .containsExactly(
            new Finding(
                "b",
                Severity.WARNING,
                40,
                "Node b told nothing for 40s and did not say that it stops"));
  }

  @Test
  void nodeThatStoppedIsNotSilent() {
    tell(new Sample("b").stopped().status(), Duration.ofSeconds(40));

    assertThat(found("node-silent")).isEmpty();
  }

  @Test
  void nodeThatHasStartedAgainIsNotSilent() {
    tell(node("b"), AT_ONCE);
    tell(node("b"), Duration.ofSeconds(40));

    assertThat(found("node-silent")).isEmpty();
  }

  @Test
  void nodeWithAHeartbeatIsSilentOnlyOnceItHasEnded() {
    tell(node("b"), Duration.ofSeconds(40));
    heartbeats.add(heartbeat("b", Duration.ofSeconds(3), "kafka"));
    assertThat(found("node-silent")).isEmpty();

    heartbeats.set(0, heartbeat("b", Duration.ofSeconds(-3), "kafka"));
    assertThat(found("node-silent")).hasSize(1);
  }

  @Test
  void nodeThatIsGoneForLongIsNotMissed() {
    tell(node("b"), Duration.ofMinutes(16));

    assertThat(found("node-silent")).isEmpty();
  }

  // ---- relay-failing

  @Test
  void relayThatDoesNotWorkIsFailing() {
    tell(new Sample("a").fault("It has finished no round for 40s").status(), AT_ONCE);

    assertThat(found("relay-failing"))
        .containsExactly(
            new Finding("a", Severity.WARNING, 0, "Node a: It has finished no round for 40s"));
  }

  @Test
  void databaseThatFailsOftenIsFailing() {
    tell(new Sample("a").failures(4).status(), AT_ONCE);
    assertThat(found("relay-failing")).isEmpty();

    tell(new Sample("b").failures(5).status(), AT_ONCE);
    assertThat(found("relay-failing"))
        .containsExactly(
            new Finding(
                "b",
                Severity.WARNING,
                5,
                "The database failed node b 5 times within 5 minutes, last: gone away"));
  }

  @Test
  void nodeThatIsGoneIsNotFailing() {
    tell(new Sample("a").fault("x").status(), Duration.ofSeconds(31));
    tell(new Sample("b").fault("x").stopped().status(), AT_ONCE);

    assertThat(found("relay-failing")).isEmpty();
  }

  // ---- circuit-open, no-transport

  @Test
  void circuitThatIsOpenOnEveryNodeIsCritical() {
    tell(new Sample("a").circuit("kafka:orders", "broker away").status(), AT_ONCE);
    tell(new Sample("b").circuit("kafka:orders", "broker away").status(), AT_ONCE);

    assertThat(found("circuit-open"))
        .containsExactly(
            new Finding(
                "kafka:orders",
                Severity.CRITICAL,
                2,
                "The circuit of kafka:orders is open on every node: broker away"));
  }

  @Test
  void circuitThatIsOpenOnSomeNodesIsAWarning() {
    tell(new Sample("a").circuit("kafka:orders", "broker away").status(), AT_ONCE);
    tell(node("b"), AT_ONCE);
    tell(new Sample("c").circuit("kafka:orders", "broker away").status(), Duration.ofMinutes(1));

    assertThat(found("circuit-open"))
        .containsExactly(
            new Finding(
                "kafka:orders",
                Severity.WARNING,
                1,
                "The circuit of kafka:orders is open on 1 of 2 nodes: broker away"));
  }

  @Test
  void circuitOfThisProcessIsFoundOnce() {
    own = Map.of(Destination.parse("kafka:orders"), CircuitState.OPEN);
    assertThat(found("circuit-open")).hasSize(1);

    tell(new Sample("a").circuit("kafka:orders", "broker away").status(), AT_ONCE);
    assertThat(found("circuit-open")).hasSize(1);
  }

  @Test
  void destinationWhoseTransportNobodyHasIsFoundAsSuch() {
    own = Map.of(Destination.parse("kafkaa:orders"), CircuitState.OPEN);
    heartbeats.add(heartbeat("a", Duration.ofSeconds(9), "kafka", "http"));
    tell(new Sample("a").circuit("kafkaa:orders", "no transport").status(), AT_ONCE);
    tell(new Sample("b").circuit("kafka:orders", "broker away").status(), AT_ONCE);

    assertThat(found("no-transport"))
        .containsExactly(
            new Finding(
                "kafkaa:orders",
                Severity.CRITICAL,
                1,
                "No node has the transport of kafkaa:orders"));
    assertThat(found("circuit-open")).extracting(Finding::subject).containsExactly("kafka:orders");
  }

  @Test
  void transportOfANodeThatDoesNotSayIsNotMissed() {
    heartbeats.add(heartbeat("a", Duration.ofSeconds(9), "kafka"));
    heartbeats.add(heartbeat("b", Duration.ofSeconds(9)));
    tell(new Sample("a").circuit("http:x", "away").status(), AT_ONCE);

    assertThat(found("no-transport")).isEmpty();
    assertThat(found("circuit-open")).hasSize(1);
  }

  // ---- clock-skew, mixed-versions

  @Test
  void clockOfEachNodeIsCompared() {
    tell(new Sample("a").clock(NOW.plusSeconds(7)).status(), AT_ONCE);
    tell(new Sample("b").clock(NOW.minusSeconds(4)).status(), AT_ONCE);

    assertThat(found("clock-skew"))
        .containsExactly(
            new Finding(
                "a", Severity.WARNING, 7, "The clock of a and that of its database differ by 7s"));
  }

  @Test
  void differentVersionsAreFound() {
    tell(new Sample("a").version("1.0").status(), AT_ONCE);
    tell(new Sample("b").version("1.0").status(), AT_ONCE);
    tell(new Sample("c").version("").status(), AT_ONCE);
    tell(new Sample("d").version("0.9").status(), Duration.ofMinutes(2));
    assertThat(found("mixed-versions")).isEmpty();

    tell(new Sample("e").version("1.1").status(), AT_ONCE);
    assertThat(found("mixed-versions"))
        .containsExactly(
            new Finding("outbox", Severity.INFO, 2, "Nodes run different versions: 1.0, 1.1"));
  }

  // ---- producer-unreachable

  @Test
  void producerThatCannotBeAskedIsFoundOnce() {
    UnreachableProducer producer =
        new UnreachableProducer("https://p.example/check", NOW.minusSeconds(90), "refused");
    tell(node("a").unreachable(List.of(producer)), AT_ONCE);
    tell(node("b").unreachable(List.of(producer)), AT_ONCE);
    tell(node("c").unreachable(List.of(producer)), Duration.ofMinutes(1));

    assertThat(found("producer-unreachable"))
        .containsExactly(
            new Finding(
                "https://p.example/check",
                Severity.WARNING,
                2,
                "The producer https://p.example/check cannot be asked since"
                    + " 2026-11-28T23:58:30Z: refused"));
  }

  // ---- backlog-grows

  @Test
  void backlogThatGrowsForTenMinutesIsFound() {
    AlertRule rule = rule("backlog-grows");
    for (int minute = 0; minute < 10; minute++) {
      waiting = BoundedCount.upTo(10_000, 1_000 + minute);
      assertThat(rule.look(signals())).isEmpty();
      now = now.plusSeconds(60);
    }
    waiting = BoundedCount.upTo(10_000, 1_500);

    assertThat(rule.look(signals()))
        .containsExactly(
            new Finding(
                "outbox",
                Severity.WARNING,
                1_500,
                "Messages waiting: 1500, ten minutes ago: 1000"));

    now = now.plusSeconds(60);
    waiting = BoundedCount.upTo(10_000, 1_001);
    assertThat(rule.look(signals())).isEmpty();
  }

  @Test
  void smallBacklogMayGrow() {
    AlertRule rule = rule("backlog-grows");
    for (int minute = 0; minute < 15; minute++) {
      waiting = BoundedCount.upTo(10_000, 10L * minute);
      assertThat(rule.look(signals())).isEmpty();
      now = now.plusSeconds(60);
    }
  }

  @Test
  void backlogBeyondTheCountIsTakenToGrow() {
    AlertRule rule = rule("backlog-grows");
    waiting = BoundedCount.upTo(10_000, 20_000);
    rule.look(signals());
    now = now.plus(Duration.ofMinutes(10));

    assertThat(rule.look(signals())).hasSize(1);
  }

  // ---- what tests have in common

  private static AlertRule rule(String name) {
    return StandardRules.all().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private List<Finding> found(String rule) {
    return rule(rule).look(signals());
  }

  private void tell(NodeStatus status, Duration age) {
    told.add(new ToldStatus(status, NOW.minus(age)));
  }

  private static NodeStatus node(String name) {
    return new Sample(name).status();
  }

  private static NodeView heartbeat(String node, Duration left, String... transports) {
    return new NodeView(node, UUID.randomUUID(), true, left, 1, List.of(transports));
  }

  private Signals signals() {
    BoundedCount none = BoundedCount.NONE;
    Overview overview =
        new Overview(
            now, waiting, null, none, null, none, none, none, none, none, none, none, null, none,
            none, null, false);
    return new Signals(
        overview,
        new RelayView(heartbeats, List.of(), now),
        null,
        new BoardView(told, NOW),
        own,
        List.of(),
        "here",
        now);
  }

  /** A status with one thing that is not as usual. */
  private static final class Sample {
    private final String node;
    private final List<CircuitStatus> circuits = new ArrayList<>();
    private @Nullable StoreFailure failure;
    private @Nullable String fault;
    private Instant at = NOW;
    private String version = "1.0";
    private boolean stopped;

    Sample(String node) {
      this.node = node;
    }

    Sample stopped() {
      stopped = true;
      return this;
    }

    Sample fault(String text) {
      fault = text;
      return this;
    }

    Sample failures(int recent) {
      failure = new StoreFailure("read", "gone away", NOW, recent);
      return this;
    }

    Sample circuit(String destination, String reason) {
      circuits.add(
          new CircuitStatus(Destination.parse(destination), CircuitState.OPEN, reason, NOW, NOW));
      return this;
    }

    Sample clock(Instant time) {
      at = time;
      return this;
    }

    Sample version(String text) {
      version = text;
      return this;
    }

    NodeStatus status() {
      RelayStatus relay =
          new RelayStatus(
              node,
              UUID.randomUUID(),
              at,
              NOW,
              null,
              1,
              0,
              10,
              circuits.size(),
              circuits,
              failure,
              fault);
      return new NodeStatus(
          "shop", "host", version, stopped, relay, Throughput.NONE, Duration.ofSeconds(60));
    }
  }
}
