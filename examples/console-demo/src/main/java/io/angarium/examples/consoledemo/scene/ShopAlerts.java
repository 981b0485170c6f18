package io.angarium.examples.consoledemo.scene;

import io.angarium.TimeSource;
import io.angarium.alert.Alert;
import io.angarium.alert.AlertDesk;
import io.angarium.alert.AlertEngine;
import io.angarium.alert.AlertKey;
import io.angarium.alert.AlertRoute;
import io.angarium.alert.AlertRule;
import io.angarium.alert.AlertState;
import io.angarium.alert.AlertStore;
import io.angarium.alert.Finding;
import io.angarium.alert.LogChannel;
import io.angarium.alert.RuleSettings;
import io.angarium.alert.Severity;
import io.angarium.alert.StandardRules;
import io.angarium.alert.signal.SignalReader;
import io.angarium.alert.signal.Signals;
import io.angarium.board.NodeBoard;
import io.angarium.console.settings.ConsoleAlerts;
import io.angarium.desk.ActBy;
import io.angarium.half.decide.HalfMessageDesk;
import io.angarium.jdbc.JdbcDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/** The alerts of the shop: what rules find, whom they are told, and who looks after them. */
public final class ShopAlerts implements ConsoleAlerts, AutoCloseable {
  /** The rules that fire in any case, besides the shop's own. */
  public static final Set<String> FIRING =
      Set.of("dead-letters", "dead-rate", "circuit-open", "half-unresolved");

  private static final String NODE = "shop-7f";
  private static final Duration SILENCE = Duration.ofDays(7);
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final long LOOK_NANOS = 200_000_000;

  /** Nobody waits a minute for a demo. */
  private static final RuleSettings AT_ONCE =
      new RuleSettings(true, null, Duration.ZERO, null, RuleSettings.DEFAULTS.repeat());

  private final AlertStore store;
  private final AlertDesk desk;
  private final AlertEngine engine;
  private final TimeSource time;

  private ShopAlerts(AlertStore store, AlertDesk desk, AlertEngine engine, TimeSource time) {
    this.store = store;
    this.desk = desk;
    this.engine = engine;
    this.time = time;
  }

  /**
   * Creates them; {@link #begin} looks for the first time.
   *
   * @param node whose circuits are looked at
   */
  public static ShopAlerts of(
      JdbcDatabase database,
      NodeBoard board,
      ShopNode node,
      HalfMessageDesk half,
      TimeSource time) {
    AlertStore store = database.alertStore();
    SignalReader signals =
        SignalReader.builder(NODE, database.browser(), StandardRules.COUNT_MAX)
            .pauses(database.desk()::pauses)
            .half(() -> half)
            .board(() -> board)
            .circuits(node::circuits)
            .time(time)
            .build();
    AlertEngine.Builder builder =
        AlertEngine.builder(store, signals)
            .node(NODE)
            .system("shop")
            .rule(new OddNotes())
            .route(AlertRoute.all(new LogChannel()))
            .route(AlertRoute.all(new ClosedRoom()));
    FIRING.forEach(rule -> builder.settings(rule, AT_ONCE));
    return new ShopAlerts(store, database.alertDesk(), builder.build(), time);
  }

  /** Looks until all troubles are found, lets persons act, and goes on looking. */
  public void begin() {
    rememberANode();
    long end = time.nanoTime() + PATIENCE.toNanos();
    engine.runOnce();
    while (!firing().containsAll(FIRING)) {
      if (time.nanoTime() - end > 0) {
        throw new IllegalStateException("The rules found only " + firing());
      }
      LockSupport.parkNanos(LOOK_NANOS);
      engine.runOnce();
    }
    ActBy ada = ActBy.of("ada", "the topic takes larger records now, INC-4690", ActBy.Via.PAGE);
    ActBy bob = ActBy.of("bob", "the next release spells it right", ActBy.Via.PAGE);
    desk.take(new AlertKey("dead-rate", AlertKey.OUTBOX), null, ada);
    desk.silence("circuit-open", "htpp:*", SILENCE, bob);
    engine.start();
  }

  private Set<String> firing() {
    return store.alerts().stream()
        .filter(alert -> alert.state() == AlertState.FIRING)
        .map(alert -> alert.key().rule())
        .collect(Collectors.toSet());
  }

  /** One that was replaced before the demo began. */
  private void rememberANode() {
    AlertStore.Turn turn = store.begin(NODE, Duration.ofMinutes(1));
    if (turn == null) {
      return;
    }
    Instant over = turn.now().minus(Duration.ofMinutes(3));
    Alert alert =
        new Alert(
            new AlertKey("node-silent", "shop-3a"),
            AlertState.RESOLVED,
            Severity.WARNING,
            840,
            "The heartbeat of node shop-3a ended 14m ago",
            1,
            over.minus(Duration.ofMinutes(15)),
            over,
            over,
            null);
    if (!store.save(turn, List.of(alert), List.of())) {
      throw new IllegalStateException("An alert that is over was not saved");
    }
  }

  @Override
  public AlertDesk desk() {
    return desk;
  }

  @Override
  public List<String> channels() {
    return engine.channels();
  }

  @Override
  public Optional<String> test(String channel) {
    return engine.test(channel);
  }

  @Override
  public void close() {
    engine.close();
  }

  /** A rule of the shop's own, whose subject and text strangers wrote. */
  private static final class OddNotes implements AlertRule {
    @Override
    public String name() {
      return "odd-notes";
    }

    @Override
    public String meaning() {
      return "Somebody writes notes that no system understands.";
    }

    @Override
    public List<Finding> look(Signals signals) {
      return List.of(
          new Finding(
              "kafka:" + HostileTexts.HTML,
              Severity.INFO,
              HostileTexts.all().size(),
              "Notes that nobody understands, such as " + String.join(", ", HostileTexts.all())));
    }
  }
}
