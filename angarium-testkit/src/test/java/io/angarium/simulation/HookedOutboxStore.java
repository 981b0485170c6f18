package io.angarium.simulation;

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
import io.angarium.store.Tripwire;
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

/** A store whose every call is a numbered step of the simulation. */
public class HookedOutboxStore implements OutboxStore {
  private final OutboxStore store;
  private final Hooks hooks;

  HookedOutboxStore(OutboxStore store, Hooks hooks) {
    this.store = store;
    this.hooks = hooks;
  }

  @Override
  public @Nullable UUID source() {
    return store.source();
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
  public ReadRows read(List<SequenceRange> spans, ReadLimit limit) {
    return hooks.around("read " + spans, () -> store.read(spans, limit));
  }

  @Override
  public ReadRows readAt(Collection<Position> positions, ReadLimit limit) {
    return hooks.around("read at " + positions, () -> store.readAt(positions, limit));
  }

  @Override
  public LateRows readLate(
      List<SequenceRange> spans,
      @Nullable Snapshot since,
      ReadLimit limit,
      Predicate<Position> known) {
    return hooks.around(
        "read late " + spans + " since " + since, () -> store.readLate(spans, since, limit, known));
  }

  @Override
  public long lastSequence() {
    return hooks.around("last sequence", store::lastSequence);
  }

  @Override
  public String howToRaiseSequence(long above) {
    return store.howToRaiseSequence(above);
  }

  @Override
  public WorkHint glance(Collection<Integer> partitions, Duration ahead) {
    return hooks.around("glance", () -> store.glance(partitions, ahead));
  }

  @Override
  public SequenceMark mark() {
    return hooks.around("mark", store::mark);
  }

  @Override
  public boolean settled(SequenceMark mark) {
    return hooks.around("settled " + mark, () -> store.settled(mark));
  }

  @Override
  public void delete(Collection<Position> positions) {
    hooks.around(
        "delete " + positions,
        () -> {
          Runnable check = hooks.deleting(positions);
          store.delete(positions);
          check.run();
        });
  }

  @Override
  public Set<Position> deleteExact(Collection<SentMessage> messages) {
    return hooks.around(
        "delete exactly " + messages,
        () -> {
          Runnable check = hooks.deleting(messages.stream().map(SentMessage::position).toList());
          Set<Position> others = store.deleteExact(messages);
          check.run();
          return others;
        });
  }

  @Override
  public void park(Collection<Lease> leases, List<ParkedEntry> parkings) {
    hooks.around("park " + parkings, () -> store.park(leases, parkings));
  }

  @Override
  public Set<Integer> held(Collection<Lease> leases) {
    return hooks.around("held " + leases, () -> store.held(leases));
  }

  @Override
  public Map<Integer, Set<Long>> blockedKeys(Collection<Integer> partitions) {
    return hooks.around("blocked keys", () -> store.blockedKeys(partitions));
  }

  @Override
  public ReadRows dueHeads(
      Collection<Integer> partitions, Collection<Destination> except, ReadLimit limit) {
    return hooks.around("due heads", () -> store.dueHeads(partitions, except, limit));
  }

  @Override
  public List<StoredMessage> parkedOfKey(int partition, long keyHash, ReadLimit limit) {
    return hooks.around("parked of key", () -> store.parkedOfKey(partition, keyHash, limit));
  }

  @Override
  public Set<Long> settleParked(List<ParkedOutcome> settlements) {
    return hooks.around("settle parked", () -> store.settleParked(settlements));
  }

  @Override
  public void bury(Lease lease, List<DeadEntry> burials) {
    hooks.around("bury " + burials, () -> store.bury(lease, burials));
  }

  @Override
  public List<Position> enqueueDue(Collection<Lease> leases, int limit) {
    return hooks.around("enqueue due", () -> store.enqueueDue(leases, limit));
  }

  @Override
  public Backlog backlog() {
    return hooks.around("backlog", store::backlog);
  }

  @Override
  public void tripwire(Tripwire tripwire) {
    store.tripwire(tripwire);
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
