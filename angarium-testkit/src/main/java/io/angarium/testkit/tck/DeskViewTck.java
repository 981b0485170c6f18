package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.StoreScene.A;
import static io.angarium.testkit.tck.StoreScene.B;
import static io.angarium.testkit.tck.StoreScene.LONG;
import static io.angarium.testkit.tck.StoreScene.ORDERS;
import static io.angarium.testkit.tck.StoreScene.OTHER_PARTITION;
import static io.angarium.testkit.tck.StoreScene.PARTITION;
import static io.angarium.testkit.tck.StoreScene.SHORT;
import static io.angarium.testkit.tck.StoreScene.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.angarium.Message;
import io.angarium.desk.BoundedCount;
import io.angarium.desk.DestinationPage;
import io.angarium.desk.DestinationView;
import io.angarium.desk.DueBucket;
import io.angarium.desk.MessageBrowser;
import io.angarium.desk.NodeView;
import io.angarium.desk.Overview;
import io.angarium.desk.PartitionView;
import io.angarium.desk.RelayView;
import io.angarium.desk.Stage;
import io.angarium.intake.NewMessage;
import io.angarium.intake.StoredMessage;
import io.angarium.store.ParkedEntry;
import io.angarium.store.lease.Lease;
import io.angarium.store.lease.LeaseStore;
import io.angarium.store.lease.NodeId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The contract of the counts and lists of {@link io.angarium.desk.MessageBrowser}. Part of {@link
 * MessageBrowserTck}.
 */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface DeskViewTck extends DeskFixtureTck {

  @Test
  default void overviewOfAnEmptyDatabaseHasNothing() {
    Instant before = fixture().now();

    Overview overview = fixture().desk().messages().overview();

    BoundedCount none = BoundedCount.NONE;
    Instant now = overview.now();
    assertThat(overview)
        .isEqualTo(
            new Overview(
                now, none, null, none, null, none, none, none, none, none, none, none, null, none,
                none, none, true));
    assertThat(now).isBetween(before, fixture().now());
  }

  @Test
  default void overviewCountsEachStage() {
    DeskScene scene = new DeskScene(fixture());
    Instant now = fixture().now();
    Message delayed = scene.message(Stage.DELAYED);
    StoredMessage oldest = scene.row(scene.put(Stage.WAITING));
    scene.put(Stage.WAITING, 2);
    Instant next = now.minusSeconds(61);
    scene.put(Stage.DELAYED, delayed.notBefore(now.plus(LONG)));
    scene.put(Stage.DELAYED, delayed.notBefore(next));
    scene.put(Stage.DELAYED, delayed.notBefore(now.plus(SHORT)));
    scene.put(Stage.RETRYING, 2);
    Message held = scene.message(Stage.HELD);
    scene.put(Stage.HELD, held);
    scene.put(Stage.HELD, held);
    scene.put(Stage.HELD, held);
    scene.put(Stage.HELD, held);
    scene.put(Stage.DEAD, 5);
    scene.put(Stage.SENT, 2);
    scene.put(Stage.UNCONFIRMED);

    Overview overview = scene.desk.messages().overview();

    assertThat(overview.waiting()).isEqualTo(exactly(3));
    assertThat(overview.oldestWaiting()).isEqualTo(oldest.createdAt());
    assertThat(overview.delayed()).isEqualTo(exactly(3));
    assertThat(overview.nextDue()).isEqualTo(next);
    assertThat(overview.overdue()).isEqualTo(exactly(1));
    assertThat(overview.retrying()).isEqualTo(exactly(3));
    assertThat(overview.held()).isEqualTo(exactly(4));
    assertThat(overview.dead()).isEqualTo(exactly(5));
    assertThat(overview.deadLastHour()).isEqualTo(exactly(5));
    assertThat(overview.deadLately()).isEqualTo(exactly(5));
    assertThat(overview.stuck()).isEqualTo(BoundedCount.NONE);
    assertThat(overview.latestDeath())
        .isEqualTo(scene.search(Stage.DEAD, new GivenFilter().filter()).rows().get(0).at());
    assertThat(overview.unconfirmed()).isEqualTo(exactly(1));
    assertThat(overview.discarded()).isEqualTo(BoundedCount.NONE);
    assertThat(overview.sentLastMinute()).isEqualTo(exactly(3));
    assertThat(overview.history()).isTrue();
  }

  private static BoundedCount exactly(long count) {
    return new BoundedCount(count, false);
  }

  @Test
  default void overviewTellsFreshDeathsAndSendsFromOldOnes() {
    DeskScene scene = new DeskScene(fixture());
    scene.put(Stage.DEAD, 2);
    scene.put(Stage.SENT, 3);
    fixture().age(Duration.ofMinutes(50));
    scene.put(Stage.DEAD, 3);
    fixture().age(Duration.ofMinutes(11));
    scene.put(Stage.DEAD);
    scene.put(Stage.SENT);

    Overview overview = scene.desk.messages().overview();

    assertThat(overview.dead()).isEqualTo(exactly(6));
    assertThat(overview.deadLastHour()).isEqualTo(exactly(4));
    assertThat(overview.deadLately()).isEqualTo(exactly(1));
    assertThat(overview.sentLastMinute()).isEqualTo(exactly(1));
    assertThat(scene.ids(Stage.SENT)).hasSize(4);
  }

  @Test
  default void keyIsStuckAfterManyAttemptsWithMessagesBehindIt() {
    DeskScene scene = new DeskScene(fixture());
    fails(scene, A, Overview.STUCK_ATTEMPTS, true);
    fails(scene, B, Overview.STUCK_ATTEMPTS - 1, true);
    fails(scene, StoreScene.ELSEWHERE, Overview.STUCK_ATTEMPTS, false);

    Overview overview = scene.desk.messages().overview();

    assertThat(overview.stuck()).isEqualTo(exactly(1));
    assertThat(overview.retrying()).isEqualTo(exactly(3));
  }

  private static void fails(DeskScene scene, String key, int attempts, boolean followed) {
    List<StoredMessage> rows =
        followed
            ? scene.store.commit(scene.store.keyed(key), scene.store.keyed(key))
            : scene.store.commit(scene.store.keyed(key));
    List<ParkedEntry> entries = new ArrayList<>();
    entries.add(ParkedEntry.head(rows.get(0), attempts, LONG, "failed"));
    rows.stream().skip(1).map(ParkedEntry::follower).forEach(entries::add);
    scene.store.outbox.park(List.of(scene.lease(rows.get(0))), entries);
  }

  @Test
  default void countsOfWaitingMessagesEndAtTheirLimits() {
    DeskScene scene = new DeskScene(fixture());
    int count = Overview.COUNT_MAX + 1;
    write(scene, IntStream.range(0, count).mapToObj(i -> scene.store.keyed(A)).toList());

    BoundedCount many = new BoundedCount(Overview.COUNT_MAX, true);
    assertThat(scene.desk.messages().overview().waiting()).isEqualTo(many);
    assertThat(scene.desk.messages().overview(7).waiting()).isEqualTo(new BoundedCount(7, true));
    PartitionView partition = partition(scene.desk.messages().relay(), PARTITION);
    assertThat(partition.waiting()).isEqualTo(new BoundedCount(PartitionView.COUNT_MAX, true));
    DestinationPage destinations = scene.desk.messages().destinations();
    assertThat(destinations.complete()).isFalse();
    assertThat(destinations.destinations().get(0).waiting()).isEqualTo(DestinationPage.ROWS_MAX);
  }

  @Test
  default void countsOfDelayedMessagesEndAtTheirLimits() {
    DeskScene scene = new DeskScene(fixture());
    Instant due = fixture().now().plus(LONG);
    int count = Overview.COUNT_MAX + 1;
    Message delayed = StoreScene.message("x").key(A).notBefore(due);
    write(scene, IntStream.range(0, count).mapToObj(i -> scene.store.of(delayed)).toList());

    BoundedCount many = new BoundedCount(Overview.COUNT_MAX, true);
    assertThat(scene.desk.messages().overview().delayed()).isEqualTo(many);
    assertThat(scene.desk.messages().calendar(due, due.plus(LONG), LONG))
        .containsExactly(new DueBucket(due, many));
    DestinationPage destinations = scene.desk.messages().destinations();
    assertThat(destinations.complete()).isFalse();
    assertThat(destinations.destinations().get(0).delayed()).isEqualTo(DestinationPage.ROWS_MAX);
  }

  private static void write(DeskScene scene, List<NewMessage> messages) {
    try (StoreFixture.OpenTransaction transaction = scene.fixture.begin()) {
      for (int from = 0; from < messages.size(); from += 1_000) {
        transaction.insert(messages.subList(from, Math.min(from + 1_000, messages.size())));
      }
      transaction.commit();
    }
  }

  @Test
  default void destinationsAreGroupedWithMostMessagesFirst() {
    DeskScene scene = new DeskScene(fixture());
    StoredMessage oldest = scene.row(scene.put(Stage.WAITING, to("fake:orders")));
    scene.put(Stage.HELD, to("fake:orders").key(A)); // behind one that is retrying
    scene.put(Stage.DELAYED, to("fake:orders"));
    scene.put(Stage.DEAD, to("fake:parcels"));
    scene.put(Stage.DEAD, to("fake:parcels"));
    scene.put(Stage.SENT, to("fake:mail"));
    scene.put(Stage.DELAYED, to("fake:later"));
    Instant before = fixture().now();

    DestinationPage page = scene.desk.messages().destinations();

    assertThat(page.complete()).isTrue();
    assertThat(page.now()).isBetween(before, fixture().now());
    assertThat(page.destinations())
        .containsExactly(
            new DestinationView(
                "fake:orders", 1, 1, 1, 1, 0, oldest.createdAt(), true, "holds others up"),
            new DestinationView("fake:parcels", 0, 0, 0, 0, 2, null, true, null),
            new DestinationView("fake:later", 0, 1, 0, 0, 0, null, true, null));
  }

  private static Message to(String destination) {
    return Message.of(destination, "text");
  }

  @Test
  default void destinationIsUnreachableIfNoLiveNodeHasItsTransport() {
    DeskScene scene = new DeskScene(fixture());
    LeaseStore leases = fixture().leases();
    leases.noteTransports(node("gone"), Set.of("fake", "rabbitmq"));
    leases.noteTransports(node("live"), Set.of("fake", "kafka"));
    leases.heartbeat(node("gone"), true, SHORT);
    leases.heartbeat(node("live"), true, LONG);
    scene.put(Stage.WAITING, to("fake:orders"));
    scene.put(Stage.WAITING, to("rabbitmq:orders"));
    assertThat(unreachable(scene)).isEmpty();

    fixture().letPass(SHORT.plusMillis(1));

    assertThat(unreachable(scene)).containsExactly("rabbitmq:orders");
  }

  private static List<String> unreachable(DeskScene scene) {
    return scene.desk.messages().destinations().destinations().stream()
        .filter(each -> !each.reachable())
        .map(DestinationView::destination)
        .toList();
  }

  @Test
  default void destinationsAreReachableIfNoNodeSaysWhatItHas() {
    DeskScene scene = new DeskScene(fixture());
    fixture().leases().heartbeat(node("silent"), true, LONG);
    scene.put(Stage.WAITING, to("rabbitmq:orders"));

    assertThat(unreachable(scene)).isEmpty();
  }

  @Test
  default void relayShowsEveryPartition() {
    DeskScene scene = new DeskScene(fixture());
    List<StoredMessage> rows =
        scene.store.commit(scene.store.keyed(A), scene.store.keyed(B), scene.store.keyless());
    scene.store.commit(scene.store.keyed(StoreScene.ELSEWHERE));
    Lease lease = scene.store.lease(PARTITION, "node-b");
    Instant before = fixture().now();

    RelayView view = scene.desk.messages().relay();

    assertThat(view.now()).isBetween(before, fixture().now());
    assertThat(view.partitions().stream().map(PartitionView::partition))
        .isEqualTo(DeskScene.partitions());
    assertThat(partition(view, PARTITION))
        .isEqualTo(
            new PartitionView(
                PARTITION, exactly(2), rows.get(0).createdAt(), "node-b", true, lease.epoch()));
    PartitionView free = partition(view, OTHER_PARTITION);
    assertThat(free.waiting()).isEqualTo(exactly(1));
    assertThat(free.node()).isNull();
    assertThat(free.live()).isFalse();
    assertThat(partition(view, 0).waiting()).isEqualTo(BoundedCount.NONE);
    assertThat(partition(view, 0).oldest()).isNull();
  }

  private static PartitionView partition(RelayView view, int number) {
    return view.partitions().stream()
        .filter(each -> each.partition() == number)
        .findFirst()
        .orElseThrow();
  }

  @Test
  default void relayShowsLiveNodesFirstAndWhatTheyHold() {
    LeaseStore leases = fixture().leases();
    leases.prepare(StoreScene.PARTITIONS);
    leases.noteTransports(node("c"), Set.of("kafka", "fake"));
    leases.heartbeat(node("a"), true, SHORT);
    leases.heartbeat(node("c"), true, LONG);
    leases.heartbeat(node("b"), false, LONG);
    leases.acquire(node("a"), List.of(PARTITION), Duration.ZERO);
    leases.acquire(node("c"), List.of(0, OTHER_PARTITION), Duration.ZERO);
    fixture().letPass(SHORT.plusMillis(1));

    RelayView view = fixture().desk().messages().relay();

    assertThat(view.nodes().stream().map(NodeView::node)).containsExactly("b", "c", "a");
    NodeView resting = view.nodes().get(0);
    assertThat(resting.takingPart()).isFalse();
    assertThat(resting.partitions()).isZero();
    assertThat(resting.transports()).isEmpty();
    NodeView live = view.nodes().get(1);
    assertThat(live.incarnation()).isEqualTo(node("c").incarnation());
    assertThat(live.takingPart()).isTrue();
    assertThat(live.leaseLeft()).isBetween(LONG.minusMinutes(1), LONG);
    assertThat(live.partitions()).isEqualTo(2);
    assertThat(live.transports()).containsExactly("fake", "kafka");
    NodeView gone = view.nodes().get(2);
    assertThat(gone.leaseLeft()).isNegative();
    assertThat(gone.partitions()).isEqualTo(1);
    assertThat(partition(view, PARTITION).node()).isEqualTo("a");
    assertThat(partition(view, PARTITION).live()).isFalse();
    assertThat(partition(view, 0).live()).isTrue();
    RelayView members = fixture().desk().messages().members();
    assertThat(members.nodes())
        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("leaseLeft", "transports")
        .isEqualTo(view.nodes());
    assertThat(members.nodes().get(2).leaseLeft()).isNegative();
    assertThat(members.partitions()).isEqualTo(view.partitions());
    assertThat(members.now()).isAfterOrEqualTo(view.now());
  }

  @Test
  default void membersAreThereWithoutNodes() {
    Instant before = fixture().now();

    RelayView members = fixture().desk().messages().members();

    assertThat(members.nodes()).isEmpty();
    assertThat(members.now()).isBetween(before, fixture().now());
  }

  @Test
  default void nodeWhoseNameWasTakenOverHasNone() {
    LeaseStore leases = fixture().leases();
    leases.prepare(StoreScene.PARTITIONS);
    NodeId before = new NodeId("a", new UUID(7, 1));
    NodeId after = new NodeId("a", new UUID(7, 2));
    leases.heartbeat(before, true, SHORT);
    leases.acquire(before, List.of(PARTITION), Duration.ZERO);
    fixture().letPass(SHORT.plusMillis(1));
    leases.heartbeat(after, true, LONG);

    List<NodeView> nodes = fixture().desk().messages().relay().nodes();

    assertThat(nodes.stream().map(NodeView::node)).containsExactly("a", "");
    assertThat(nodes.stream().map(NodeView::incarnation))
        .containsExactly(after.incarnation(), before.incarnation());
    assertThat(nodes.get(1).partitions()).isEqualTo(1);
  }

  @Test
  default void calendarCountsEachSpanWithItsBeginAndWithoutItsEnd() {
    DeskScene scene = new DeskScene(fixture());
    Instant from = fixture().now().plus(LONG);
    Duration step = Duration.ofMinutes(10);
    Message message = scene.message(Stage.DELAYED);
    scene.put(Stage.DELAYED, message.notBefore(from.minusMillis(1)));
    scene.put(Stage.DELAYED, message.notBefore(from));
    scene.put(Stage.DELAYED, message.notBefore(from.plus(step).minusMillis(1)));
    scene.put(Stage.DELAYED, message.notBefore(from.plus(step.multipliedBy(2))));
    scene.put(Stage.DELAYED, message.notBefore(from.plus(step.multipliedBy(3))));

    List<DueBucket> calendar =
        scene.desk.messages().calendar(from, from.plus(step.multipliedBy(3)), step);

    assertThat(calendar)
        .containsExactly(
            new DueBucket(from, exactly(2)),
            new DueBucket(from.plus(step), BoundedCount.NONE),
            new DueBucket(from.plus(step.multipliedBy(2)), exactly(1)));
  }

  @Test
  default void lastSpanOfACalendarEndsWithIt() {
    DeskScene scene = new DeskScene(fixture());
    Instant from = fixture().now().plus(LONG);
    Duration step = Duration.ofMinutes(10);
    Message message = scene.message(Stage.DELAYED);
    scene.put(Stage.DELAYED, message.notBefore(from.plus(step)));
    scene.put(Stage.DELAYED, message.notBefore(from.plus(step).plusSeconds(60)));

    List<DueBucket> calendar =
        scene.desk.messages().calendar(from, from.plus(step).plusSeconds(60), step);

    assertThat(calendar)
        .containsExactly(
            new DueBucket(from, BoundedCount.NONE), new DueBucket(from.plus(step), exactly(1)));
  }

  @Test
  default void calendarOfNoSpanOrTooManyIsRefused() {
    MessageBrowser browser = fixture().desk().messages();
    Instant from = fixture().now();
    Duration step = Duration.ofMinutes(1);
    Instant most = from.plus(step.multipliedBy(MessageBrowser.BUCKETS_MAX));

    assertThat(browser.calendar(from, most, step)).hasSize(MessageBrowser.BUCKETS_MAX);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> browser.calendar(from, most.plusMillis(1), step));
    assertThatIllegalArgumentException().isThrownBy(() -> browser.calendar(from, from, step));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> browser.calendar(from, from.minusMillis(1), step));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> browser.calendar(from, most, Duration.ZERO));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> browser.calendar(from, most, step.negated()));
  }

  @Test
  default void destinationOfAnUnknownTransportIsShown() {
    DeskScene scene = new DeskScene(fixture());
    fixture().leases().noteTransports(node("live"), Set.of("fake"));
    fixture().leases().heartbeat(node("live"), true, LONG);
    scene.put(Stage.DEAD, to("fkae:orders"));
    scene.put(Stage.WAITING, Message.of(ORDERS, "x"));

    assertThat(unreachable(scene)).containsExactly("fkae:orders");
  }
}
