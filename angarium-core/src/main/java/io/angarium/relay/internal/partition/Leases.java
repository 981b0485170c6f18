package io.angarium.relay.internal.partition;

import io.angarium.ConfigurationException;
import io.angarium.StoreException;
import io.angarium.TimeSource;
import io.angarium.intake.Partitioning;
import io.angarium.internal.DurationText;
import io.angarium.relay.settings.RelayConfig;
import io.angarium.store.Invariant;
import io.angarium.store.Tripwire;
import io.angarium.store.lease.Lease;
import io.angarium.store.lease.LeaseStore;
import io.angarium.store.lease.Membership;
import io.angarium.store.lease.NodeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps this node alive in the database and decides which partitions it owns: each belongs to the
 * live node with the highest hash of node and partition (rendezvous hashing, Thaler and Ravishankar
 * 1998), so that a change of membership moves only the partitions of the node that came or went. A
 * surplus partition is released after the send loop has drained it.
 *
 * <p>The beat runs on its own thread; the send loop asks {@link #held} and {@link #valid}.
 * Thread-safe.
 */
public final class Leases {
  private static final Logger LOG = LoggerFactory.getLogger(Leases.class);

  private final LeaseStore store;
  private final NodeId node;
  private final RelayConfig.Leasing timing;
  private final Duration takeoverMargin;
  private final Partitioning partitioning;
  private final TimeSource time;
  private final Tripwire tripwire;
  private final Set<String> transports;
  private final TransportMoves moves;

  private final Map<Integer, Lease> held = new HashMap<>();
  private final Set<Integer> surplus = new HashSet<>();
  private volatile Map<Integer, Lease> snapshot = Map.of();
  private volatile long validUntilNanos;
  private volatile boolean everBeaten;
  private volatile int version;
  private volatile int nodes = 1;
  private boolean others;

  /** At the last heartbeat, free partitions could not be acquired. Only the beat reads it. */
  private boolean leftBefore;

  /** Since when partitions of others are waited for; only the beat reads these. */
  private long waitingSinceNanos;

  private boolean waiting;
  private boolean waitTold;
  private boolean resting;
  private long restUntilNanos;
  private long nextBeatNanos;

  /**
   * @param takeoverMargin how long after the end of a dead owner's lease its last sends may still
   *     have results
   * @param transports the names of this node's
   */
  public Leases(
      LeaseStore store,
      NodeId node,
      RelayConfig.Leasing timing,
      Duration takeoverMargin,
      Partitioning partitioning,
      Set<String> transports,
      TimeSource time,
      Tripwire tripwire) {
    this.store = store;
    this.node = node;
    this.timing = timing;
    this.takeoverMargin = takeoverMargin;
    this.partitioning = partitioning;
    this.time = time;
    this.tripwire = tripwire;
    this.transports = transports;
    this.moves = new TransportMoves(node);
    this.nextBeatNanos = time.nanoTime();
  }

  /**
   * Readies the database for the heartbeats of this node. Blocks.
   *
   * @throws ConfigurationException if the database has another partitioning, or if a live node and
   *     this one each have a transport that the other one lacks
   */
  public void prepare() {
    store.prepare(partitioning);
    List<String> faults = new ArrayList<>();
    store
        .transports()
        .forEach(
            (other, theirs) -> {
              boolean oneHasAll = transports.containsAll(theirs) || theirs.containsAll(transports);
              if (!oneHasAll && !other.name().equals(node.name())) {
                faults.add(apart(other, theirs));
              }
            });
    if (!faults.isEmpty()) {
      throw new ConfigurationException(faults);
    }
    store.noteTransports(node, transports);
  }

  private String apart(NodeId other, Set<String> theirs) {
    return "transports: "
        + new TreeSet<>(transports)
        + " (expected: all those of node '"
        + other.name()
        + "', which relays the same outbox with "
        + new TreeSet<>(theirs)
        + ", or only some of them); give each service tables of its own (jdbc.tables or"
        + " jdbc.schema). To replace a transport, first run nodes that have both";
  }

  /**
   * True if the last heartbeat still counts, whether or not this node holds partitions: messages of
   * those it holds may be handed over now.
   */
  public boolean valid() {
    return everBeaten && time.nanoTime() - validUntilNanos < 0;
  }

  /** Rises whenever {@link #held} has changed. */
  int version() {
    return version;
  }

  /** How many live nodes wanted partitions at the last heartbeat; at least 1. */
  int nodes() {
    return nodes;
  }

  /** The partitions of this node, by partition. */
  public Map<Integer, Lease> held() {
    return snapshot;
  }

  /** True if this node relays a partition; a hint, for any thread. */
  public boolean holds(int partition) {
    return snapshot.containsKey(partition);
  }

  /** The partitions to be drained and then given to {@link #drained}. */
  synchronized Set<Integer> surplus() {
    return surplus.isEmpty() ? Set.of() : new HashSet<>(surplus);
  }

  /** Nanoseconds until the next heartbeat is due; zero or less if it is. */
  public synchronized long nanosToBeat() {
    return nextBeatNanos - time.nanoTime();
  }

  /** Makes the next heartbeat due at once, e.g. after a release. */
  public synchronized void hurry() {
    nextBeatNanos = time.nanoTime();
  }

  /** Sends a heartbeat and brings ownership in line with the membership. */
  public void beat() {
    long sentNanos = time.nanoTime();
    boolean takingPart;
    synchronized (this) {
      nextBeatNanos = sentNanos + timing.heartbeat().toNanos();
      resting = resting && sentNanos - restUntilNanos < 0;
      takingPart = !resting;
    }
    Membership membership = heartbeat(takingPart);
    List<Integer> wanted = align(membership); // before the lease counts as valid again
    List<Integer> missing = new ArrayList<>(wanted);
    missing.removeIf(partition -> heldByLiveOther(partition, membership));
    validUntilNanos = sentNanos + timing.ttl().minus(timing.margin()).toNanos();
    everBeaten = true;
    takeOrReleaseStrays(membership);
    boolean left = acquire(missing) < missing.size() && isFree(missing, membership);
    if (left && leftBefore && isFree(missing, store.heartbeat(node, !resting(), timing.ttl()))) {
      putBack(); // else others that come and go were faster, twice in a row
    }
    leftBefore = left;
    tellWait(wanted, membership);
    planMoves(membership);
  }

  private Membership heartbeat(boolean takingPart) {
    Membership membership = store.heartbeat(node, takingPart, timing.ttl());
    if (!membership.takingPart().isEmpty()) {
      return membership;
    }
    endRest(); // all rest: somebody has to try
    return store.heartbeat(node, true, timing.ttl());
  }

  /**
   * Logs once why a node without partitions sends nothing: after a crash that may last as long as a
   * lease.
   */
  private void tellWait(List<Integer> wanted, Membership membership) {
    Map<String, Integer> owners = new TreeMap<>();
    for (int partition : wanted) {
      Membership.Owner owner = membership.owners().get(partition);
      if (owner != null && !holds(partition)) {
        String name = owner.node().name();
        boolean earlierRun = name.equals(node.name());
        owners.merge(earlierRun ? name + " (an earlier run)" : name, 1, Integer::sum);
      }
    }
    if (owners.isEmpty() || !snapshot.isEmpty()) {
      waiting = false;
      waitTold = false;
      return;
    }
    long now = time.nanoTime();
    if (!waiting) {
      waiting = true;
      waitingSinceNanos = now;
    }
    // live nodes hand over within a heartbeat and the time that sends take
    if (!waitTold && now - waitingSinceNanos >= timing.ttl().dividedBy(2).toNanos()) {
      waitTold = true;
      LOG.info(
          "Node {} waits for partitions of {}: a live node hands them over, those of a dead one are"
              + " free {} after its last heartbeat.",
          node.name(),
          owners,
          DurationText.of(timing.ttl().plus(takeoverMargin)));
    }
  }

  /** A message of a partition waits for a transport that this node has not. Does not block. */
  synchronized void lacks(int partition, String transport) {
    if (held.containsKey(partition)) {
      moves.lacks(partition, transport, time.nanoTime());
    }
  }

  /** Lets partitions go where a transport is that their messages wait for. */
  private void planMoves(Membership membership) {
    synchronized (this) {
      if (!moves.isAnyLacking()) {
        return;
      }
    }
    Map<NodeId, Set<String>> able = new HashMap<>(store.transports());
    able.keySet().removeIf(other -> !membership.takingPart().contains(other.name()));
    synchronized (this) {
      moves.plan(able, Leases::home);
      moves.keep(held.keySet(), Set.copyOf(membership.takingPart()));
      surplus.addAll(moves.leaving());
    }
  }

  /** True if one of them has no owner, as far as the membership knows, and is not held. */
  private boolean isFree(List<Integer> missing, Membership membership) {
    return missing.stream().anyMatch(p -> !membership.owners().containsKey(p) && !holds(p));
  }

  /** Once, another node may have been faster: what is free twice and not acquired is not there. */
  private void putBack() {
    tripwire.broken(
        Invariant.LEASE_ROW,
        "rows of the lease table are missing, since somebody deleted them; they are put back now."
            + " Exclude outbox_lease from whatever empties tables.");
    try {
      store.prepare(partitioning);
    } catch (ConfigurationException e) {
      throw new StoreException("Lease rows cannot be put back: " + e.getMessage(), e);
    }
    hurry();
  }

  /** Drops what others took, marks the surplus, and tells what is wanted and not held. */
  private synchronized List<Integer> align(Membership membership) {
    held.values().removeIf(lease -> !stands(lease, membership));
    surplus.retainAll(held.keySet());
    nodes = Math.max(1, membership.takingPart().size());
    others = membership.takingPart().stream().anyMatch(name -> !name.equals(node.name()));
    moves.keep(held.keySet(), Set.copyOf(membership.takingPart()));
    List<Integer> missing = new ArrayList<>();
    for (int partition : partitioning.all()) {
      boolean wanted = moves.isWanted(partition, home(partition, membership.takingPart()));
      if (wanted) {
        surplus.remove(partition);
        if (!held.containsKey(partition)) {
          missing.add(partition);
        }
      } else if (held.containsKey(partition)) {
        surplus.add(partition);
      }
    }
    changed();
    return missing;
  }

  /**
   * The table may name this node as the owner of a lease that it neither holds nor wants. If
   * another node handed it over because this one has the transports, this node takes it. If the
   * answer to an acquire was lost before the membership changed, it releases the lease: no other
   * node could take it.
   */
  private void takeOrReleaseStrays(Membership membership) {
    Map<Lease, String> strays = new HashMap<>(); // with their homes
    membership
        .owners()
        .forEach(
            (partition, owner) -> {
              String home = home(partition, membership.takingPart());
              boolean wanted = node.name().equals(home) || holds(partition);
              if (owner.node().equals(node) && !wanted) {
                strays.put(new Lease(partition, node, owner.epoch()), home);
              }
            });
    if (strays.isEmpty()) {
      return;
    }
    Map<Lease, String> given = given(strays, membership);
    strays.keySet().removeAll(given.keySet());
    store.release(strays.keySet());
    acquire(given.keySet().stream().map(Lease::partition).toList());
    synchronized (this) {
      given.forEach((lease, home) -> moves.arrived(lease.partition(), home, time.nanoTime()));
    }
  }

  /** The strays whose home lacks a transport that this node has. */
  private Map<Lease, String> given(Map<Lease, String> strays, Membership membership) {
    Map<Lease, String> given = new HashMap<>();
    if (membership.takingPart().contains(node.name())) {
      Map<NodeId, Set<String>> noted = store.transports();
      strays.forEach(
          (lease, home) -> {
            if (TransportMoves.lacksAny(home, noted, transports)) {
              given.put(lease, home);
            }
          });
    }
    return given;
  }

  private boolean heldByLiveOther(int partition, Membership membership) {
    Membership.Owner owner = membership.owners().get(partition);
    return owner != null && owner.live() && !owner.node().equals(node);
  }

  private int acquire(List<Integer> missing) {
    if (missing.isEmpty()) {
      return 0;
    }
    List<Lease> taken = store.acquire(node, missing, takeoverMargin);
    synchronized (this) {
      taken.forEach(lease -> held.put(lease.partition(), lease));
      changed();
    }
    return taken.size();
  }

  private static boolean stands(Lease lease, Membership membership) {
    Membership.Owner owner = membership.owners().get(lease.partition());
    return owner != null && owner.node().equals(lease.node()) && owner.epoch() == lease.epoch();
  }

  /** The node a partition belongs to, or an empty name if nobody takes part. */
  private static String home(int partition, Collection<String> names) {
    String best = "";
    long bestWeight = Long.MIN_VALUE;
    for (String name : names) {
      long weight = weight(name, partition);
      if (weight > bestWeight || (weight == bestWeight && name.compareTo(best) < 0)) {
        best = name;
        bestWeight = weight;
      }
    }
    return best;
  }

  private static long weight(String name, int partition) {
    return Partitioning.mix(Partitioning.hash(name) + 0x9e3779b97f4a7c15L * (partition + 1L));
  }

  /** Gives drained partitions back, or to the nodes that have a transport which is lacking here. */
  void drained(Collection<Lease> leases) {
    Map<Lease, NodeId> leaving = new HashMap<>();
    synchronized (this) {
      for (Lease lease : leases) {
        NodeId to = moves.target(lease.partition());
        if (to != null) {
          leaving.put(lease, to);
        }
      }
    }
    store.release(leases.stream().filter(lease -> !leaving.containsKey(lease)).toList());
    leaving.forEach(store::handOver);
    synchronized (this) {
      leaving.keySet().forEach(lease -> moves.left(lease.partition(), time.nanoTime()));
      leases.forEach(lease -> held.remove(lease.partition(), lease));
      surplus.retainAll(held.keySet());
      changed();
    }
  }

  /** Forgets a lease that a fenced write found lost. */
  synchronized void lost(Lease lease) {
    if (held.remove(lease.partition(), lease)) {
      surplus.remove(lease.partition());
      changed();
    }
  }

  /**
   * Takes no partitions for a while, if other nodes can. Called when every send keeps failing.
   *
   * @return true if this node begins to rest
   */
  public synchronized boolean rest() {
    if (!others || resting) {
      return false;
    }
    resting = true;
    restUntilNanos = time.nanoTime() + timing.rest().toNanos();
    nextBeatNanos = time.nanoTime();
    return true;
  }

  private synchronized void endRest() {
    resting = false;
  }

  public synchronized boolean resting() {
    return resting;
  }

  /** How long the rest still lasts; zero without one. */
  public synchronized Duration restLeft() {
    long nanos = restUntilNanos - time.nanoTime();
    return resting && nanos > 0 ? Duration.ofNanos(nanos) : Duration.ZERO;
  }

  /** Frees everything this node holds. */
  public void leave() {
    synchronized (this) {
      held.clear();
      surplus.clear();
      everBeaten = false;
      changed();
    }
    store.leave(node);
  }

  private synchronized void changed() {
    if (!snapshot.equals(held)) {
      snapshot = Collections.unmodifiableMap(new HashMap<>(held)); // one order in all JVMs
      version++;
    }
  }
}
