package io.angarium.testkit.memory;

import io.angarium.Destination;
import io.angarium.StoreException;
import io.angarium.deadletter.DeadLetter;
import io.angarium.deadletter.DeadLetters;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.store.Backlog;
import io.angarium.store.DeadEntry;
import io.angarium.store.LateRows;
import io.angarium.store.OutboxStore;
import io.angarium.store.ParkedEntry;
import io.angarium.store.ParkedOutcome;
import io.angarium.store.ReadLimit;
import io.angarium.store.ReadRows;
import io.angarium.store.SentMessage;
import io.angarium.store.SequenceMark;
import io.angarium.store.SequenceRange;
import io.angarium.store.Snapshot;
import io.angarium.store.WorkHint;
import io.angarium.store.lease.Lease;
import io.angarium.testkit.memory.Storage.OutboxRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The outbox of an {@link InMemoryDatabase}, as a relay sees it. Thread-safe. */
public final class InMemoryOutboxStore implements OutboxStore {
  private final Storage storage;
  private final StoreFaults faults;
  private volatile boolean closed;
  private volatile int era;
  private volatile int adopted;

  InMemoryOutboxStore(Storage storage, StoreFaults faults) {
    this.storage = storage;
    this.faults = faults;
    synchronized (storage) {
      this.era = storage.life();
      this.adopted = era;
    }
  }

  @Override
  public UUID source() {
    return storage.source;
  }

  @Override
  public ReadRows read(List<SequenceRange> spans, ReadLimit limit) {
    return call(
        StoreCall.READ,
        () -> {
          List<StoredMessage> read = new ArrayList<>();
          Set<Integer> more = new HashSet<>();
          ByteBudget budget = new ByteBudget(limit.bytes());
          for (SequenceRange span : spans) {
            List<StoredMessage> found =
                rows(span).limit(limit.rows()).map(OutboxRow::message).toList();
            List<StoredMessage> kept = budget.firstOf(found);
            read.addAll(kept);
            if (kept.size() < found.size() || found.size() == limit.rows()) {
              more.add(span.partition());
            }
          }
          return new ReadRows(List.copyOf(read), more);
        });
  }

  @Override
  public ReadRows readAt(Collection<Position> positions, ReadLimit limit) {
    return call(
        StoreCall.READ,
        () -> {
          List<StoredMessage> found =
              positions.stream()
                  .sorted()
                  .map(at -> new SequenceRange(at.partition(), at.sequence() - 1, at.sequence()))
                  .flatMap(this::rows)
                  .map(OutboxRow::message)
                  .toList();
          List<StoredMessage> first = found.subList(0, Math.min(found.size(), limit.rows()));
          List<StoredMessage> kept = new ByteBudget(limit.bytes()).firstOf(first);
          Set<Integer> partitions =
              positions.stream().map(Position::partition).collect(Collectors.toSet());
          return new ReadRows(
              List.copyOf(kept), kept.size() < found.size() ? partitions : Set.of());
        });
  }

  @Override
  public LateRows readLate(
      List<SequenceRange> spans,
      @Nullable Snapshot since,
      ReadLimit limit,
      Predicate<Position> known) {
    return call(
        StoreCall.READ_LATE,
        () -> {
          List<StoredMessage> late = new ArrayList<>();
          List<SequenceRange> rest = new ArrayList<>();
          ByteBudget budget = new ByteBudget(limit.bytes());
          for (SequenceRange span : spans) {
            List<StoredMessage> found = late(span, since, known);
            int room = Math.min(found.size(), limit.rows() - late.size());
            List<StoredMessage> kept = budget.firstOf(found.subList(0, room));
            late.addAll(kept);
            if (kept.size() < found.size()) {
              long last = found.get(kept.size()).position().sequence() - 1;
              rest.add(new SequenceRange(span.partition(), last, span.upTo()));
            }
          }
          return new LateRows(List.copyOf(late), storage.log.snapshot(), rest);
        });
  }

  private List<StoredMessage> late(
      SequenceRange span, @Nullable Snapshot since, Predicate<Position> known) {
    return rows(span)
        .filter(row -> since == null || !TransactionLog.sees(since, row.xid()))
        .map(OutboxRow::message)
        .filter(row -> !known.test(row.position()))
        .toList();
  }

  @Override
  public long lastSequence() {
    return call(StoreCall.LAST_SEQUENCE, storage::lastSequence);
  }

  @Override
  public WorkHint glance(Collection<Integer> partitions, Duration ahead) {
    return call(
        StoreCall.GLANCE,
        () -> {
          boolean parked =
              storage.parked.due(storage.now()).stream()
                  .anyMatch(row -> partitions.contains(row.position().partition()));
          Optional<Duration> first =
              storage.delayed.values().stream()
                  .filter(row -> partitions.contains(row.position().partition()))
                  .map(row -> untilDue(row, storage.now()))
                  .min(Duration::compareTo);
          boolean delayed = first.filter(until -> until.toNanos() <= 0).isPresent();
          Duration untilDue =
              first.filter(until -> !delayed && until.compareTo(ahead) <= 0).orElse(null);
          return new WorkHint(storage.lastSequence(), parked || delayed, untilDue);
        });
  }

  @Override
  public SequenceMark mark() {
    return call(
        StoreCall.MARK,
        () -> {
          // A new number: every transaction that was given a sequence so far has a lower one.
          long barrier = storage.log.start();
          storage.log.end(barrier);
          return new SequenceMark(storage.lastSequence(), Long.toString(barrier));
        });
  }

  @Override
  public boolean settled(SequenceMark mark) {
    return call(StoreCall.SETTLED, () -> storage.log.xmin() > Long.parseLong(mark.barrier()));
  }

  @Override
  public void delete(Collection<Position> positions) {
    run(
        StoreCall.DELETE,
        () -> {
          for (Position position : positions) {
            OutboxRow row = storage.outbox.remove(position);
            if (row != null) {
              storage.recordSent(row.message());
            }
          }
        });
  }

  @Override
  public Set<Position> deleteExact(Collection<SentMessage> messages) {
    return call(
        StoreCall.DELETE,
        () -> {
          Set<Position> others = new HashSet<>();
          for (SentMessage sent : messages) {
            OutboxRow row = storage.outbox.get(sent.position());
            if (row != null && row.message().id().equals(sent.id())) {
              storage.outbox.remove(sent.position());
              storage.recordSent(row.message());
            } else if (row != null) {
              others.add(sent.position());
            }
          }
          return others;
        });
  }

  @Override
  public void park(Collection<Lease> leases, List<ParkedEntry> parkings) {
    run(
        StoreCall.PARK,
        () -> {
          leases.forEach(storage::checkLease);
          parkings.forEach(parking -> requirePartition(leases, parking.position()));
          for (ParkedEntry parking : parkings) {
            OutboxRow row = storage.outbox.remove(parking.position());
            if (row != null) {
              storage.parked.add(row.message(), parking, storage.now());
            }
          }
          parkings.stream().filter(parking -> !parking.head()).forEach(this::requireHead);
        });
  }

  private void requireHead(ParkedEntry follower) {
    int partition = follower.position().partition();
    long keyHash = follower.keyHash();
    if (storage.parked.ofKey(partition, keyHash).noneMatch(ParkedMessage::head)) {
      storage.promoteUnlessBlocked(partition, keyHash);
    }
  }

  @Override
  public Set<Integer> held(Collection<Lease> leases) {
    return call(
        StoreCall.HELD,
        () ->
            leases.stream()
                .filter(storage.leases::isHeld)
                .map(Lease::partition)
                .collect(Collectors.toSet()));
  }

  @Override
  public Map<Integer, Set<Long>> blockedKeys(Collection<Integer> partitions) {
    return call(
        StoreCall.BLOCKED_KEYS,
        () -> {
          Stream<StoredMessage> parked = storage.parked.rows().stream().map(ParkedMessage::message);
          Stream<StoredMessage> dead =
              storage.dead.values().stream().filter(DeadLetter::blocksKey).map(DeadLetter::message);
          Map<Integer, Set<Long>> blocked = new HashMap<>();
          Stream.concat(parked, dead)
              .filter(row -> row.isKeyed() && partitions.contains(row.position().partition()))
              .forEach(
                  row ->
                      blocked
                          .computeIfAbsent(row.position().partition(), p -> new HashSet<>())
                          .add(row.keyHash()));
          return blocked;
        });
  }

  @Override
  public ReadRows dueHeads(
      Collection<Integer> partitions, Collection<Destination> except, ReadLimit limit) {
    return call(
        StoreCall.DUE_HEADS,
        () -> {
          List<StoredMessage> due =
              storage.parked.due(storage.now()).stream()
                  .filter(row -> partitions.contains(row.position().partition()))
                  .filter(row -> !except.contains(row.message().destination()))
                  .limit(limit.rows())
                  .toList();
          List<StoredMessage> heads = new ByteBudget(limit.bytes()).firstOf(due);
          boolean cut = due.size() == limit.rows() || heads.size() < due.size();
          return new ReadRows(heads, cut ? Set.copyOf(partitions) : Set.of());
        });
  }

  @Override
  public List<StoredMessage> parkedOfKey(int partition, long keyHash, ReadLimit limit) {
    return call(
        StoreCall.PARKED_OF_KEY,
        () ->
            new ByteBudget(limit.bytes())
                .firstOf(
                    storage
                        .parked
                        .ofKey(partition, keyHash)
                        .limit(limit.rows())
                        .map(ParkedMessage::message)
                        .toList()));
  }

  @Override
  public Set<Long> settleParked(List<ParkedOutcome> settlements) {
    return call(
        StoreCall.SETTLE_PARKED,
        () -> {
          settlements.forEach(settlement -> storage.checkLease(settlement.lease()));
          Set<Long> stillBlocked = new HashSet<>();
          for (ParkedOutcome settlement : settlements) {
            if (settle(settlement)) {
              stillBlocked.add(settlement.keyHash());
            }
          }
          return stillBlocked;
        });
  }

  private boolean settle(ParkedOutcome settlement) {
    settlement.acknowledged().forEach(this::takeOff);
    boolean hasFailed = false;
    for (ParkedEntry parking : settlement.failed()) {
      hasFailed |= storage.parked.fail(parking, storage.now());
    }
    if (!settlement.keyed()) {
      return false;
    }
    int partition = settlement.lease().partition();
    long keyHash = settlement.keyHash();
    if (storage.isBlockedByDead(partition, keyHash)) {
      storage.parked.demoteHeads(partition, keyHash);
      return true;
    }
    if (!hasFailed) {
      storage.parked.promoteLowest(partition, keyHash, storage.now());
    }
    return storage.parked.ofKey(partition, keyHash).findAny().isPresent();
  }

  @Override
  public void bury(Lease lease, List<DeadEntry> burials) {
    run(
        StoreCall.BURY,
        () -> {
          storage.checkLease(lease);
          burials.forEach(burial -> requirePartition(List.of(lease), burial.position()));
          burials.forEach(this::bury);
        });
  }

  @Override
  public List<Position> enqueueDue(Collection<Lease> leases, int limit) {
    return call(
        StoreCall.ENQUEUE_DUE,
        () -> {
          leases.forEach(storage::checkLease);
          List<StoredMessage> due =
              storage.delayed.values().stream()
                  .filter(row -> isDue(row, storage.now()) && isOf(row, leases))
                  .sorted(InMemoryOutboxStore::byTimeThenPosition)
                  .limit(limit)
                  .toList();
          due.forEach(row -> storage.delayed.remove(row.position()));
          return due.isEmpty() ? List.of() : storage.enqueue(due);
        });
  }

  @Override
  public Backlog backlog() {
    return call(
        StoreCall.BACKLOG,
        () -> {
          Instant now = storage.now();
          Duration oldest =
              storage.outbox.values().stream()
                  .map(row -> Duration.between(row.message().createdAt(), now))
                  .max(Duration::compareTo)
                  .orElse(Duration.ZERO);
          long waiting = storage.parked.rows().size() + (long) storage.delayed.size();
          return new Backlog(
              storage.outbox.size(),
              Math.min(waiting, Backlog.EXACT_MAX),
              Math.min(storage.dead.size(), Backlog.EXACT_MAX),
              oldest.isNegative() ? Duration.ZERO : oldest,
              overdue(now),
              Math.min(storage.delayed.size(), Backlog.EXACT_MAX),
              Math.min(storage.parked.heads(), Backlog.EXACT_MAX));
        });
  }

  private long overdue(Instant now) {
    Instant late = now.minus(Backlog.OVERDUE_AFTER);
    return storage.delayed.values().stream()
        .map(row -> row.message().notBefore())
        .filter(due -> due != null && due.isBefore(late))
        .limit(Backlog.EXACT_MAX)
        .count();
  }

  @Override
  public DeadLetters deadLetters() {
    return new InMemoryDeadLetters(storage, this::call);
  }

  @Override
  public void close() {
    closed = true;
  }

  private Stream<OutboxRow> rows(SequenceRange span) {
    Position from = new Position(span.partition(), span.after());
    Position to = new Position(span.partition(), span.upTo());
    return span.after() >= span.upTo()
        ? Stream.of()
        : storage.outbox.subMap(from, false, to, true).values().stream();
  }

  private void takeOff(Position position) {
    StoredMessage row = storage.parked.remove(position);
    if (row != null) {
      storage.recordSent(row);
    }
  }

  private void bury(DeadEntry burial) {
    OutboxRow fresh = storage.outbox.remove(burial.position());
    StoredMessage row = fresh == null ? storage.parked.remove(burial.position()) : fresh.message();
    if (row == null) {
      return;
    }
    StoredMessage counted = ParkedMessage.withAttempts(row, burial.attempts());
    storage.dead.put(
        burial.position(),
        new DeadLetter(counted, burial.reason(), storage.now(), burial.blocksKey()));
    if (burial.keyed() && !burial.blocksKey()) {
      storage.parked.promoteLowest(burial.position().partition(), burial.keyHash(), storage.now());
    }
  }

  private static Duration untilDue(StoredMessage row, Instant now) {
    Instant notBefore = row.message().notBefore();
    return notBefore == null ? Duration.ZERO : Duration.between(now, notBefore);
  }

  private static boolean isDue(StoredMessage row, Instant now) {
    Instant notBefore = row.message().notBefore();
    return notBefore == null || !notBefore.isAfter(now);
  }

  private static boolean isOf(StoredMessage row, Collection<Lease> leases) {
    return leases.stream().anyMatch(lease -> lease.partition() == row.position().partition());
  }

  private static int byTimeThenPosition(StoredMessage left, StoredMessage right) {
    Instant first = left.message().notBefore();
    Instant second = right.message().notBefore();
    int byTime = first == null || second == null ? 0 : first.compareTo(second);
    return byTime != 0 ? byTime : left.position().compareTo(right.position());
  }

  private static void requirePartition(Collection<Lease> leases, Position position) {
    if (leases.stream().noneMatch(lease -> lease.partition() == position.partition())) {
      throw new IllegalArgumentException(
          position + " (expected: a position of a partition of " + leases + ")");
    }
  }

  private void run(StoreCall call, Runnable work) {
    call(
        call,
        () -> {
          work.run();
          return true;
        });
  }

  private <T> T call(StoreCall call, Supplier<T> work) {
    if (closed) {
      throw new StoreException("The store is closed; open another one", null);
    }
    return faults.strike(
        call,
        () -> {
          synchronized (storage) {
            if (storage.life() != adopted) {
              era = storage.life();
              throw new StoreException("Another server has taken over; adopt its era", null);
            }
            return work.get();
          }
        });
  }

  @Override
  public int era() {
    return era;
  }

  @Override
  public void adopt(int era) {
    adopted = era;
  }
}
