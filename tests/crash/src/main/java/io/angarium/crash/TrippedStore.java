package io.angarium.crash;

import io.angarium.Destination;
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
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A store with tripwires before and after its writes. Thread-safe. */
record TrippedStore(OutboxStore store, Tripwire wire) implements OutboxStore {
  @Override
  public @Nullable UUID source() {
    return store.source();
  }

  @Override
  public ReadRows read(List<SequenceRange> spans, ReadLimit limit) {
    ReadRows read = store.read(spans, limit);
    if (!read.rows().isEmpty()) {
      wire.pass(CrashPoint.AFTER_READ);
    }
    return read;
  }

  @Override
  public ReadRows readAt(Collection<Position> positions, ReadLimit limit) {
    return store.readAt(positions, limit);
  }

  @Override
  public LateRows readLate(
      List<SequenceRange> spans,
      @Nullable Snapshot since,
      ReadLimit limit,
      Predicate<Position> known) {
    return store.readLate(spans, since, limit, known);
  }

  @Override
  public long lastSequence() {
    return store.lastSequence();
  }

  @Override
  public WorkHint glance(Collection<Integer> partitions, Duration ahead) {
    return store.glance(partitions, ahead);
  }

  @Override
  public String howToRaiseSequence(long above) {
    return store.howToRaiseSequence(above);
  }

  @Override
  public SequenceMark mark() {
    return store.mark();
  }

  @Override
  public boolean settled(SequenceMark mark) {
    return store.settled(mark);
  }

  @Override
  public void delete(Collection<Position> positions) {
    wire.pass(CrashPoint.BEFORE_DELETE);
    store.delete(positions);
    wire.pass(CrashPoint.AFTER_DELETE);
  }

  @Override
  public Set<Position> deleteExact(Collection<SentMessage> messages) {
    wire.pass(CrashPoint.BEFORE_DELETE);
    Set<Position> others = store.deleteExact(messages);
    wire.pass(CrashPoint.AFTER_DELETE);
    return others;
  }

  @Override
  public void park(Collection<Lease> leases, List<ParkedEntry> parkings) {
    wire.pass(CrashPoint.BEFORE_PARK);
    store.park(leases, parkings);
    wire.pass(CrashPoint.AFTER_PARK);
  }

  @Override
  public int era() {
    return store.era();
  }

  @Override
  public void adopt(int era) {
    store.adopt(era);
  }

  @Override
  public Set<Integer> held(Collection<Lease> leases) {
    return store.held(leases);
  }

  @Override
  public Map<Integer, Set<Long>> blockedKeys(Collection<Integer> partitions) {
    wire.pass(CrashPoint.AFTER_ACQUIRE);
    return store.blockedKeys(partitions);
  }

  @Override
  public ReadRows dueHeads(
      Collection<Integer> partitions, Collection<Destination> except, ReadLimit limit) {
    return store.dueHeads(partitions, except, limit);
  }

  @Override
  public List<StoredMessage> parkedOfKey(int partition, long keyHash, ReadLimit limit) {
    return store.parkedOfKey(partition, keyHash, limit);
  }

  @Override
  public Set<Long> settleParked(List<ParkedOutcome> settlements) {
    wire.pass(CrashPoint.BEFORE_SETTLE);
    Set<Long> stillParked = store.settleParked(settlements);
    wire.pass(CrashPoint.AFTER_SETTLE);
    return stillParked;
  }

  @Override
  public void bury(Lease lease, List<DeadEntry> burials) {
    store.bury(lease, burials);
  }

  @Override
  public List<Position> enqueueDue(Collection<Lease> leases, int limit) {
    return store.enqueueDue(leases, limit);
  }

  @Override
  public Backlog backlog() {
    return store.backlog();
  }

  @Override
  public DeadLetters deadLetters() {
    return store.deadLetters();
  }

  @Override
  public void close() {
    store.close();
  }
}
