package io.angarium.store.lease;

import io.angarium.StoreException;
import io.angarium.intake.Partitioning;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Keeps nodes and partition leases in the database, judged by the database's clock. Implemented
 * once per kind of store; methods get added as default methods and to the contract suite first. All
 * methods block and commit before they return; thread-safe.
 *
 * <p>Every method throws {@link StoreException} if the database cannot be reached or refuses.
 */
public interface LeaseStore {
  /** The longest {@code ttl} of a heartbeat that a relay can be given. */
  Duration TTL_MAX = Duration.ofMinutes(10);

  /**
   * Makes sure that a lease row exists for every partition. The epochs of rows that are added begin
   * at another number each time.
   *
   * @throws io.angarium.ConfigurationException if the database was set up with another partitioning
   */
  void prepare(Partitioning partitioning);

  /**
   * Says that a node is alive until {@code ttl} from now. Other nodes whose end lies further ahead
   * than {@link #TTL_MAX}, because the database's clock was set back since, live on for {@code ttl}
   * only, unless they say that they are alive: else what a dead one owns would stand still until
   * the clock has caught up.
   *
   * @param takingPart false while the node rests: alive, but wanting no partitions
   * @return the state after it
   * @throws NodeIdInUseException if another incarnation of the name is alive
   */
  Membership heartbeat(NodeId node, boolean takingPart, Duration ttl);

  /**
   * Takes each given partition that is free, whose owner's heartbeat ran out at least {@code
   * margin} ago, or that is recorded for this very node. Each gets a new epoch. Another live
   * owner's partition is left alone.
   *
   * @return leases for what was taken; empty if nothing was
   */
  List<Lease> acquire(NodeId node, Collection<Integer> partitions, Duration margin);

  /**
   * Keeps the names of a node's transports beside its heartbeats, for {@link #transports}. They are
   * written with the node's next heartbeat, and again only if that had to add the node anew. By
   * default they are not kept.
   *
   * @param names lower case letters, digits and dashes; not empty
   */
  default void noteTransports(NodeId node, Set<String> names) {}

  /**
   * The transports of the live nodes. One that noted none is absent, such as a node of an earlier
   * version.
   */
  default Map<NodeId, Set<String>> transports() {
    return Map.of();
  }

  /**
   * Gives a lease to another node. It stands under that node, which takes it up by {@link
   * #acquire}, with a new epoch. A lease that is no longer held is passed over. By default it is
   * released.
   */
  default void handOver(Lease lease, NodeId to) {
    release(List.of(lease));
  }

  /** Gives leases back; one that is no longer held is passed over. */
  void release(Collection<Lease> leases);

  /** Forgets the node and frees all its partitions. */
  void leave(NodeId node);
}
