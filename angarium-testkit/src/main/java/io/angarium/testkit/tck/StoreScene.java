package io.angarium.testkit.tck;

import io.angarium.Destination;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.TimeSource;
import io.angarium.intake.NewMessage;
import io.angarium.intake.Partitioning;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.internal.DurationText;
import io.angarium.store.DeadEntry;
import io.angarium.store.OutboxStore;
import io.angarium.store.ParkedEntry;
import io.angarium.store.ParkedOutcome;
import io.angarium.store.ReadLimit;
import io.angarium.store.SequenceRange;
import io.angarium.store.lease.Lease;
import io.angarium.store.lease.NodeId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** What the tests of a store say again and again. Not thread-safe: one thread at a time. */
final class StoreScene {
  static final Partitioning PARTITIONS = new Partitioning(4, 2);
  static final Destination ORDERS = Destination.parse("fake:orders");
  static final Duration LONG = Duration.ofHours(1);
  static final Duration SHORT = Duration.ofMillis(300);

  /** The partition of {@link #A}, {@link #B} and {@link #C}. */
  static final int PARTITION = 1;

  static final int OTHER_PARTITION = 2;
  static final int KEYLESS_PARTITION = -1;

  static final String A = key(PARTITION, 0);
  static final String B = key(PARTITION, 1);
  static final String C = key(PARTITION, 2);
  static final String ELSEWHERE = key(OTHER_PARTITION, 0);

  private static final Duration WAIT_MAX = Duration.ofSeconds(30);

  final StoreFixture fixture;
  final OutboxStore outbox;
  private long lastId;

  StoreScene(StoreFixture fixture) {
    this.fixture = fixture;
    this.outbox = fixture.outbox();
  }

  /** The n-th key, from 0, that falls into a partition. */
  static String key(int partition, int n) {
    int found = -1;
    for (int i = 0; ; i++) {
      String key = "key-" + i;
      if (PARTITIONS.ofKeyHash(Partitioning.keyHash(ORDERS, key)) == partition && ++found == n) {
        return key;
      }
    }
  }

  static long hash(String key) {
    return Partitioning.keyHash(ORDERS, key);
  }

  NewMessage keyed(String key) {
    return of(message("payload of " + key).key(key));
  }

  NewMessage keyless() {
    return of(message("keyless"));
  }

  static Message message(String payload) {
    return Message.of(ORDERS, payload.getBytes(StandardCharsets.UTF_8));
  }

  NewMessage of(Message message) {
    String key = message.key();
    int partition =
        key == null
            ? KEYLESS_PARTITION
            : PARTITIONS.ofKeyHash(Partitioning.keyHash(message.destination(), key));
    lastId++;
    MessageId id = new MessageId(new UUID(0x0190_0000_0000_7000L, Long.MIN_VALUE | lastId));
    return new NewMessage(id, partition, message);
  }

  /** Begins a transaction, inserts, and leaves it open. */
  StoreFixture.OpenTransaction open(NewMessage... messages) {
    StoreFixture.OpenTransaction transaction = fixture.begin();
    transaction.insert(List.of(messages));
    return transaction;
  }

  /** Inserts in one transaction and commits; the rows as read, those in the outbox only. */
  List<StoredMessage> commit(NewMessage... messages) {
    return commit(List.of(messages));
  }

  /** Inserts in one transaction and commits; the rows as read, those in the outbox only. */
  List<StoredMessage> commit(List<NewMessage> messages) {
    try (StoreFixture.OpenTransaction transaction = fixture.begin()) {
      transaction.insert(messages);
      transaction.commit();
    }
    Set<MessageId> ids = Set.copyOf(messages.stream().map(NewMessage::id).toList());
    return unsent().stream().filter(row -> ids.contains(row.id())).toList();
  }

  /** All rows of the outbox by sequence. */
  List<StoredMessage> unsent() {
    List<SequenceRange> spans = new ArrayList<>();
    Arrays.stream(PARTITIONS.all())
        .forEach(partition -> spans.add(SequenceRange.after(partition, 0)));
    return outbox.read(spans, ReadLimit.rows(20_000)).rows().stream()
        .sorted((one, other) -> Long.compare(sequence(one), sequence(other)))
        .toList();
  }

  /** A fresh lease of a node named after the argument, whose heartbeat lasts long. */
  Lease lease(int partition, String node) {
    NodeId id = node(node);
    fixture.leases().prepare(PARTITIONS);
    fixture.leases().heartbeat(id, true, LONG);
    return fixture.leases().acquire(id, List.of(partition), Duration.ZERO).get(0);
  }

  /** A lease of {@link #PARTITION}. */
  Lease lease() {
    return lease(PARTITION, "node-a");
  }

  /** A lease that another node took over. */
  Lease lostLease() {
    Lease lost = lease();
    fixture.leases().release(List.of(lost));
    lease(PARTITION, "node-b");
    return lost;
  }

  static NodeId node(String name) {
    return new NodeId(name, UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)));
  }

  /** Parks the first as head that is due at once and the others behind it. */
  void park(Lease lease, List<StoredMessage> rows) {
    park(lease, rows, Duration.ZERO);
  }

  void park(Lease lease, List<StoredMessage> rows, Duration pause) {
    List<ParkedEntry> parkings = new ArrayList<>();
    parkings.add(ParkedEntry.head(rows.get(0), 1, pause, "failed once"));
    rows.stream().skip(1).forEach(row -> parkings.add(ParkedEntry.follower(row)));
    outbox.park(List.of(lease), parkings);
  }

  /** Settles one key; tells whether more of it is parked. */
  boolean settle(Lease lease, String key, List<Position> acknowledged, List<ParkedEntry> failed) {
    return !outbox
        .settleParked(List.of(new ParkedOutcome(lease, hash(key), acknowledged, failed)))
        .isEmpty();
  }

  /** Buries with one attempt. */
  void bury(Lease lease, StoredMessage row, boolean blocksKey) {
    outbox.bury(lease, List.of(DeadEntry.of(row, 1, "no hope", blocksKey)));
  }

  List<MessageId> parkedOf(String key) {
    return ids(outbox.parkedOfKey(PARTITION, hash(key), ReadLimit.rows(1_000)));
  }

  /** Heads of {@link #PARTITION} that are due. */
  List<StoredMessage> due() {
    return outbox.dueHeads(List.of(PARTITION), List.of(), ReadLimit.rows(1_000)).rows();
  }

  Set<Long> blocked(int partition) {
    return outbox.blockedKeys(List.of(partition)).getOrDefault(partition, Set.of());
  }

  static List<MessageId> ids(Collection<StoredMessage> rows) {
    return rows.stream().map(StoredMessage::id).toList();
  }

  static List<Position> positions(Collection<StoredMessage> rows) {
    return rows.stream().map(StoredMessage::position).toList();
  }

  static long sequence(StoredMessage row) {
    return row.position().sequence();
  }

  /** Waits for something that may take the database a while. */
  static void await(String what, BooleanSupplier condition) {
    long deadline = TimeSource.SYSTEM.nanoTime() + WAIT_MAX.toNanos();
    while (!condition.getAsBoolean()) {
      if (TimeSource.SYSTEM.nanoTime() - deadline > 0) {
        throw new AssertionError("Not within " + DurationText.of(WAIT_MAX) + ": " + what);
      }
      LockSupport.parkNanos(1_000_000);
    }
  }
}
