package io.angarium.simulation;

import io.angarium.Destination;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.store.LateRows;
import io.angarium.store.OutboxStore;
import io.angarium.store.ReadLimit;
import io.angarium.store.ReadRows;
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
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads of a node may reach another server than its writes, whose connections are others. */
final class ReadsElsewhere extends Planted {
  private final OutboxStore store;
  private @Nullable OutboxStore elsewhere;
  private int adopted;

  ReadsElsewhere(OutboxStore store) {
    super(store);
    this.store = store;
    this.adopted = store.era();
  }

  /** Null if they go where the writes go. */
  void from(@Nullable OutboxStore other) {
    elsewhere = other;
  }

  boolean areElsewhere() {
    return elsewhere != null;
  }

  /** The era in which the relay works. */
  int adopted() {
    return adopted;
  }

  @Override
  public void adopt(int era) {
    adopted = era;
    super.adopt(era);
  }

  /** Whether a call, as the hooks are told of it, is one of the reads below. */
  static boolean isRead(String call) {
    return Stream.of(
            "read", "last", "glance", "mark", "settled", "held", "blocked", "due", "parked")
        .anyMatch(call::startsWith);
  }

  private OutboxStore reads() {
    OutboxStore other = elsewhere;
    return other == null ? store : other;
  }

  @Override
  public ReadRows read(List<SequenceRange> spans, ReadLimit limit) {
    return reads().read(spans, limit);
  }

  @Override
  public ReadRows readAt(Collection<Position> positions, ReadLimit limit) {
    return reads().readAt(positions, limit);
  }

  @Override
  public LateRows readLate(
      List<SequenceRange> spans,
      @Nullable Snapshot since,
      ReadLimit limit,
      Predicate<Position> known) {
    return reads().readLate(spans, since, limit, known);
  }

  @Override
  public long lastSequence() {
    return reads().lastSequence();
  }

  @Override
  public WorkHint glance(Collection<Integer> partitions, Duration ahead) {
    return reads().glance(partitions, ahead);
  }

  @Override
  public SequenceMark mark() {
    return reads().mark();
  }

  @Override
  public boolean settled(SequenceMark mark) {
    return reads().settled(mark);
  }

  @Override
  public Set<Integer> held(Collection<Lease> leases) {
    return reads().held(leases);
  }

  @Override
  public Map<Integer, Set<Long>> blockedKeys(Collection<Integer> partitions) {
    return reads().blockedKeys(partitions);
  }

  @Override
  public ReadRows dueHeads(
      Collection<Integer> partitions, Collection<Destination> except, ReadLimit limit) {
    return reads().dueHeads(partitions, except, limit);
  }

  @Override
  public List<StoredMessage> parkedOfKey(int partition, long keyHash, ReadLimit limit) {
    return reads().parkedOfKey(partition, keyHash, limit);
  }
}
