package io.angarium.relay.internal.partition;

import io.angarium.Destination;
import io.angarium.intake.Partitioning;
import io.angarium.relay.internal.flight.InFlightWindow;
import io.angarium.relay.settings.RelayListener;
import io.angarium.store.OutboxStore;
import io.angarium.store.lease.Lease;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The partitions the send loop works on, kept in line with the leases. Not thread-safe: one thread
 * at a time.
 */
public final class OwnedPartitions {
  private static final Logger LOG = LoggerFactory.getLogger(OwnedPartitions.class);

  private final Leases leases;
  private final OutboxStore store;
  private final RelayListener listener;
  private final Consumer<Lease> onGone;
  private final Map<Integer, PartitionState> owned = new HashMap<>();
  private final int keyless;

  /** The owned ones once more, for a look at each message. */
  private final @Nullable PartitionState[] byNumber;

  private Set<Integer> surplus = Set.of();
  private int version = -1;
  private boolean deferred;

  /**
   * @param onGone called after a partition was dropped, to forget what waits for it
   */
  public OwnedPartitions(
      Leases leases,
      Partitioning partitioning,
      OutboxStore store,
      RelayListener listener,
      Consumer<Lease> onGone) {
    this.keyless = partitioning.keyless();
    this.byNumber = new PartitionState[partitioning.keyed() + keyless];
    this.leases = leases;
    this.store = store;
    this.listener = listener;
    this.onGone = onGone;
  }

  public @Nullable PartitionState get(int partition) {
    int index = partition + keyless;
    return index >= 0 && index < byNumber.length ? byNumber[index] : null;
  }

  /** The partition if it is one to read from. */
  public @Nullable PartitionState active(int partition) {
    return surplus.contains(partition) ? null : get(partition);
  }

  /** The partitions to read from: owned and not about to be given back. */
  public Collection<PartitionState> active() {
    if (surplus.isEmpty()) {
      return owned.values();
    }
    return owned.values().stream().filter(p -> !surplus.contains(p.partition)).toList();
  }

  /** All of them, also those about to be given back. */
  public Collection<PartitionState> owned() {
    return owned.values();
  }

  /** How many live nodes share the partitions, this one included. */
  public int nodes() {
    return leases.nodes();
  }

  public boolean isEmpty() {
    return owned.isEmpty();
  }

  /** True if the leases are what they were at the last {@link #sync} and may be acted upon. */
  public boolean valid() {
    return version == leases.version() && leases.valid();
  }

  /**
   * Takes up what was acquired and drops what is gone. A partition that still has messages in
   * flight from before waits for their results. Blocks for a read of blocked keys.
   *
   * @param sent how many rows of a partition are in flight only because they cannot be deleted
   */
  public void sync(InFlightWindow inFlight, IntUnaryOperator sent) {
    int current = leases.version();
    changeSurplus(leases.surplus());
    if (current == version && !deferred) {
      return;
    }
    Map<Integer, Lease> held = leases.held();
    List<PartitionState> gone = new ArrayList<>(owned.values());
    gone.removeIf(p -> p.lease.equals(held.get(p.partition)));
    gone.forEach(p -> drop(p.lease));
    List<Integer> fresh = new ArrayList<>(held.keySet());
    fresh.removeAll(owned.keySet());
    boolean someDeferred = fresh.removeIf(p -> mustDrain(p, inFlight, sent));
    if (!fresh.isEmpty()) {
      Map<Integer, Set<Long>> blocked = store.blockedKeys(fresh);
      held.values().stream()
          .filter(lease -> fresh.contains(lease.partition()))
          .forEach(l -> take(l, blocked.getOrDefault(l.partition(), Set.of())));
    }
    deferred = someDeferred; // like the version only now: the database may have failed above
    version = current;
    if (!fresh.isEmpty() || !gone.isEmpty()) {
      LOG.info("Relaying {} partitions: {} new, {} gone.", owned.size(), fresh.size(), gone.size());
    }
  }

  private static boolean mustDrain(int partition, InFlightWindow inFlight, IntUnaryOperator sent) {
    return inFlight.disowned() > 0
        || (Partitioning.isKeyed(partition) && inFlight.of(partition) > sent.applyAsInt(partition));
  }

  /** Forgets all partitions; they are taken up anew once nothing disowned is in flight. */
  public void startOver() {
    List.copyOf(owned.values()).forEach(partition -> drop(partition.lease));
    version = -1;
  }

  /** What was to be given back and stays after all was not looked at meanwhile. */
  private void changeSurplus(Set<Integer> current) {
    for (int partition : surplus) {
      PartitionState state = owned.get(partition);
      if (state != null && !current.contains(partition)) {
        state.restart();
      }
    }
    surplus = current;
  }

  private void take(Lease lease, Set<Long> blockedKeys) {
    PartitionState taken = new PartitionState(lease, blockedKeys);
    owned.put(lease.partition(), taken);
    byNumber[lease.partition() + keyless] = taken;
    listener.leaseTaken(lease.partition());
  }

  /** Forgets a partition, unless it was acquired anew since that lease. */
  private void drop(Lease lease) {
    PartitionState state = owned.get(lease.partition());
    if (state != null && state.lease.equals(lease)) {
      owned.remove(lease.partition());
      byNumber[lease.partition() + keyless] = null;
      onGone.accept(lease);
      listener.leaseGone(lease.partition());
    }
  }

  /** A message of a partition needs a transport that this node lacks, as do those held with it. */
  public void lacks(int partition, Destination destination) {
    String transport = destination.transport();
    if (transport.isEmpty()) {
      return;
    }
    leases.lacks(partition, transport);
    for (PartitionState state : owned.values()) {
      if (state.holds(destination)) {
        leases.lacks(state.partition, transport);
      }
    }
  }

  /** Drops a partition whose lease a fenced write found lost. */
  public void lost(Lease lease) {
    LOG.warn("Partition {} was taken over by another node.", lease.partition());
    leases.lost(lease);
    drop(lease);
  }

  /**
   * Drops each partition that another node has taken over. That happens if a clock was set, or if
   * this machine stood still without its clock noticing. Blocks.
   */
  public void dropTaken(Collection<Integer> partitions) {
    List<Lease> leases = new ArrayList<>();
    for (int partition : partitions) {
      PartitionState state = get(partition);
      if (state != null) {
        leases.add(state.lease);
      }
    }
    if (!leases.isEmpty()) {
      Set<Integer> held = store.held(leases);
      leases.stream().filter(lease -> !held.contains(lease.partition())).forEach(this::lost);
    }
  }

  /**
   * Gives back surplus partitions that have nothing in flight but what the database refuses to
   * record. Blocks.
   *
   * @return true if some were given back
   */
  public boolean releaseDrained(InFlightWindow inFlight, IntUnaryOperator refused) {
    if (surplus.isEmpty()) {
      return false;
    }
    List<Lease> drained = new ArrayList<>();
    for (int partition : surplus) {
      PartitionState state = owned.get(partition);
      if (state != null && inFlight.of(partition) == refused.applyAsInt(partition)) {
        drained.add(state.lease);
      }
    }
    if (drained.isEmpty()) {
      return false;
    }
    leases.drained(drained); // first: if the database cannot be reached they are tried again
    drained.forEach(this::drop);
    return true;
  }

  /** Reads the blocked keys again: a person may have discarded what blocked them. */
  public void refreshBlockedKeys(BiPredicate<Integer, Long> refused) {
    List<Integer> blocked =
        owned.values().stream()
            .filter(p -> !p.blockedKeys.isEmpty())
            .map(p -> p.partition)
            .toList();
    if (blocked.isEmpty()) {
      return;
    }
    Map<Integer, Set<Long>> current = store.blockedKeys(blocked);
    for (int partition : blocked) {
      Set<Long> keys = current.getOrDefault(partition, Set.of());
      PartitionState state = owned.get(partition);
      if (state != null) {
        state.blockedKeys.removeIf(key -> !keys.contains(key) && !refused.test(partition, key));
      }
    }
  }

  public boolean holds(Destination destination) {
    return owned.values().stream().anyMatch(p -> p.holds(destination));
  }
}
