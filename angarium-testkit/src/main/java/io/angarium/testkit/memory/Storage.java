package io.angarium.testkit.memory;

import io.angarium.MessageId;
import io.angarium.TimeSource;
import io.angarium.deadletter.DeadLetter;
import io.angarium.intake.NewMessage;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.store.lease.Lease;
import io.angarium.testkit.PublishedMessages;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** The tables of an {@link InMemoryDatabase}. Guarded by its own lock. */
final class Storage {
  /** Another one for each database. */
  final UUID source = new UUID(0, System.identityHashCode(this));

  final TransactionLog log = new TransactionLog();
  final TreeMap<Position, OutboxRow> outbox = new TreeMap<>();
  final TreeMap<Position, StoredMessage> delayed = new TreeMap<>();
  final ParkedList parked = new ParkedList();
  final TreeMap<Position, DeadLetter> dead = new TreeMap<>();
  final List<Sent> sent = new ArrayList<>();
  final PublishedMessages published = new PublishedMessages();
  final Map<MessageId, String> updatedBy = new HashMap<>();
  final LeaseTable leases = new LeaseTable();
  final DeskTables desk = new DeskTables();
  final BusinessKeys businessKeys;
  final boolean keepsHistory;

  final TimeSource clock;
  private Duration clockSkew = Duration.ZERO;
  private long lastSequence;

  /** Rises when another server takes over; what was begun before fails. */
  private int life;

  /** A committed row of the outbox and the transaction that wrote it. */
  record OutboxRow(StoredMessage message, long xid) {}

  /** A row of the history. */
  record Sent(StoredMessage message, Instant at) {}

  /** Everything that another server would have to know. */
  record Copy(
      long lastTransaction,
      List<OutboxRow> outbox,
      List<StoredMessage> delayed,
      List<ParkedMessage> parked,
      List<DeadLetter> dead,
      List<Sent> sent,
      LeaseTable leases,
      DeskTables desk,
      long lastSequence) {}

  Storage(TimeSource clock, boolean keepsHistory, Duration lockWaitMax) {
    this.clock = clock;
    this.keepsHistory = keepsHistory;
    this.businessKeys = new BusinessKeys(this, lockWaitMax);
  }

  Instant now() {
    return clock.instant().plus(clockSkew);
  }

  void clockSkew(Duration skew) {
    clockSkew = skew;
  }

  long lastSequence() {
    return lastSequence;
  }

  /** Goes on from another number, whatever was handed out. */
  void lastSequence(long last) {
    lastSequence = last;
  }

  /** Hands out a place; it is never handed out again, whatever becomes of the transaction. */
  StoredMessage place(NewMessage message) {
    lastSequence++;
    Position position = new Position(message.partition(), lastSequence);
    return new StoredMessage(position, message.id(), message.message(), 0, now());
  }

  /** Writes messages into the outbox anew, in a transaction that begins and commits here. */
  List<Position> enqueue(List<StoredMessage> messages) {
    List<Position> positions = new ArrayList<>();
    long xid = log.start();
    for (StoredMessage message : messages) {
      lastSequence++;
      Position position = new Position(message.position().partition(), lastSequence);
      StoredMessage row =
          new StoredMessage(position, message.id(), message.message(), 0, message.createdAt());
      outbox.put(position, new OutboxRow(row, xid));
      positions.add(position);
    }
    log.end(xid);
    return positions;
  }

  /** Makes the rows of a transaction visible. */
  void commit(long xid, List<StoredMessage> rows) {
    for (StoredMessage row : rows) {
      if (row.message().notBefore() == null) {
        outbox.put(row.position(), new OutboxRow(row, xid));
      } else {
        delayed.put(row.position(), row);
      }
    }
    published.record(rows.stream().map(StoredMessage::message).toList());
    log.end(xid);
  }

  int life() {
    return life;
  }

  Copy copy() {
    return new Copy(
        log.xmax() - 1,
        List.copyOf(outbox.values()),
        List.copyOf(delayed.values()),
        List.copyOf(parked.rows()),
        List.copyOf(dead.values()),
        List.copyOf(sent),
        leases.copy(),
        desk.copy(),
        lastSequence);
  }

  /** Goes on from a copy; transactions that are open now can no longer commit. */
  void takeOver(Copy copy) {
    life++;
    log.startOver(copy.lastTransaction());
    outbox.clear();
    copy.outbox().forEach(row -> outbox.put(row.message().position(), row));
    delayed.clear();
    copy.delayed().forEach(row -> delayed.put(row.position(), row));
    parked.replaceAll(copy.parked());
    dead.clear();
    copy.dead().forEach(letter -> dead.put(letter.message().position(), letter));
    sent.clear();
    sent.addAll(copy.sent());
    leases.replaceAll(copy.leases());
    desk.replaceAll(copy.desk());
    lastSequence = copy.lastSequence();
  }

  /** Makes the lowest parked message of a key its only head, unless a dead letter blocks it. */
  void promoteUnlessBlocked(int partition, long keyHash) {
    if (!isBlockedByDead(partition, keyHash)) {
      parked.promoteLowest(partition, keyHash, now());
    }
  }

  /** True if a dead letter blocks the key. */
  boolean isBlockedByDead(int partition, long keyHash) {
    return dead.values().stream()
        .filter(DeadLetter::blocksKey)
        .map(DeadLetter::message)
        .anyMatch(m -> m.position().partition() == partition && m.keyHash() == keyHash);
  }

  void recordSent(StoredMessage message) {
    if (keepsHistory) {
      sent.add(new Sent(message, now()));
    }
    desk.recordSent(message, now());
  }

  void checkLease(Lease lease) {
    leases.check(lease);
  }
}
