package io.angarium.jdbc.internal.write;

import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.dialect.LeaseSql;
import io.angarium.store.lease.Membership;
import io.angarium.store.lease.Membership.Owner;
import io.angarium.store.lease.NodeId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Puts a membership together from the rows of {@link LeaseSql#members}: nodes and owned partitions
 * come side by side, since a join of the two costs the server far more. Not thread-safe.
 */
public final class MembershipRows {
  private final Dialect dialect;
  private final List<String> takingPart = new ArrayList<>();
  private final Set<UUID> live = new HashSet<>();
  private final Map<Integer, Held> held = new HashMap<>();
  private final Map<UUID, Long> expiresAt = new HashMap<>();
  private boolean tooFarAhead;

  /** An owned partition. */
  private record Held(NodeId node, long epoch) {}

  public MembershipRows(Dialect dialect) {
    this.dialect = dialect;
  }

  public void add(ResultSet row) throws SQLException {
    NodeId node = new NodeId(row.getString(2), dialect.uuid(row, 3));
    int partition = row.getInt(1);
    if (!row.wasNull()) {
      held.put(partition, new Held(node, row.getLong(4)));
    } else if (row.getBoolean(5)) {
      tooFarAhead |= row.getBoolean(7);
      expiresAt.put(node.incarnation(), row.getLong(4));
      addLive(node, row.getBoolean(6));
    }
  }

  private void addLive(NodeId node, boolean takesPart) {
    live.add(node.incarnation());
    if (takesPart) {
      takingPart.add(node.name());
    }
  }

  /** When a node expires, see {@link LeaseSql#expiresAt}; null if it does not live. */
  @Nullable
  public Long expiresAt(NodeId node) {
    return expiresAt.get(node.incarnation());
  }

  /** True if a node says that it lives for longer than any does. */
  public boolean tooFarAhead() {
    return tooFarAhead;
  }

  public Membership membership() {
    Map<Integer, Owner> owners = new HashMap<>();
    held.forEach(
        (partition, by) ->
            owners.put(
                partition,
                new Owner(by.node(), by.epoch(), live.contains(by.node().incarnation()))));
    return new Membership(takingPart.stream().sorted().toList(), Map.copyOf(owners));
  }
}
