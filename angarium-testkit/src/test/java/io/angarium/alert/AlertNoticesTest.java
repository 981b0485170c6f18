package io.angarium.alert;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.alert.Notice.Kind;
import io.angarium.alert.signal.Signals;
import io.angarium.desk.ActBy;
import io.angarium.testkit.ManualClock;
import io.angarium.testkit.alert.InMemoryAlerts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What channels are told when: how often, in which order, and what must not be left out. */
class AlertNoticesTest {
  private static final Duration RENEWAL = Duration.ofMinutes(1);
  private static final ActBy ADA = ActBy.of("ada", "broker restarts", ActBy.Via.PAGE);

  private final ManualClock clock = ManualClock.create();
  private final InMemoryAlerts store = new InMemoryAlerts(clock);
  private final Pager pager = new Pager("pager");
  private final List<Finding> found = new ArrayList<>();

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
    public List<Finding> look(Signals signals) {
      return List.copyOf(found);
    }
  }

  private AlertEngine engine(String node, AlertChannel channel, Supplier<Signals> signals) {
    return AlertEngine.builder(store, signals)
        .node(node)
        .rule(new Yours())
        .route(AlertRoute.all(channel))
        .build();
  }

  private AlertEngine engine() {
    return engine("a", pager, StandardRulesTest::healthy);
  }

  private void find(int from, int to, Severity severity) {
    IntStream.range(from, to)
        .forEach(i -> found.add(new Finding("kafka:" + i, severity, 1, "wrong")));
  }

  private void after(AlertEngine engine, Duration time) {
    clock.advance(time);
    engine.runOnce();
  }

  private static AlertKey key(int number) {
    return new AlertKey("yours", "kafka:" + number);
  }

  /** An Alertmanager takes for over what it does not hear of. */
  @Test
  void channelThatMustBeToldAgainHearsOfWhatIsTaken() {
    pager.renewal = RENEWAL;
    AlertEngine engine = engine();
    find(0, 1, Severity.WARNING);
    engine.runOnce();
    store.take(key(0), null, ADA);

    after(engine, RENEWAL.minusMillis(1));
    assertThat(pager.kinds()).containsExactly(Kind.FIRING);
    after(engine, Duration.ofMillis(1));
    after(engine, RENEWAL);

    assertThat(pager.kinds()).containsExactly(Kind.FIRING, Kind.REMINDER, Kind.REMINDER);
  }

  @Test
  void silenceEndsTheTellingOfWhatIsOnAndItsEndBeginsItAgain() {
    pager.renewal = RENEWAL;
    AlertEngine engine = engine();
    find(0, 1, Severity.WARNING);
    engine.runOnce();
    store.silence("yours", "kafka:*", Duration.ofMinutes(5), ADA);

    after(engine, Duration.ofMinutes(4));
    assertThat(pager.kinds()).containsExactly(Kind.FIRING);
    after(engine, Duration.ofMinutes(1));

    assertThat(pager.kinds()).containsExactly(Kind.FIRING, Kind.REMINDER);
  }

  @Test
  void noticeSaysWhichSeverityTheChannelKnows() {
    AlertEngine engine = engine();
    find(0, 1, Severity.WARNING);
    engine.runOnce();
    found.clear();
    find(0, 1, Severity.CRITICAL);
    after(engine, AlertEngine.PAUSE);
    found.clear();
    after(engine, AlertEngine.PAUSE);
    after(engine, AlertChanges.ABSENT_MIN);
    find(0, 1, Severity.INFO);
    after(engine, AlertEngine.PAUSE);

    assertThat(pager.kinds()).containsExactly(Kind.FIRING, Kind.FIRING, Kind.RESOLVED, Kind.FIRING);
    assertThat(pager.notices())
        .extracting(Notice::before)
        .containsExactly(null, Severity.WARNING, Severity.CRITICAL, null);
  }

  /** With four messages a minute, 80 of them. */
  @Test
  void noAlertIsLeftOutForEverByWorseOnesThatAreToldAgain() {
    pager.renewal = RENEWAL;
    AlertEngine engine = engine();
    find(0, 100, Severity.CRITICAL);
    find(100, 120, Severity.INFO);
    Set<AlertKey> reminded = new HashSet<>();

    IntStream.range(0, 18).forEach(i -> after(engine, AlertEngine.PAUSE));

    pager.notices().stream()
        .filter(notice -> notice.kind() == Kind.REMINDER)
        .forEach(notice -> reminded.add(notice.alert().key()));
    assertThat(reminded).hasSize(120);
  }

  @Test
  void newsComeBeforeReminders() {
    AlertEngine engine = engine();
    find(0, 60, Severity.CRITICAL);
    engine.runOnce();
    IntStream.range(0, 2).forEach(i -> after(engine, AlertEngine.PAUSE));
    assertThat(pager.notices()).hasSize(60);
    pager.messages.clear();
    find(60, 61, Severity.INFO);

    after(engine, RuleSettings.DEFAULTS.repeat());

    assertThat(pager.notices()).hasSize(Notices.MAX);
    assertThat(pager.notices()).extracting(notice -> notice.alert().key()).contains(key(60));
    assertThat(pager.messages.get(0).severity()).isEqualTo(Severity.CRITICAL);
  }

  /** Whatever comes and goes, and whichever node has the turn: a robot is silent otherwise. */
  @Test
  void channelGetsOneMessageInFifteenSecondsWithTwentyAlertsAtMost() {
    List<Instant> times = new ArrayList<>();
    AlertChannel robot =
        new AlertChannel() {
          @Override
          public String name() {
            return "robot";
          }

          @Override
          public void send(Notices notices) {
            times.add(clock.instant());
            assertThat(notices.list()).hasSizeBetween(1, Notices.MAX);
            clock.advance(Duration.ofMillis(200)); // so long it takes
          }
        };
    Random random = new Random(42);
    List<AlertEngine> nodes =
        List.of(
            engine("a", robot, StandardRulesTest::healthy),
            engine("b", robot, StandardRulesTest::healthy));
    List<Instant> next =
        new ArrayList<>(List.of(clock.instant(), clock.instant().plusMillis(7_100)));
    for (int round = 0; round < 4_000; round++) {
      found.clear();
      random
          .ints(random.nextInt(60), 0, 300)
          .distinct()
          .forEach(i -> find(i, i + 1, List.of(Severity.values()).get(random.nextInt(3))));
      int node = next.get(0).isBefore(next.get(1)) ? 0 : 1;
      Duration until = Duration.between(clock.instant(), next.get(node));
      clock.advance(until.isNegative() ? Duration.ZERO : until);
      if (random.nextInt(10) == 0) { // the other one may take the turn
        store.end("a");
        store.end("b");
      }
      next.set(node, clock.instant().plus(AlertEngine.PAUSE).plusMillis(random.nextInt(20)));
      nodes.get(node).runOnce();
    }

    assertThat(times).hasSizeGreaterThan(1_000);
    for (int i = 1; i < times.size(); i++) {
      Duration gap = Duration.between(times.get(i - 1), times.get(i));
      assertThat(gap).as("before message %d", i).isGreaterThanOrEqualTo(AlertEngine.PAUSE);
    }
  }

  /** What it told is noted after a round has read what was told. */
  @Test
  void channelThatEndsToTellDuringARoundIsNotToldAgain() throws Exception {
    CountDownLatch telling = new CountDownLatch(1);
    CountDownLatch going = new CountDownLatch(1);
    List<Notices> messages = new ArrayList<>();
    AlertChannel slow =
        new AlertChannel() {
          @Override
          public String name() {
            return "slow";
          }

          @Override
          public void send(Notices notices) {
            messages.add(notices);
            telling.countDown();
            try {
              going.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
        };
    List<Thread> rounds = new ArrayList<>();
    AlertEngine engine =
        engine(
            "a",
            slow,
            () -> {
              if (!rounds.isEmpty() && Thread.currentThread() != rounds.get(0)) {
                going.countDown(); // after the second round has read what was told
                join(rounds.get(0));
              }
              return StandardRulesTest.healthy();
            });
    find(0, 1, Severity.WARNING);
    rounds.add(new Thread(engine::runOnce));
    rounds.get(0).start();
    telling.await();

    engine.runOnce();
    engine.runOnce();

    assertThat(messages).hasSize(1);
  }

  /** A robot that is asked too often is silent for minutes, also for alerts. */
  @Test
  void channelIsTestedOnceInFifteenSeconds() {
    AlertEngine engine =
        AlertEngine.builder(store, StandardRulesTest::healthy)
            .route(AlertRoute.all(pager))
            .time(clock)
            .build();

    assertThat(engine.test("pager")).isEmpty();
    clock.advance(AlertEngine.PAUSE.minusMillis(1));
    assertThat(engine.test("pager")).hasValue("it was tested less than 15s ago; try again");
    clock.advance(Duration.ofMillis(1));
    assertThat(engine.test("pager")).isEmpty();

    assertThat(pager.kinds()).containsExactly(Kind.TEST, Kind.TEST);
  }

  @Test
  void testDoesNotWaitForAChannelThatTells() throws Exception {
    CountDownLatch telling = new CountDownLatch(1);
    CountDownLatch going = new CountDownLatch(1);
    AlertEngine engine = engine("a", hanging(telling, going), StandardRulesTest::healthy);
    find(0, 1, Severity.WARNING);
    Thread round = new Thread(engine::runOnce);
    round.start();
    telling.await();

    assertThat(engine.test("slow")).hasValue("it is telling something right now; try again");

    going.countDown();
    round.join();
    assertThat(engine.test("slow")).isEmpty();
  }

  private static AlertChannel hanging(CountDownLatch telling, CountDownLatch going) {
    return new AlertChannel() {
      @Override
      public String name() {
        return "slow";
      }

      @Override
      public void send(Notices notices) {
        telling.countDown();
        try {
          going.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
    };
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void whatIsOverGivesWayToWhatIsOn() {
    AlertEngine engine = engine();
    find(0, AlertStore.ALERTS_MAX, Severity.WARNING);
    engine.runOnce();
    found.removeIf(each -> each.subject().equals("kafka:7"));
    engine.runOnce();
    after(engine, AlertChanges.ABSENT_MIN);
    found.clear();
    engine.runOnce();
    after(engine, AlertChanges.ABSENT_MIN);
    assertThat(states(AlertState.RESOLVED)).isEqualTo(AlertStore.ALERTS_MAX);

    find(2_000, 2_300, Severity.WARNING);
    engine.runOnce();

    assertThat(store.alerts()).hasSize(AlertStore.ALERTS_MAX);
    assertThat(states(AlertState.FIRING)).isEqualTo(300);
    assertThat(store.alerts())
        .extracting(Alert::key)
        .as("the first that was over")
        .doesNotContain(key(7));
  }

  @Test
  void whatIsOnGivesWayToNothing() {
    AlertEngine engine = engine();
    find(0, AlertStore.ALERTS_MAX, Severity.INFO);
    engine.runOnce();
    found.add(0, new Finding("kafka:late", Severity.CRITICAL, 1, "wrong"));

    engine.runOnce();

    assertThat(states(AlertState.FIRING)).isEqualTo(AlertStore.ALERTS_MAX);
    assertThat(store.alerts())
        .extracting(alert -> alert.key().subject())
        .doesNotContain("kafka:late");
  }

  /** One that was to give way is found again by a later rule of the same round. */
  @Test
  void whatComesBackInTheRoundInWhichItGaveWayStays() {
    AlertChanges first = new AlertChanges(List.of(), clock.instant());
    List<Finding> many = new ArrayList<>();
    IntStream.range(0, AlertStore.ALERTS_MAX)
        .forEach(i -> many.add(new Finding("kafka:" + i, Severity.INFO, 1, "wrong")));
    first.look("b", Duration.ZERO, many);
    List<Alert> over =
        first.after().stream()
            .map(
                alert ->
                    new Alert(
                        alert.key(),
                        AlertState.RESOLVED,
                        alert.severity(),
                        1,
                        "wrong",
                        1,
                        alert.since(),
                        clock.instant(),
                        clock.instant(),
                        null))
            .toList();
    AlertChanges changes = new AlertChanges(over, clock.instant());
    changes.look("a", Duration.ZERO, many.subList(0, 400));

    changes.look("b", Duration.ZERO, many.subList(0, 300));

    assertThat(changes.after()).hasSize(AlertStore.ALERTS_MAX);
    assertThat(changes.after().stream().filter(each -> each.state() == AlertState.FIRING))
        .hasSize(700);
    assertThat(changes.deleted())
        .doesNotContainAnyElementsOf(changes.changed().stream().map(Alert::key).toList());
  }

  private long states(AlertState state) {
    return store.alerts().stream().filter(each -> each.state() == state).count();
  }
}
