package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.DeskScene.ANN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.StoreException;
import io.angarium.alert.signal.SignalReader;
import io.angarium.alert.signal.Signals;
import io.angarium.desk.ActBy;
import io.angarium.desk.AuditEntry;
import io.angarium.desk.AuditQuery;
import io.angarium.desk.DestinationPause;
import io.angarium.desk.MessageRow;
import io.angarium.desk.PauseDesk;
import io.angarium.desk.SearchDepth;
import io.angarium.desk.Stage;
import io.angarium.pause.PauseStore;
import io.angarium.pause.PauseStore.InForce;
import io.angarium.store.lease.NodeId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link PauseDesk} and {@link PauseStore}. Part of {@link DeskTck}, as a desk has
 * the pauses of its database.
 */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface PauseTck extends DeskFixtureTck {
  /** The length of a pause in these tests. */
  Duration HOUR = Duration.ofHours(1);

  private PauseDesk desk() {
    return fixture().desk().pauses();
  }

  private InForce inForce() {
    return fixture().pauses().changedSince(PauseStore.NONE_KNOWN).orElseThrow();
  }

  private static NodeId live(DeskFixture fixture, String name) {
    NodeId node = StoreScene.node(name);
    fixture.leases().heartbeat(node, true, StoreScene.LONG);
    return node;
  }

  @Test
  default void nothingIsPausedAtFirst() {
    assertThat(desk().pauses()).isEmpty();
    assertThat(inForce().pauses()).isEmpty();
  }

  @Test
  default void pauseIsReadAsItWasBegun() {
    String hostile = "'\"\\;--%_?*".repeat(51);
    ActBy by = ActBy.of("b".repeat(128), "é".repeat(1_000), ActBy.Via.PAGE);
    Instant before = fixture().now();

    DestinationPause pause = desk().pause(hostile, DestinationPause.MAX, by);

    assertThat(desk().pauses()).containsExactly(pause);
    assertThat(pause.destinations()).isEqualTo(hostile);
    assertThat(pause.since()).isBetween(before, fixture().now());
    assertThat(pause.until()).isEqualTo(pause.since().plus(DestinationPause.MAX));
    assertThat(pause.by()).isEqualTo(by.decision().by());
    assertThat(pause.reason()).isEqualTo(by.decision().reason());
  }

  @Test
  default void relayLearnsOfAPauseAndHowLongItLasts() {
    long known = inForce().version();

    desk().pause("kafka:*", HOUR, ANN);

    InForce found = fixture().pauses().changedSince(known).orElseThrow();
    assertThat(found.version()).isGreaterThan(known);
    assertThat(found.pauses()).hasSize(1);
    assertThat(found.pauses().get(0).destinations()).isEqualTo("kafka:*");
    assertThat(found.pauses().get(0).length()).isBetween(HOUR.minusMinutes(1), HOUR.plusMillis(1));
  }

  @Test
  default void relayIsToldNothingTwice() {
    desk().pause("kafka:*", HOUR, ANN);
    long known = inForce().version();

    assertThat(fixture().pauses().changedSince(known)).isEmpty();
  }

  @Test
  default void relayLearnsThatAPauseWasEndedByAPerson() {
    DestinationPause kafka = desk().pause("kafka:*", HOUR, ANN);
    DestinationPause orders = desk().pause("orders", HOUR, ANN);
    long known = inForce().version();

    assertThat(desk().resume(kafka.id(), ANN)).isTrue();

    Optional<InForce> found = fixture().pauses().changedSince(known);
    assertThat(found)
        .hasValueSatisfying(
            news ->
                assertThat(news.pauses())
                    .extracting(PauseStore.Remaining::destinations)
                    .containsExactly("orders"));
    assertThat(desk().pauses()).extracting(DestinationPause::id).containsExactly(orders.id());
  }

  /** What alerts look at. */
  @Test
  default void oldestMessageThatNoPauseHoldsBackIsToldApart() {
    DeskScene scene = new DeskScene(fixture());
    SignalReader signals =
        SignalReader.builder("here", scene.desk.messages(), 100).pauses(scene.desk::pauses).build();
    assertThat(signals.get().oldestUnpaused()).isNull();
    scene.put(Stage.WAITING);
    assertThat(signals.get().oldestUnpaused()).isNotNull();

    desk().pause(StoreScene.ORDERS.toString(), HOUR, ANN);

    Signals paused = signals.get();
    assertThat(paused.oldestUnpaused()).isNull();
    assertThat(paused.overview().oldestWaiting()).isNotNull();
    assertThat(paused.pauses()).hasSize(1);

    MessageId other = scene.put(Stage.WAITING, Message.of(DeskScene.OTHER, new byte[1]));
    MessageRow row = scene.desk.messages().find(other, SearchDepth.LIKELY).places().get(0).row();
    assertThat(signals.get().oldestUnpaused()).isEqualTo(row.createdAt());
  }

  @Test
  default void pauseIsEndedOnce() {
    DestinationPause pause = desk().pause("kafka:*", HOUR, ANN);

    assertThat(desk().resume(pause.id(), ANN)).isTrue();
    assertThat(desk().resume(pause.id(), ANN)).isFalse();
    assertThat(desk().resume(-1, ANN)).isFalse();
  }

  @Test
  default void pauseEndsByItself() {
    DestinationPause pause = desk().pause("kafka:*", DestinationPause.MIN, ANN);

    fixture().endPauses();

    assertThat(desk().pauses()).isEmpty();
    assertThat(inForce().pauses()).isEmpty();
    assertThat(desk().resume(pause.id(), ANN)).isFalse();
    assertThat(desk().pause("kafka:*", HOUR, ANN).id()).isNotEqualTo(pause.id());
  }

  @Test
  default void laterPauseOfTheSameDestinationsReplacesTheFirst() {
    DestinationPause first = desk().pause("kafka:*", HOUR, ANN);

    DestinationPause second = desk().pause("kafka:*", HOUR.multipliedBy(2), ANN);

    assertThat(desk().pauses()).containsExactly(second);
    assertThat(second.until()).isAfter(first.until().plus(HOUR.dividedBy(2)));
    assertThat(second.since()).isEqualTo(first.since());
  }

  @Test
  default void longerPauseStaysApplied() {
    NodeId node = live(fixture(), "node-a");
    desk().pause("kafka:*", HOUR, ANN);
    fixture().pauses().applied(node, inForce().version());

    assertThat(desk().pause("kafka:*", HOUR.multipliedBy(2), ANN).applied()).isEqualTo(1);
  }

  @Test
  default void pausesAreOrderedByTheirEnds() {
    desk().pause("late", HOUR.multipliedBy(3), ANN);
    desk().pause("early", HOUR, ANN);
    desk().pause("middle", HOUR.multipliedBy(2), ANN);

    assertThat(desk().pauses())
        .extracting(DestinationPause::destinations)
        .containsExactly("early", "middle", "late");
  }

  @Test
  default void pauseCountsTheLiveNodesThatHaveAppliedIt() {
    NodeId first = live(fixture(), "node-a");
    NodeId second = live(fixture(), "node-b");
    DestinationPause pause = desk().pause("kafka:*", HOUR, ANN);
    assertThat(pause.nodes()).isEqualTo(2);
    assertThat(pause.applied()).isZero();
    long version = inForce().version();

    fixture().pauses().applied(first, version);
    assertThat(desk().pauses().get(0).applied()).isEqualTo(1);
    assertThat(desk().pauses().get(0).isAppliedEverywhere()).isFalse();
    fixture().pauses().applied(second, version);
    assertThat(desk().pauses().get(0).isAppliedEverywhere()).isTrue();

    fixture().leases().leave(second);
    assertThat(desk().pauses().get(0).nodes()).isEqualTo(1);
    assertThat(desk().pauses().get(0).applied()).isEqualTo(1);
  }

  @Test
  default void nodeThatAppliedAnEarlierActHasNotAppliedALaterPause() {
    NodeId node = live(fixture(), "node-a");
    desk().pause("kafka:*", HOUR, ANN);
    fixture().pauses().applied(node, inForce().version());

    assertThat(desk().pause("orders", HOUR, ANN).applied()).isZero();

    fixture().pauses().applied(node, inForce().version());
    assertThat(desk().pauses()).allMatch(DestinationPause::isAppliedEverywhere);
  }

  @Test
  default void nodeThatStartsAnewHasAppliedNothing() {
    NodeId node = live(fixture(), "node-a");
    desk().pause("kafka:*", HOUR, ANN);
    fixture().pauses().applied(node, inForce().version());
    fixture().leases().leave(node);

    fixture().leases().heartbeat(new NodeId("node-a", new UUID(0, 1)), true, StoreScene.LONG);

    assertThat(desk().pauses().get(0).nodes()).isEqualTo(1);
    assertThat(desk().pauses().get(0).applied()).isZero();
  }

  @Test
  default void pauseOutOfRangeIsRefused() {
    Stream.of(
            DestinationPause.MIN.minusMillis(1), DestinationPause.MAX.plusMillis(1), HOUR.negated())
        .forEach(
            length ->
                assertThatThrownBy(() -> desk().pause("kafka:*", length, ANN))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("1m..30d"));
    Stream.of("", " ", "x".repeat(DestinationPause.DESTINATIONS_LENGTH_MAX + 1))
        .forEach(
            destinations ->
                assertThatThrownBy(() -> desk().pause(destinations, HOUR, ANN))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("1..512"));

    assertThat(desk().pauses()).isEmpty();
  }

  @Test
  default void tooManyPausesAreRefused() {
    for (int i = 0; i < DestinationPause.PAUSES_MAX; i++) {
      desk().pause("orders-" + i, HOUR, ANN);
    }
    long version = inForce().version();

    assertThatThrownBy(() -> desk().pause("one-more", HOUR, ANN))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at most 100");

    assertThat(inForce().version()).isEqualTo(version);
    assertThat(desk().pause("orders-1", HOUR, ANN).destinations()).isEqualTo("orders-1");
  }

  @Test
  default void pauseAndItsEndAreInTheAudit() {
    DestinationPause pause = desk().pause("kafka:*", HOUR, ANN);
    desk().resume(pause.id(), ANN);
    desk().resume(pause.id(), ANN);

    List<AuditEntry> entries = fixture().desk().audit().page(AuditQuery.newest(10));
    assertThat(entries)
        .extracting(AuditEntry::act)
        .containsExactly("resume-destination", "pause-destination");
    assertThat(entries)
        .allSatisfy(
            entry -> {
              assertThat(entry.by()).isEqualTo(ANN);
              assertThat(entry.targetKind()).isEqualTo("destination");
              assertThat(entry.target()).isEqualTo("kafka:*");
            });
  }

  @Test
  default void pauseAndItsAuditCommitTogether() {
    DestinationPause pause = desk().pause("kafka:*", HOUR, ANN);
    fixture().breakAudit();

    assertThatThrownBy(() -> desk().pause("orders", HOUR, ANN)).isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> desk().resume(pause.id(), ANN)).isInstanceOf(StoreException.class);

    fixture().mendAudit();
    assertThat(desk().pauses()).containsExactly(pause);
  }
}
