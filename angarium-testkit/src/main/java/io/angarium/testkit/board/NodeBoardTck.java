package io.angarium.testkit.board;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.angarium.Destination;
import io.angarium.board.BoardView;
import io.angarium.board.DelayBuckets;
import io.angarium.board.MinuteOfDestination;
import io.angarium.board.MinuteQuery;
import io.angarium.board.NodeStatus;
import io.angarium.board.Throughput;
import io.angarium.board.ToldStatus;
import io.angarium.relay.settings.CircuitState;
import io.angarium.relay.status.CircuitStatus;
import io.angarium.relay.status.RelayStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link io.angarium.board.NodeBoard}. The test class of an implementation
 * implements it and gives a {@link NodeBoardFixture}, one for each test.
 */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface NodeBoardTck {
  /** A minute long ago, whose number is a multiple of ten. */
  Instant MINUTE = Instant.parse("2026-11-29T01:10:00Z");

  /** The fixture of this test; the same at every call on one test instance. */
  NodeBoardFixture fixture();

  // ---- statuses

  @Test
  default void emptyBoardHasNoNodes() {
    BoardView view = fixture().board().nodes();

    assertThat(view.nodes()).isEmpty();
    assertThat(view.now()).isNotNull();
  }

  @Test
  default void toldStatusIsReadWhole() {
    NodeStatus status = status("node 'a' \"b\" \\ ; -- 😀", new UUID(0, 1), 20);

    fixture().board().tell(status);

    BoardView view = fixture().board().nodes();
    assertThat(view.nodes()).extracting(ToldStatus::status).containsExactly(status);
    assertThat(view.nodes().get(0).toldAt()).isBeforeOrEqualTo(view.now());
    assertThat(view.nodes().get(0).toldAt()).isCloseTo(view.now(), within(1, ChronoUnit.MINUTES));
  }

  @Test
  default void laterStatusTakesThePlaceOfTheOneBefore() {
    UUID incarnation = new UUID(0, 2);
    fixture().board().tell(status("a", incarnation, 1));
    Instant first = fixture().board().nodes().nodes().get(0).toldAt();
    fixture().pass(Duration.ofMillis(2));
    NodeStatus later = status("a", incarnation, 2);

    fixture().board().tell(later);

    List<ToldStatus> nodes = fixture().board().nodes().nodes();
    assertThat(nodes).extracting(ToldStatus::status).containsExactly(later);
    assertThat(nodes.get(0).toldAt()).isAfter(first);
  }

  @Test
  default void eachStartOfANodeIsItsOwnLatestFirst() {
    NodeStatus first = status("a", new UUID(0, 3), 0);
    NodeStatus second = status("a", new UUID(0, 4), 0);
    fixture().board().tell(first);
    fixture().pass(Duration.ofMillis(2));

    fixture().board().tell(second);

    assertThat(fixture().board().nodes().nodes())
        .extracting(ToldStatus::status)
        .containsExactly(second, first);
  }

  @Test
  default void longestStatusFits() {
    String longText = "界".repeat(NodeStatus.TEXT_LENGTH_MAX);
    RelayStatus relay = status("n".repeat(128), new UUID(0, 5), 20).relay();
    NodeStatus status =
        new NodeStatus(longText, longText, longText, true, relay, counts(1L << 40), Duration.ZERO);

    fixture().board().tell(status);

    NodeStatus read = fixture().board().nodes().nodes().get(0).status();
    assertThat(read.application()).isEqualTo(longText);
    assertThat(read.stopped()).isTrue();
    assertThat(read.relay().notClosed()).isEqualTo(20);
    assertThat(read.recent()).isEqualTo(status.recent());
  }

  @Test
  default void atMostSoManyNodesAreRead() {
    for (int i = 0; i < BoardView.NODES_MAX + 5; i++) {
      fixture().board().tell(status("n" + i, new UUID(1, i), 0));
    }

    assertThat(fixture().board().nodes().nodes()).hasSize(BoardView.NODES_MAX);
  }

  // ---- minutes

  @Test
  default void minutesOfAllNodesAreSummedUp() {
    tell(new UUID(0, 6), MINUTE, "kafka:a", counts(1));
    tell(new UUID(0, 7), MINUTE, "kafka:a", counts(2));
    tell(new UUID(0, 8), MINUTE.plusSeconds(60), "kafka:b", counts(5));

    assertThat(fixture().board().minutes(minutes(0, 10, 1)))
        .hasSize(2)
        .containsEntry(MINUTE, counts(3))
        .containsEntry(MINUTE.plusSeconds(60), counts(5));
  }

  @Test
  default void minutesOutsideAreLeftOut() {
    UUID node = new UUID(0, 9);
    for (int minute = 0; minute < 5; minute++) {
      tell(node, MINUTE.plusSeconds(60L * minute), "kafka:a", counts(1));
    }

    assertThat(fixture().board().minutes(minutes(1, 3, 1)))
        .containsOnlyKeys(MINUTE.plusSeconds(60), MINUTE.plusSeconds(120));
  }

  @Test
  default void stepMakesOnePointOfSeveralMinutes() {
    UUID node = new UUID(0, 10);
    for (int minute = 3; minute < 13; minute++) {
      tell(node, MINUTE.plusSeconds(60L * minute), "kafka:a", counts(1));
    }

    assertThat(fixture().board().minutes(minutes(0, 20, 5)))
        .hasSize(3)
        .containsEntry(MINUTE, counts(2))
        .containsEntry(MINUTE.plusSeconds(300), counts(5))
        .containsEntry(MINUTE.plusSeconds(600), counts(3));
  }

  @Test
  default void onlyNamedDestinationsAreSummedUp() {
    UUID node = new UUID(0, 11);
    fixture()
        .board()
        .tellMinute(
            node,
            List.of(
                new MinuteOfDestination(MINUTE, "kafka:a", counts(1)),
                new MinuteOfDestination(MINUTE, "kafka:A", counts(2)),
                new MinuteOfDestination(MINUTE, "kafka:a ", counts(4)),
                new MinuteOfDestination(MINUTE, "kafka:'b'", counts(8)),
                new MinuteOfDestination(MINUTE, MinuteOfDestination.OTHER, counts(16))));

    MinuteQuery query =
        new MinuteQuery(
            MINUTE, MINUTE.plusSeconds(60), Duration.ofMinutes(1), List.of("kafka:a", "kafka:'b'"));

    assertThat(fixture().board().minutes(query)).containsEntry(MINUTE, counts(9));
    assertThat(fixture().board().minutes(minutes(0, 1, 1))).containsEntry(MINUTE, counts(31));
  }

  @Test
  default void minuteThatIsToldAgainTakesThePlaceOfTheOneBefore() {
    UUID node = new UUID(0, 12);
    tell(node, MINUTE, "kafka:a", counts(1));
    tell(node, MINUTE, "kafka:b", counts(2));

    tell(node, MINUTE, "kafka:b", counts(2));

    assertThat(fixture().board().minutes(minutes(0, 1, 1))).containsEntry(MINUTE, counts(2));
  }

  @Test
  default void minuteOfManyDestinationsIsKept() {
    String longest = "kafka:" + "界".repeat(Destination.LENGTH_MAX - 6);
    List<MinuteOfDestination> told = new ArrayList<>();
    for (int i = 0; i < MinuteOfDestination.DESTINATIONS_MAX; i++) {
      told.add(new MinuteOfDestination(MINUTE, longest.substring(0, 512 - i), counts(1)));
    }
    told.add(new MinuteOfDestination(MINUTE, MinuteOfDestination.OTHER, counts(1)));

    fixture().board().tellMinute(new UUID(0, 13), told);

    assertThat(fixture().board().minutes(minutes(0, 1, 1)))
        .containsEntry(MINUTE, counts(MinuteOfDestination.DESTINATIONS_MAX + 1));
    assertThat(fixture().board().destinations(MINUTE, MINUTE.plusSeconds(60)))
        .hasSize(MinuteOfDestination.DESTINATIONS_MAX + 1)
        .containsKeys(longest, MinuteOfDestination.OTHER);
  }

  @Test
  default void minuteWithoutAnythingIsNothing() {
    fixture().board().tellMinute(new UUID(0, 14), List.of());

    assertThat(fixture().board().minutes(minutes(0, 1, 1))).isEmpty();
    assertThat(fixture().board().destinations(MINUTE, MINUTE.plusSeconds(60))).isEmpty();
  }

  @Test
  default void largeCountsAreSummedUp() {
    long large = 40_000_000_000L;
    tell(new UUID(0, 15), MINUTE, "kafka:a", counts(large));
    tell(new UUID(0, 16), MINUTE, "kafka:a", counts(large));

    assertThat(fixture().board().minutes(minutes(0, 1, 1)))
        .containsEntry(MINUTE, counts(2 * large));
  }

  @Test
  default void destinationsComeWithMostFirst() {
    UUID node = new UUID(0, 17);
    tell(node, MINUTE, "kafka:few", counts(1));
    tell(node, MINUTE.plusSeconds(60), "kafka:most", counts(9));
    tell(node, MINUTE.plusSeconds(120), "kafka:some", counts(4));
    tell(node, MINUTE.plusSeconds(180), "kafka:late", counts(90));

    assertThat(fixture().board().destinations(MINUTE, MINUTE.plusSeconds(180)))
        .containsExactly(
            Map.entry("kafka:most", counts(9)),
            Map.entry("kafka:some", counts(4)),
            Map.entry("kafka:few", counts(1)));
  }

  // ---- what tests have in common

  /** Minutes from one number to another, with a step. */
  private static MinuteQuery minutes(int from, int to, int step) {
    return new MinuteQuery(
        MINUTE.plusSeconds(60L * from),
        MINUTE.plusSeconds(60L * to),
        Duration.ofMinutes(step),
        List.of());
  }

  private void tell(UUID node, Instant minute, String destination, Throughput counts) {
    fixture()
        .board()
        .tellMinute(node, List.of(new MinuteOfDestination(minute, destination, counts)));
  }

  /** So many of everything. */
  private static Throughput counts(long each) {
    long[] delays =
        Collections.nCopies(DelayBuckets.COUNT, each).stream().mapToLong(n -> n).toArray();
    return new Throughput(each, 2 * each, 3 * each, 4 * each, DelayBuckets.of(delays));
  }

  private static NodeStatus status(String node, UUID incarnation, int circuits) {
    Instant at = Instant.parse("2026-11-29T01:02:03.456789Z");
    RelayStatus relay =
        new RelayStatus(
            node,
            incarnation,
            at,
            at.minusSeconds(60),
            new RelayStatus.Rest(at.plusSeconds(30), "Every send failed"),
            27,
            1_204,
            20_000,
            circuits,
            IntStream.range(0, circuits)
                .mapToObj(
                    i ->
                        new CircuitStatus(
                            Destination.parse("kafka:o" + i),
                            CircuitState.OPEN,
                            "no",
                            at,
                            at.plusSeconds(i)))
                .toList(),
            new RelayStatus.StoreFailure("read", "gone", at, 3),
            "It stands still");
    return new NodeStatus("shop", "host-1", "1.0", false, relay, counts(1), Duration.ofSeconds(60));
  }
}
