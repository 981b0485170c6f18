package io.angarium.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import io.angarium.StoreException;
import io.angarium.alert.Notice.Kind;
import io.angarium.alert.signal.Signals;
import io.angarium.desk.ActBy;
import io.angarium.testkit.ManualClock;
import io.angarium.testkit.alert.InMemoryAlerts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AlertEngineTest {
  private static final Duration HOLD = Duration.ofMinutes(2);
  private static final AlertKey KEY = new AlertKey("yours", "kafka:orders");

  private static final ActBy ADA = ActBy.of("ada", "broker restarts", ActBy.Via.PAGE);

  private final ManualClock clock = ManualClock.create();
  private final InMemoryAlerts kept = new InMemoryAlerts(clock);
  private final FaultyAlerts store = new FaultyAlerts(kept);
  private final Pager pager = new Pager("pager");
  private final List<Finding> found = new ArrayList<>();
  private boolean ruleThrows;

  private final class Yours implements AlertRule {
    @Override
    public String name() {
      return "yours";
    }

    @Override
    public String meaning() {
      return "Look at it.";
    }

    @Override
    public Duration hold() {
      return HOLD;
    }

    @Override
    public List<Finding> look(Signals signals) {
      if (ruleThrows) {
        throw new IllegalStateException("a fault in the rule");
      }
      return List.copyOf(found);
    }
  }

  private AlertEngine.Builder builder(String node) {
    return AlertEngine.builder(store, StandardRulesTest::healthy).node(node).rule(new Yours());
  }

  private AlertEngine engine() {
    return builder("a").route(AlertRoute.all(pager)).build();
  }

  private void find(Severity severity) {
    found.clear();
    found.add(new Finding("kafka:orders", severity, 7, "It is wrong"));
  }

  private void after(AlertEngine engine, Duration time) {
    clock.advance(time);
    engine.runOnce();
  }

  private Alert alert() {
    return kept.alerts().stream().filter(each -> each.key().equals(KEY)).findFirst().orElseThrow();
  }

  /** On, and told. */
  private AlertEngine fired() {
    AlertEngine engine = engine();
    find(Severity.WARNING);
    engine.runOnce();
    after(engine, HOLD);
    assertThat(pager.kinds()).containsExactly(Kind.FIRING);
    return engine;
  }

  @Test
  void tellsOnceOfWhatLasts() {
    AlertEngine engine = engine();
    find(Severity.WARNING);

    engine.runOnce();
    after(engine, HOLD.minusMillis(1));
    assertThat(pager.messages).isEmpty();

    after(engine, Duration.ofMillis(1));
    after(engine, HOLD);

    assertThat(pager.kinds()).containsExactly(Kind.FIRING);
    Notices notices = pager.messages.get(0);
    assertThat(notices.list().get(0).alert().key()).isEqualTo(KEY);
    assertThat(notices.list().get(0).meaning()).isEqualTo("Look at it.");
    assertThat(notices.system()).isEqualTo("outbox");
  }

  @Test
  void tellsNobodyOfAMomentsTrouble() {
    AlertEngine engine = engine();
    find(Severity.WARNING);
    engine.runOnce();
    found.clear();
    after(engine, HOLD);

    assertThat(pager.messages).isEmpty();
    assertThat(kept.alerts()).isEmpty();
  }

  @Test
  void writesNothingWhileAllIsWell() {
    AlertEngine engine = engine();
    engine.runOnce();
    after(engine, HOLD);

    assertThat(store.saves).isZero();
  }

  @Test
  void tellsThatItIsOverWhenItStaysAway() {
    AlertEngine engine = fired();
    found.clear();
    after(engine, Duration.ofSeconds(15));
    find(Severity.WARNING);
    after(engine, HOLD); // it was gone for a moment
    found.clear();
    after(engine, Duration.ofSeconds(15));
    assertThat(pager.kinds()).containsExactly(Kind.FIRING);

    after(engine, HOLD);
    after(engine, HOLD);

    assertThat(pager.kinds()).containsExactly(Kind.FIRING, Kind.RESOLVED);
    assertThat(alert().state()).isEqualTo(AlertState.RESOLVED);
  }

  @Test
  void tellsAnewWhenItComesBack() {
    AlertEngine engine = fired();
    found.clear();
    engine.runOnce();
    after(engine, HOLD);
    find(Severity.WARNING);
    engine.runOnce();
    after(engine, HOLD);

    assertThat(pager.kinds()).containsExactly(Kind.FIRING, Kind.RESOLVED, Kind.FIRING);
    assertThat(alert().episode()).isEqualTo(2);
  }

  @Test
  void forgetsWhatIsOverForAMonth() {
    AlertEngine engine = fired();
    found.clear();
    engine.runOnce();
    after(engine, HOLD);
    after(engine, AlertChanges.KEPT.plusMillis(1));

    assertThat(kept.alerts()).isEmpty();
  }

  @Test
  void remindsUntilSomebodyTakesIt() {
    AlertEngine engine = fired();
    after(engine, RuleSettings.DEFAULTS.repeat());
    assertThat(pager.kinds()).containsExactly(Kind.FIRING, Kind.REMINDER);

    kept.take(KEY, null, ADA);
    after(engine, RuleSettings.DEFAULTS.repeat());

    assertThat(pager.kinds()).containsExactly(Kind.FIRING, Kind.REMINDER);
  }

  @Test
  void tellsAgainWhenItIsWorse() {
    AlertEngine engine = fired();
    find(Severity.CRITICAL);
    engine.runOnce();
    find(Severity.WARNING);
    engine.runOnce();

    assertThat(pager.kinds()).containsExactly(Kind.FIRING, Kind.FIRING);
  }

  @Test
  void tellsNothingDuringASilence() {
    silence(Duration.ofHours(1));
    AlertEngine engine = engine();
    find(Severity.WARNING);
    engine.runOnce();
    after(engine, HOLD);
    found.clear();
    engine.runOnce();
    after(engine, HOLD);
    after(engine, Duration.ofHours(2));

    assertThat(pager.messages).isEmpty();
    assertThat(alert().state()).isEqualTo(AlertState.RESOLVED);
  }

  private void silence(Duration length) {
    kept.silence("you*", "kafka:*", length, ADA);
  }

  @Test
  void tellsAfterASilenceOfWhatStillIsOn() {
    silence(Duration.ofHours(1));
    AlertEngine engine = engine();
    find(Severity.WARNING);
    engine.runOnce();
    after(engine, HOLD);
    assertThat(pager.messages).isEmpty();

    after(engine, Duration.ofHours(1));

    assertThat(pager.kinds()).containsExactly(Kind.FIRING);
  }

  @Test
  void tellsWhatCouldNotBeToldAndHoldsUpNoOtherChannel() {
    Pager broken = new Pager("broken");
    broken.failure = "500";
    AlertEngine engine =
        builder("a").route(AlertRoute.all(broken)).route(AlertRoute.all(pager)).build();
    find(Severity.WARNING);
    engine.runOnce();
    after(engine, HOLD);
    assertThat(pager.kinds()).containsExactly(Kind.FIRING);
    assertThat(kept.told()).anySatisfy(told -> assertThat(told.failure()).isEqualTo("500"));
    assertThat(engine.fault()).isEmpty();

    engine.runOnce();
    engine.runOnce();
    assertThat(engine.fault()).hasValue("Alerts cannot be told by broken: 500");

    broken.failure = "";
    engine.runOnce();
    engine.runOnce();

    assertThat(broken.kinds()).containsExactly(Kind.FIRING);
    assertThat(pager.kinds()).containsExactly(Kind.FIRING);
    assertThat(engine.fault()).isEmpty();
  }

  @Test
  void channelThatHangsHoldsUpNoOther() throws Exception {
    CountDownLatch hanging = new CountDownLatch(1);
    AlertChannel stuck =
        new AlertChannel() {
          @Override
          public String name() {
            return "stuck";
          }

          @Override
          public void send(Notices notices) {
            try {
              hanging.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
        };
    CountDownLatch told = new CountDownLatch(1);
    AlertChannel good =
        new AlertChannel() {
          @Override
          public String name() {
            return "good";
          }

          @Override
          public void send(Notices notices) {
            told.countDown();
          }
        };
    AlertEngine engine =
        builder("a")
            .settings("yours", new RuleSettings(true, null, Duration.ZERO, null, HOLD))
            .route(AlertRoute.all(stuck))
            .route(AlertRoute.all(good))
            .build();
    find(Severity.WARNING);
    Thread round = new Thread(engine::runOnce);
    round.start();

    told.await(); // would wait for ever
    hanging.countDown();
    round.join();
    engine.close();
  }

  @Test
  void anotherNodeTellsWhatWasNotNoted() {
    AlertEngine first = engine();
    AlertEngine second = builder("b").route(AlertRoute.all(pager)).build();
    find(Severity.WARNING);
    first.runOnce();
    store.losesNotes = true;
    after(first, HOLD);
    second.runOnce();
    assertThat(pager.kinds()).containsExactly(Kind.FIRING);

    store.losesNotes = false;
    first.close();
    second.runOnce();
    second.runOnce();

    assertThat(pager.kinds()).containsExactly(Kind.FIRING, Kind.FIRING);
  }

  @Test
  void tellsNothingWithoutTheTurn() {
    AlertEngine engine = engine();
    find(Severity.WARNING);
    engine.runOnce();
    store.losesTurn = true;
    after(engine, HOLD);

    assertThat(pager.messages).isEmpty();
  }

  @Test
  void tellsTheWorstFirstAndNoMoreThanAMessageTakes() {
    AlertEngine engine = engine();
    IntStream.range(0, 25)
        .forEach(i -> found.add(new Finding("kafka:" + i, Severity.WARNING, 1, "wrong")));
    found.add(new Finding("kafka:worst", Severity.CRITICAL, 1, "wrong"));
    engine.runOnce();
    after(engine, HOLD);
    Notices first = pager.messages.get(0);
    assertThat(first.list()).hasSize(Notices.MAX);
    assertThat(first.list().get(0).alert().key().subject()).isEqualTo("kafka:worst");
    assertThat(first.more()).isEqualTo(6);
    assertThat(first.severity()).isEqualTo(Severity.CRITICAL);

    engine.runOnce();
    engine.runOnce();

    assertThat(pager.messages).hasSize(2);
    assertThat(pager.messages.get(1).list()).hasSize(6);
  }

  @Test
  void whatChangesLeavesRoomForWhatIsNew() {
    AlertEngine engine = engine();
    IntStream.range(0, 600)
        .forEach(i -> found.add(new Finding("kafka:" + i, Severity.WARNING, 1, "wrong")));
    engine.runOnce();
    found.replaceAll(each -> new Finding(each.subject(), each.severity(), 2, "worse"));
    IntStream.range(600, AlertStore.ALERTS_MAX + 1)
        .forEach(i -> found.add(new Finding("kafka:" + i, Severity.WARNING, 1, "wrong")));

    engine.runOnce();

    assertThat(kept.alerts()).hasSize(AlertStore.ALERTS_MAX);
  }

  @Test
  void findingHasNothingThatADatabaseCannotStore() {
    Finding finding =
        new Finding("kafka:a\0b", Severity.INFO, Double.NaN, "x\0" + "y".repeat(2_000));

    assertThat(finding.subject()).isEqualTo("kafka:a?b");
    assertThat(finding.value()).isZero();
    assertThat(finding.text()).startsWith("x?y").hasSize(Finding.TEXT_LENGTH_MAX);
  }

  @Test
  void alertsOfARuleThatFailsStayAsTheyAre() {
    AlertEngine engine = fired();
    ruleThrows = true;
    engine.runOnce();
    after(engine, HOLD);

    assertThat(alert().state()).isEqualTo(AlertState.FIRING);
    assertThat(pager.kinds()).containsExactly(Kind.FIRING);
  }

  @Test
  void alertsOfARuleThatIsGoneAreOver() {
    fired();
    AlertEngine without =
        AlertEngine.builder(store, StandardRulesTest::healthy)
            .node("a")
            .route(AlertRoute.all(pager))
            .build();
    without.runOnce();
    after(without, AlertChanges.ABSENT_MIN);

    assertThat(pager.kinds()).containsExactly(Kind.FIRING, Kind.RESOLVED);
  }

  @Test
  void channelIsToldWhatItWants() {
    AlertEngine engine =
        builder("a")
            .route(new AlertRoute(pager, Severity.CRITICAL, List.of("you*")))
            .settings("yours", new RuleSettings(true, null, Duration.ZERO, null, HOLD))
            .build();
    find(Severity.WARNING);
    engine.runOnce();
    assertThat(pager.messages).isEmpty();

    find(Severity.CRITICAL);
    engine.runOnce();
    assertThat(pager.kinds()).containsExactly(Kind.FIRING);
    engine.close();
  }

  @Test
  void tellsDirectlyThatTheDatabaseIsAway() {
    AlertEngine engine = builder("a").route(AlertRoute.all(pager)).time(clock).build();
    store.away = true;
    assertThatThrownBy(engine::runOnce).isInstanceOf(StoreException.class);
    assertThat(pager.messages).isEmpty();

    clock.advance(ChannelThreads.DatabaseAway.HOLD);
    assertThatThrownBy(engine::runOnce).isInstanceOf(StoreException.class);
    assertThatThrownBy(engine::runOnce).isInstanceOf(StoreException.class);
    awaitMessages(1);
    store.away = false;
    engine.runOnce();

    assertThat(pager.kinds()).containsExactly(Kind.FIRING, Kind.RESOLVED);
    assertThat(pager.messages.get(0).list().get(0).alert().key().rule()).isEqualTo("database-away");
  }

  private void awaitMessages(int count) {
    while (pager.messages.size() < count) {
      Thread.onSpinWait();
    }
  }

  @Test
  void testOfAChannelIsMarked() {
    AlertEngine engine = builder("a").route(AlertRoute.all(pager)).time(clock).build();

    assertThat(engine.test("pager")).isEmpty();
    clock.advance(AlertEngine.PAUSE);
    pager.failure = "refused";
    assertThat(engine.test("pager")).hasValue("refused");

    assertThat(pager.kinds()).containsExactly(Kind.TEST);
    assertThatThrownBy(() -> engine.test("none"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("channel: 'none' (expected: one of [pager])");
  }

  @Test
  void listsEveryFaultOfTheConfiguration() {
    AlertEngine.Builder builder =
        builder("a")
            .route(AlertRoute.all(pager))
            .route(AlertRoute.all(new Pager("pager")))
            .settings("dead-leters", RuleSettings.DEFAULTS)
            .settings(
                "dead-rate", new RuleSettings(true, -1.0, Duration.ofDays(2), null, Duration.ZERO));

    assertThatThrownBy(builder::build)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("alerts.rules: dead-leters (expected: the name of a rule, one of")
        .hasMessageContaining(
            "alerts.rules.dead-rate.threshold: -1.0 (expected: 0..10000, where counts end)")
        .hasMessageContaining("alerts.rules.dead-rate.hold: 2d (expected: 0s..1d)")
        .hasMessageContaining("alerts.rules.dead-rate.repeat: 0s (expected: 1m..30d)")
        .hasMessageContaining("alerts.channels: pager (expected: a name that no other one has)");
  }
}
