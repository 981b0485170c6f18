package io.angarium.store.lease;

import java.util.List;
import java.util.Map;

/**
 * Who is alive and who owns what, by the database's clock. Immutable.
 *
 * @param takingPart names of the live nodes that want partitions, sorted
 * @param owners the owner of each partition, by partition; a free partition is absent. An owner
 *     need not be alive
 */
public record Membership(List<String> takingPart, Map<Integer, Owner> owners) {
  /**
   * The holder of a partition. Immutable.
   *
   * @param live false once its heartbeat has run out
   */
  public record Owner(NodeId node, long epoch, boolean live) {}
}
