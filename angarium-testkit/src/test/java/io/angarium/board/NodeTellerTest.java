package io.angarium.board;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.StoreException;
import io.angarium.relay.status.RelayStatus;
import io.angarium.testkit.ManualClock;
import io.angarium.testkit.board.InMemoryNodeBoard;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NodeTellerTest {
  private static final Instant START = Instant.parse("2026-11-29T02:00:10Z");
  private static final Instant MINUTE = Instant.parse("2026-11-29T02:00:00Z");

  private final ManualClock clock = new ManualClock(START);
  private final InMemoryNodeBoard kept = new InMemoryNodeBoard(clock);
  private final UUID incarnation = UUID.randomUUID();
  private final SendCounts counts = new SendCounts();
  private final UnreachableProducers producers = new UnreachableProducers(clock);
  private boolean away;
  private int calls;

  private final NodeTeller teller =
      new NodeTeller(
          new FailingBoard(),
          this::relay,
          counts,
          producers,
          new NodeTeller.Node("shop", "host-1", "1.0"),
          clock);

  @Test
  void tellsWhatTheRelaySays() {
    teller.runOnce();

    NodeStatus told = told();
    assertThat(told.relay()).isEqualTo(relay());
    assertThat(told.application()).isEqualTo("shop");
    assertThat(told.host()).isEqualTo("host-1");
    assertThat(told.version()).isEqualTo("1.0");
    assertThat(told.stopped()).isFalse();
  }

  @Test
  void tellsWhichProducersCannotBeAsked() {
    producers.endpointUnreachable("https://b.example/check", Duration.ofSeconds(10), "refused");
    producers.endpointUnreachable("https://a.example/check", Duration.ofSeconds(70), "time-out");
    producers.endpointUnreachable("https://c.example/check", Duration.ofSeconds(30), "x");
    producers.endpointUnreachable("https://d.example/check", Duration.ofSeconds(30), "x");
    producers.endpointReachable("https://c.example/check");
    producers.endpointForgotten("https://d.example/check");

    teller.runOnce();

    assertThat(told().unreachable())
        .containsExactly(
            new UnreachableProducer("https://a.example/check", START.minusSeconds(70), "time-out"),
            new UnreachableProducer("https://b.example/check", START.minusSeconds(10), "refused"));
  }

  @Test
  void atMostSoManyProducersAreTold() {
    for (int i = 0; i < 30; i++) {
      producers.endpointUnreachable("https://example/" + i, Duration.ofSeconds(i), "x");
    }

    teller.runOnce();

    assertThat(told().unreachable()).hasSize(NodeStatus.UNREACHABLE_MAX);
  }

  @Test
  void tellsWhatHappenedInTheLastMinute() {
    teller.runOnce();
    for (int i = 0; i < 20; i++) {
      CountedMessages.sent(counts, "kafka:a");
      clock.advance(Duration.ofSeconds(5));
      teller.runOnce();
    }

    assertThat(told().recent().sent()).isEqualTo(12);
    assertThat(told().recentTime()).isEqualTo(Duration.ofMinutes(1));
  }

  @Test
  void idleRoundIsOneCall() {
    teller.runOnce();
    calls = 0;

    clock.advance(Duration.ofMinutes(3));
    teller.runOnce();

    assertThat(calls).isEqualTo(1);
  }

  @Test
  void minuteIsToldOnceItHasEnded() {
    CountedMessages.sent(counts, "kafka:a");
    CountedMessages.sent(counts, "kafka:b");
    teller.runOnce();
    assertThat(minutes()).isEmpty();

    clock.advance(Duration.ofSeconds(50));
    teller.runOnce();

    assertThat(minutes()).containsOnlyKeys(MINUTE);
    assertThat(Objects.requireNonNull(minutes().get(MINUTE)).sent()).isEqualTo(2);
    calls = 0;
    teller.runOnce();
    assertThat(calls).isEqualTo(1);
  }

  @Test
  void minutesWaitForABoardThatIsAway() {
    away = true;
    for (int i = 0; i < 3; i++) {
      CountedMessages.sent(counts, "kafka:a");
      clock.advance(Duration.ofMinutes(1));
      assertThatThrownBy(teller::runOnce).isInstanceOf(StoreException.class);
    }
    away = false;

    teller.runOnce();

    assertThat(minutes()).containsOnlyKeys(MINUTE, MINUTE.plusSeconds(60), MINUTE.plusSeconds(120));
  }

  @Test
  void oldestOfTooManyMinutesAreDropped() {
    away = true;
    for (int i = 0; i < NodeTeller.UNTOLD_MINUTES_MAX + 3; i++) {
      CountedMessages.sent(counts, "kafka:a");
      clock.advance(Duration.ofMinutes(1));
      assertThatThrownBy(teller::runOnce).isInstanceOf(StoreException.class);
    }
    away = false;

    teller.runOnce();

    assertThat(minutes()).hasSize(NodeTeller.UNTOLD_MINUTES_MAX);
    assertThat(minutes().firstKey()).isEqualTo(MINUTE.plusSeconds(180));
  }

  @Test
  void closedTellerSaysThatItHasStoppedAndTellsTheLastMinute() {
    teller.runOnce();
    CountedMessages.sent(counts, "kafka:a");

    teller.close();
    teller.close();

    assertThat(told().stopped()).isTrue();
    assertThat(minutes()).containsOnlyKeys(MINUTE);
  }

  @Test
  void closeDoesNotFailWithTheBoard() {
    away = true;

    teller.close();

    assertThat(kept.nodes().nodes()).isEmpty();
  }

  @Test
  void startedTellerTellsOnItsOwnThread() {
    teller.start();

    while (kept.nodes().nodes().isEmpty()) {
      LockSupport.parkNanos(1_000_000);
    }
    teller.close();
    assertThat(teller.fault()).isEmpty();
  }

  private NodeStatus told() {
    return kept.nodes().nodes().get(0).status();
  }

  private SortedMap<Instant, Throughput> minutes() {
    return kept.minutes(
        new MinuteQuery(
            MINUTE.minusSeconds(600), MINUTE.plusSeconds(3_600), Duration.ofMinutes(1), List.of()));
  }

  private RelayStatus relay() {
    return new RelayStatus(
        "a", incarnation, clock.instant(), START, null, 1, 0, 10, 0, List.of(), null, null);
  }

  /** The board, which may be away. */
  private final class FailingBoard implements NodeBoard {
    private void call() {
      calls++;
      if (away) {
        throw new StoreException("away", null);
      }
    }

    @Override
    public void tell(NodeStatus status) {
      call();
      kept.tell(status);
    }

    @Override
    public void tellMinute(UUID node, List<MinuteOfDestination> minutes) {
      call();
      kept.tellMinute(node, minutes);
    }

    @Override
    public BoardView nodes() {
      return kept.nodes();
    }

    @Override
    public SortedMap<Instant, Throughput> minutes(MinuteQuery query) {
      return kept.minutes(query);
    }

    @Override
    public Map<String, Throughput> destinations(Instant from, Instant to) {
      return kept.destinations(from, to);
    }
  }
}
