package io.angarium.console;

import io.angarium.Destination;
import io.angarium.Headers;
import io.angarium.MessageId;
import io.angarium.StoreException;
import io.angarium.desk.ActBy;
import io.angarium.desk.ActResult;
import io.angarium.desk.AuditEntry;
import io.angarium.desk.AuditLog;
import io.angarium.desk.AuditQuery;
import io.angarium.desk.BoundedCount;
import io.angarium.desk.Desk;
import io.angarium.desk.DestinationPage;
import io.angarium.desk.DestinationView;
import io.angarium.desk.DueBucket;
import io.angarium.desk.FoundMessage;
import io.angarium.desk.KeyView;
import io.angarium.desk.MessageActs;
import io.angarium.desk.MessageBrowser;
import io.angarium.desk.MessageDetails;
import io.angarium.desk.MessagePage;
import io.angarium.desk.MessageQuery;
import io.angarium.desk.MessageRow;
import io.angarium.desk.NodeView;
import io.angarium.desk.Overview;
import io.angarium.desk.PartitionView;
import io.angarium.desk.PauseDesk;
import io.angarium.desk.RelayView;
import io.angarium.desk.Scanned;
import io.angarium.desk.SearchDepth;
import io.angarium.desk.Stage;
import io.angarium.intake.MessageIntake;
import io.angarium.intake.Position;
import io.angarium.testkit.operation.InMemoryOperations;
import io.angarium.testkit.pause.InMemoryPauses;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A desk with dead letters only, which counts what it is asked. Thread-safe. */
final class FakeDesk implements Desk, MessageBrowser, MessageActs, AuditLog {
  static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");
  static final String PAYLOAD = "{\"id\":9007199254740993123,\"card\":\"4111\"}";

  final List<MessageRow> dead = new CopyOnWriteArrayList<>();
  final List<AuditEntry> entries = new CopyOnWriteArrayList<>();
  final List<Correction> corrections = new CopyOnWriteArrayList<>();
  final AtomicInteger overviews = new AtomicInteger();
  final InMemoryPauses pauses = new InMemoryPauses(this, () -> NOW, List::of, this::note);
  final InMemoryOperations operations =
      new InMemoryOperations(this::alone, () -> NOW, this, (operation, id) -> true);
  volatile boolean away;
  volatile Runnable onSearch = () -> {};
  Consumer<MessageRow> onPayload = row -> {};
  final List<NodeView> nodes = new CopyOnWriteArrayList<>();
  final List<PartitionView> partitions = new CopyOnWriteArrayList<>();
  volatile Instant now = NOW;

  private synchronized <T> T alone(Supplier<T> work) {
    return work.get();
  }

  /** Adds a dead letter. */
  MessageId add(String destination, String business) {
    MessageId id = new MessageId(new UUID(0x7000L, Long.MIN_VALUE | (dead.size() + 1)));
    dead.add(
        new MessageRow(
            Stage.DEAD,
            new Position(1, dead.size() + 1),
            id,
            destination,
            "key-1",
            "order-paid",
            business,
            "4711",
            "shop",
            null,
            PAYLOAD.length(),
            1,
            NOW,
            NOW,
            null,
            "record is too large",
            false));
    return id;
  }

  @Override
  public MessageBrowser messages() {
    if (away) {
      throw new StoreException("table outbox_dead is away", new IllegalStateException());
    }
    return this;
  }

  @Override
  public MessageActs acts() {
    return this;
  }

  @Override
  public PauseDesk pauses() {
    return pauses;
  }

  @Override
  public AuditLog audit() {
    return this;
  }

  @Override
  public Overview overview(int countMax) {
    overviews.incrementAndGet();
    BoundedCount none = BoundedCount.NONE;
    BoundedCount all = new BoundedCount(dead.size(), false);
    return new Overview(
        NOW, none, null, none, null, none, none, none, none, all, all, all, NOW, none, none, null,
        false);
  }

  @Override
  public MessagePage search(MessageQuery query) {
    onSearch.run();
    List<MessageRow> rows =
        query.stage() != Stage.DEAD
            ? List.of()
            : dead.stream().filter(query.filter()).filter(query.permitted()).toList();
    List<MessageRow> given = rows.subList(0, Math.min(rows.size(), query.limit()));
    return new MessagePage(given, null, new Scanned(dead.size(), NOW, true), NOW);
  }

  @Override
  public FoundMessage find(MessageId id, SearchDepth depth) {
    Headers headers =
        Headers.of(
            Map.of(
                "Authorization",
                "Bearer secret",
                "traceparent",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"));
    List<MessageDetails> places =
        dead.stream()
            .filter(row -> row.id().equals(id))
            .map(row -> new MessageDetails(row, headers))
            .toList();
    return new FoundMessage(id, places, true, NOW);
  }

  @Override
  public Optional<byte[]> payload(MessageRow row, long from, int bytesMax) {
    onPayload.accept(row);
    return Optional.of(
        PAYLOAD.substring((int) Math.min(from, PAYLOAD.length())).getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public KeyView key(Destination destination, String key) {
    return new KeyView(destination, key, 1, "node", List.copyOf(dead), true, null, NOW);
  }

  @Override
  public DestinationPage destinations() {
    List<DestinationView> views =
        dead.stream()
            .map(MessageRow::destination)
            .distinct()
            .map(each -> new DestinationView(each, 0, 0, 0, 0, countOf(each), null, true, null))
            .toList();
    return new DestinationPage(views, true, NOW);
  }

  private long countOf(String destination) {
    return dead.stream().filter(row -> row.destination().equals(destination)).count();
  }

  @Override
  public RelayView relay() {
    return new RelayView(nodes, partitions, now);
  }

  @Override
  public RelayView members() {
    return relay();
  }

  @Override
  public List<DueBucket> calendar(Instant from, Instant to, Duration step) {
    return List.of(new DueBucket(from, BoundedCount.NONE));
  }

  private ActResult take(Collection<MessageId> ids, ActBy by, String act) {
    List<MessageId> done = new ArrayList<>();
    List<MessageId> notFound = new ArrayList<>();
    for (MessageId id : ids) {
      if (dead.removeIf(row -> row.id().equals(id))) {
        done.add(id);
        note(AuditEntry.of(by, act, AuditEntry.MESSAGE, id.value().toString(), null));
      } else {
        notFound.add(id);
      }
    }
    return new ActResult(done, notFound, Map.of());
  }

  @Override
  public ActResult requeue(Collection<MessageId> ids, ActBy by) {
    return take(ids, by, "requeue");
  }

  @Override
  public ActResult discard(Collection<MessageId> ids, ActBy by) {
    return take(ids, by, "discard");
  }

  @Override
  public ActResult restore(Collection<MessageId> ids, ActBy by) {
    return new ActResult(List.of(), List.copyOf(ids), Map.of());
  }

  @Override
  public ActResult cancel(Collection<MessageId> ids, ActBy by) {
    return new ActResult(List.of(), List.copyOf(ids), Map.of());
  }

  @Override
  public ActResult sendNow(Collection<MessageId> ids, ActBy by) {
    return new ActResult(List.of(), List.copyOf(ids), Map.of());
  }

  @Override
  public ActResult bury(Collection<MessageId> ids, ActBy by) {
    return new ActResult(List.of(), List.copyOf(ids), Map.of());
  }

  @Override
  public ActResult correct(Collection<MessageId> ids, Correction change, ActBy by) {
    change.check(MessageIntake.of(null));
    corrections.add(change);
    return take(ids, by, "correct");
  }

  @Override
  public synchronized void note(AuditEntry entry) {
    entries.add(
        0,
        new AuditEntry(
            entries.size() + 1,
            NOW,
            entry.by(),
            entry.act(),
            entry.targetKind(),
            entry.target(),
            entry.details()));
  }

  @Override
  public List<AuditEntry> page(AuditQuery query) {
    return entries.stream()
        .filter(each -> query.target() == null || each.target().equals(query.target()))
        .filter(each -> query.before() == null || each.id() < query.before())
        .limit(query.limit())
        .toList();
  }
}
