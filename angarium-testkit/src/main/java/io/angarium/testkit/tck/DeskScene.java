package io.angarium.testkit.tck;

import io.angarium.Destination;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.deadletter.DeadLetters;
import io.angarium.desk.ActBy;
import io.angarium.desk.AuditEntry;
import io.angarium.desk.AuditQuery;
import io.angarium.desk.Desk;
import io.angarium.desk.MessageFilter;
import io.angarium.desk.MessagePage;
import io.angarium.desk.MessageQuery;
import io.angarium.desk.MessageRow;
import io.angarium.desk.Stage;
import io.angarium.intake.NewMessage;
import io.angarium.intake.Partitioning;
import io.angarium.intake.StoredMessage;
import io.angarium.store.DeadEntry;
import io.angarium.store.ParkedEntry;
import io.angarium.store.ParkedOutcome;
import io.angarium.store.lease.Lease;
import io.angarium.store.lease.NodeId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** Brings messages into every stage and searches them. Not thread-safe: one thread at a time. */
final class DeskScene {
  static final Destination OTHER = Destination.parse("fake:other");
  static final String NODE = "node-a";
  static final ActBy ANN = ActBy.of("ann", "limit raised", ActBy.Via.API);

  /** Every stage into which {@link #put} brings messages: all but that of discarded ones. */
  static final List<Stage> STAGES =
      List.of(
          Stage.WAITING,
          Stage.DELAYED,
          Stage.RETRYING,
          Stage.HELD,
          Stage.DEAD,
          Stage.SENT,
          Stage.UNCONFIRMED);

  private static final Duration TICK = Duration.ofNanos(1_000); // the finest time of a database
  private static final int PAGES_MAX = 200;

  final DeskFixture fixture;
  final StoreScene store;
  final Desk desk;
  private final Map<Integer, Lease> leases = new HashMap<>();
  private final Map<MessageId, StoredMessage> rows = new HashMap<>();
  private final Set<Long> heads = new HashSet<>();
  private int delays;
  private int keys;
  private long lastId;

  DeskScene(DeskFixture fixture) {
    this.fixture = fixture;
    this.store = new StoreScene(fixture);
    this.desk = fixture.desk();
    fixture.leases().prepare(StoreScene.PARTITIONS);
  }

  /**
   * A message that fits into a stage: it has a key of its own and the destination that it needs.
   */
  Message message(Stage stage) {
    keys++;
    Destination destination =
        stage == Stage.UNCONFIRMED ? DeskFixture.CONFIRMED : StoreScene.ORDERS;
    String text = "payload " + keys;
    return Message.of(destination, text.getBytes(StandardCharsets.UTF_8)).key("own-key-" + keys);
  }

  /** Brings a new message into a stage. */
  MessageId put(Stage stage) {
    return put(stage, message(stage));
  }

  /** Brings new messages into a stage, one after the other. */
  List<MessageId> put(Stage stage, int count) {
    return put(stage, IntStream.range(0, count).mapToObj(i -> message(stage)).toList());
  }

  /** Brings a message into a stage. One that is to be held needs a key. */
  MessageId put(Stage stage, Message message) {
    return put(stage, List.of(message)).get(0);
  }

  /**
   * Brings messages into a stage, each with a later time than the one before if the stage has a
   * time of its own. One that is to be held needs a key.
   */
  List<MessageId> put(Stage stage, List<Message> messages) {
    Instant now = fixture.now();
    List<NewMessage> fresh = new ArrayList<>();
    List<MessageId> ids = new ArrayList<>();
    for (Message message : messages) {
      if (stage == Stage.HELD && heads.add(keyHash(message))) {
        fresh.add(fresh(Message.of(message.destination(), "head").key(message.key()), now));
      }
      NewMessage meant = fresh(stage == Stage.DELAYED ? delayed(message, now) : message, now);
      fresh.add(meant);
      ids.add(meant.id());
    }
    List<StoredMessage> committed = store.commit(fresh);
    committed.forEach(row -> rows.put(row.id(), row));
    switch (stage) {
      case WAITING, DELAYED -> fixture.letPass(TICK);
      case RETRYING -> park(committed, "failed once", row -> true);
      case HELD -> park(committed, "holds others up", row -> !ids.contains(row.id()));
      case DEAD -> each(committed, row -> bury(row, 1, "no hope", false));
      case SENT, UNCONFIRMED ->
          each(committed, row -> store.outbox.delete(List.of(row.position())));
      default -> throw new IllegalArgumentException(stage + " (expected: one of " + STAGES + ")");
    }
    return ids;
  }

  private void each(List<StoredMessage> committed, Consumer<StoredMessage> work) {
    for (StoredMessage row : committed) {
      work.accept(row);
      fixture.letPass(TICK);
    }
  }

  private void park(List<StoredMessage> committed, String error, Predicate<StoredMessage> head) {
    List<ParkedEntry> parkings = new ArrayList<>();
    for (StoredMessage row : committed) {
      parkings.add(
          head.test(row)
              ? ParkedEntry.head(row, 1, StoreScene.LONG, error)
              : ParkedEntry.follower(row));
      heads.add(row.keyHash());
    }
    store.outbox.park(committed.stream().map(this::lease).distinct().toList(), parkings);
    fixture.letPass(TICK);
  }

  private static long keyHash(Message message) {
    String key = Objects.requireNonNull(message.key(), "a held message has a key");
    return Partitioning.keyHash(message.destination(), key);
  }

  /** A message whose id says that it is written now. */
  NewMessage fresh(Message message) {
    return fresh(message, fixture.now());
  }

  private NewMessage fresh(Message message, Instant now) {
    lastId++;
    long time = now.toEpochMilli() << 16 | 0x7000;
    MessageId id = new MessageId(new UUID(time, Long.MIN_VALUE | lastId));
    return new NewMessage(id, store.of(message).partition(), message);
  }

  private Message delayed(Message message, Instant now) {
    delays++;
    Instant due = now.plus(StoreScene.LONG).plus(Duration.ofMinutes(delays));
    return message.notBefore() == null ? message.notBefore(due) : message;
  }

  void bury(StoredMessage row, int attempts, String reason, boolean blocksKey) {
    store.outbox.bury(lease(row), List.of(DeadEntry.of(row, attempts, reason, blocksKey)));
  }

  /** Gives up messages of one partition; none blocks its key. */
  void buryAll(List<StoredMessage> committed) {
    store.outbox.bury(
        lease(committed.get(0)),
        committed.stream().map(row -> DeadEntry.of(row, 1, "no hope", false)).toList());
  }

  /** Messages of a key; the first one is dead and blocks the others. */
  List<StoredMessage> blockedKey(String key, int count) {
    List<StoredMessage> committed =
        store.commit(IntStream.range(0, count).mapToObj(i -> store.keyed(key)).toList());
    store.park(lease(committed.get(0)), committed, StoreScene.LONG);
    bury(committed.get(0), 2, "no hope", true);
    return committed;
  }

  /** Moves what is due into the outbox; the ids of what came there. */
  List<MessageId> enqueueDue() {
    List<Lease> all = partitions().stream().map(this::lease).toList();
    Set<MessageId> before = Set.copyOf(StoreScene.ids(store.unsent()));
    store.outbox.enqueueDue(all, 10_000);
    return StoreScene.ids(store.unsent()).stream().filter(id -> !before.contains(id)).toList();
  }

  /** The number of the newest entry of the audit; 0 if there is none. */
  long newestEntry() {
    return desk.audit().page(AuditQuery.newest(1)).stream()
        .mapToLong(AuditEntry::id)
        .findFirst()
        .orElse(0);
  }

  /** The dead letters by sequence, as the store has them. */
  static List<MessageId> deadIds(DeskScene scene) {
    return scene.store.outbox.deadLetters().page(null, null, DeadLetters.PAGE_MAX).stream()
        .map(dead -> dead.message().id())
        .toList();
  }

  /** Takes a message out of a stage as a relay or a person does. */
  void remove(Stage stage, MessageId id) {
    StoredMessage row = row(id);
    switch (stage) {
      case WAITING -> store.outbox.delete(List.of(row.position()));
      case RETRYING ->
          store.outbox.settleParked(
              List.of(
                  new ParkedOutcome(
                      lease(row), row.keyHash(), List.of(row.position()), List.of())));
      case DEAD -> store.outbox.deadLetters().discard(List.of(id), "ann");
      default -> throw new IllegalArgumentException(stage + " (expected: one that is left early)");
    }
  }

  /** The message as it was committed. */
  StoredMessage row(MessageId id) {
    StoredMessage row = rows.get(id);
    if (row == null) {
      throw new IllegalArgumentException(id + " (expected: one that was put)");
    }
    return row;
  }

  Lease lease(StoredMessage row) {
    return lease(row.position().partition());
  }

  Lease lease(int partition) {
    if (leases.isEmpty()) {
      NodeId node = StoreScene.node(NODE);
      fixture.leases().heartbeat(node, true, StoreScene.LONG);
      fixture
          .leases()
          .acquire(node, partitions(), Duration.ZERO)
          .forEach(lease -> leases.put(lease.partition(), lease));
    }
    return Objects.requireNonNull(leases.get(partition), "a lease of partition " + partition);
  }

  /** The newest messages of a stage. */
  MessagePage search(Stage stage, MessageFilter filter) {
    return desk.messages().search(MessageQuery.newest(stage, filter, MessageQuery.LIMIT_MAX));
  }

  /** A message of a stage as a search shows it. */
  MessageRow listed(Stage stage, MessageId id) {
    List<MessageRow> found = search(stage, new GivenFilter().ids(id).filter()).rows();
    if (found.size() != 1) {
      throw new AssertionError(id + " is not in " + stage + ", where there are " + ids(stage));
    }
    return found.get(0);
  }

  /** The only message of a stage. */
  MessageRow only(Stage stage) {
    List<MessageRow> found = search(stage, MessageFilter.ALL).rows();
    if (found.size() != 1) {
      throw new AssertionError(stage + " has " + found + " (expected: one message)");
    }
    return found.get(0);
  }

  /** The ids of the messages of a stage, oldest first. */
  List<MessageId> ids(Stage stage) {
    return ids(stage, MessageFilter.ALL);
  }

  List<MessageId> ids(Stage stage, MessageFilter filter) {
    MessageQuery query = MessageQuery.newest(stage, filter, MessageQuery.LIMIT_MAX);
    return idsOf(all(query.order(MessageQuery.Order.OLDEST)));
  }

  /** Goes through all pages of a search. */
  List<MessageRow> all(MessageQuery query) {
    List<MessageRow> found = new ArrayList<>();
    MessageQuery next = query;
    for (int pages = 0; pages < PAGES_MAX; pages++) {
      MessagePage page = desk.messages().search(next);
      found.addAll(page.rows());
      String cursor = page.next();
      if (cursor == null) {
        return found;
      }
      next = query.cursor(cursor);
    }
    throw new AssertionError("More than " + PAGES_MAX + " pages: " + found);
  }

  static List<MessageId> idsOf(List<MessageRow> rows) {
    return rows.stream().map(MessageRow::id).toList();
  }

  static List<MessageId> idsOf(MessagePage page) {
    return idsOf(page.rows());
  }

  /** All partitions by number. */
  static List<Integer> partitions() {
    return Arrays.stream(StoreScene.PARTITIONS.all()).sorted().boxed().toList();
  }

  static int partitionOf(Destination destination, String key) {
    return StoreScene.PARTITIONS.ofKeyHash(Partitioning.keyHash(destination, key));
  }
}
