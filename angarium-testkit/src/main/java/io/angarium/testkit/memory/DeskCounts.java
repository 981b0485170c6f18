package io.angarium.testkit.memory;

import io.angarium.Destination;
import io.angarium.desk.BoundedCount;
import io.angarium.desk.DestinationPage;
import io.angarium.desk.DestinationView;
import io.angarium.desk.DueBucket;
import io.angarium.desk.MessageBrowser;
import io.angarium.desk.MessageQuery.Order;
import io.angarium.desk.MessageRow;
import io.angarium.desk.NodeView;
import io.angarium.desk.Overview;
import io.angarium.desk.PartitionView;
import io.angarium.desk.RelayView;
import io.angarium.desk.Stage;
import io.angarium.internal.DurationText;
import io.angarium.store.Backlog;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a desk counts in an {@link InMemoryDatabase}. Guarded by the database's lock. */
final class DeskCounts {
  private static final Duration FRESH_DEATH = Duration.ofHours(1);
  private static final Duration FRESH_SEND = Duration.ofMinutes(1);

  /** The stages of messages that destinations have. */
  private static final List<Stage> UNSENT =
      List.of(Stage.WAITING, Stage.DELAYED, Stage.RETRYING, Stage.HELD, Stage.DEAD);

  /** Reads a stage in its order. */
  interface Rows {
    List<MessageRow> of(Stage stage, Order order);
  }

  private final Storage storage;
  private final Rows rows;

  DeskCounts(Storage storage, Rows rows) {
    this.storage = storage;
    this.rows = rows;
  }

  Overview overview(int max) {
    Instant now = storage.now();
    Instant late = now.minus(Backlog.OVERDUE_AFTER);
    Instant freshDeath = now.minus(FRESH_DEATH);
    Instant freshSend = now.minus(FRESH_SEND);
    return new Overview(
        now,
        count(Stage.WAITING, max),
        oldest(Stage.WAITING),
        count(Stage.DELAYED, max),
        first(Stage.DELAYED, Order.OLDEST),
        count(Stage.DELAYED, max, row -> row.at().isBefore(late)),
        count(Stage.RETRYING, max),
        count(Stage.HELD, max),
        stuck(),
        count(Stage.DEAD, max),
        count(Stage.DEAD, max, row -> !row.at().isBefore(freshDeath)),
        count(Stage.DEAD, max, row -> !row.at().isBefore(now.minus(Overview.LATELY))),
        first(Stage.DEAD, Order.NEWEST),
        count(Stage.UNCONFIRMED, max),
        count(Stage.DISCARDED, max),
        storage.keepsHistory ? count(Stage.SENT, max, row -> !row.at().isBefore(freshSend)) : null,
        storage.keepsHistory);
  }

  private BoundedCount stuck() {
    List<MessageRow> held = rows.of(Stage.HELD, Order.OLDEST);
    long stuck =
        rows.of(Stage.RETRYING, Order.NEWEST).stream()
            .limit(Overview.STUCK_MAX)
            .filter(head -> head.attempts() >= Overview.STUCK_ATTEMPTS)
            .filter(head -> held.stream().anyMatch(row -> isBehind(row, head)))
            .count();
    return BoundedCount.upTo(Overview.STUCK_MAX, stuck);
  }

  private static boolean isBehind(MessageRow row, MessageRow head) {
    return row.destination().equals(head.destination()) && Objects.equals(row.key(), head.key());
  }

  private BoundedCount count(Stage stage, int max) {
    return count(stage, max, row -> true);
  }

  private BoundedCount count(Stage stage, int max, Predicate<MessageRow> counted) {
    return BoundedCount.upTo(max, rows.of(stage, Order.OLDEST).stream().filter(counted).count());
  }

  private @Nullable Instant first(Stage stage, Order order) {
    return rows.of(stage, order).stream().map(MessageRow::at).findFirst().orElse(null);
  }

  private @Nullable Instant oldest(Stage stage) {
    return oldest(rows.of(stage, Order.OLDEST).stream());
  }

  private static @Nullable Instant oldest(Stream<MessageRow> some) {
    return some.map(MessageRow::createdAt).min(Comparator.naturalOrder()).orElse(null);
  }

  DestinationPage destinations() {
    Map<String, List<MessageRow>> groups = new LinkedHashMap<>();
    boolean complete = true;
    for (Stage stage : UNSENT) {
      List<MessageRow> all = rows.of(stage, stage == Stage.WAITING ? Order.OLDEST : Order.NEWEST);
      complete &= all.size() <= DestinationPage.ROWS_MAX;
      all.stream()
          .limit(DestinationPage.ROWS_MAX)
          .forEach(r -> groups.computeIfAbsent(r.destination(), d -> new ArrayList<>()).add(r));
    }
    Collection<Set<String>> transports = storage.leases.transports(storage.now()).values();
    List<DestinationView> views = new ArrayList<>();
    groups.entrySet().stream()
        .sorted(Comparator.comparing(group -> -group.getValue().size()))
        .limit(DestinationPage.DESTINATIONS_MAX)
        .forEach(group -> views.add(view(group.getKey(), group.getValue(), transports)));
    return new DestinationPage(views, complete, storage.now());
  }

  private static DestinationView view(
      String destination, List<MessageRow> group, Collection<Set<String>> transports) {
    Map<Stage, Long> counts = new EnumMap<>(Stage.class);
    group.forEach(row -> counts.merge(row.stage(), 1L, Long::sum));
    String transport = Destination.parse(destination).transport();
    return new DestinationView(
        destination,
        counts.getOrDefault(Stage.WAITING, 0L),
        counts.getOrDefault(Stage.DELAYED, 0L),
        counts.getOrDefault(Stage.RETRYING, 0L),
        counts.getOrDefault(Stage.HELD, 0L),
        counts.getOrDefault(Stage.DEAD, 0L),
        oldest(
            group.stream()
                .filter(row -> row.stage() != Stage.DEAD && row.stage() != Stage.DELAYED)),
        transport.isEmpty()
            || transports.isEmpty()
            || transports.stream().anyMatch(names -> names.contains(transport)),
        group.stream()
            .filter(row -> row.stage() == Stage.RETRYING && row.error() != null)
            .map(MessageRow::error)
            .findFirst()
            .orElse(null));
  }

  RelayView relay() {
    Instant now = storage.now();
    List<MessageRow> waiting = rows.of(Stage.WAITING, Order.OLDEST);
    return new RelayView(
        storage.leases.views(now),
        storage.leases.partitions(now).stream().map(each -> counted(each, waiting)).toList(),
        now);
  }

  RelayView members() {
    Instant now = storage.now();
    return new RelayView(
        storage.leases.views(now).stream().map(DeskCounts::withoutTransports).toList(),
        storage.leases.partitions(now),
        now);
  }

  private static NodeView withoutTransports(NodeView node) {
    return new NodeView(
        node.node(),
        node.incarnation(),
        node.takingPart(),
        node.leaseLeft(),
        node.partitions(),
        List.of());
  }

  private static PartitionView counted(PartitionView partition, List<MessageRow> waiting) {
    List<MessageRow> its =
        waiting.stream()
            .filter(row -> row.position().partition() == partition.partition())
            .toList();
    return new PartitionView(
        partition.partition(),
        BoundedCount.upTo(PartitionView.COUNT_MAX, its.size()),
        oldest(its.stream()),
        partition.node(),
        partition.live(),
        partition.epoch());
  }

  List<DueBucket> calendar(Instant from, Instant to, Duration step) {
    List<DueBucket> spans = new ArrayList<>();
    for (Instant begin = from; begin.isBefore(to); begin = begin.plus(step)) {
      Instant start = begin;
      Instant end = begin.plus(step).isBefore(to) ? begin.plus(step) : to;
      spans.add(
          new DueBucket(
              begin,
              count(
                  Stage.DELAYED,
                  Overview.COUNT_MAX,
                  row -> !row.at().isBefore(start) && row.at().isBefore(end))));
    }
    return spans;
  }

  /** Refuses a calendar without spans, or with too many. */
  static void requireSpans(Instant from, Instant to, Duration step) {
    boolean none = step.isNegative() || step.isZero() || !from.isBefore(to);
    if (none || from.plus(step.multipliedBy(MessageBrowser.BUCKETS_MAX)).isBefore(to)) {
      throw new IllegalArgumentException(
          "calendar: from %s to %s in steps of %s (expected: 1..%d spans)"
              .formatted(from, to, DurationText.of(step), MessageBrowser.BUCKETS_MAX));
    }
  }
}
