package io.angarium.jdbc.internal.dialect.h2;

import static io.angarium.jdbc.internal.dialect.h2.H2Values.partitionArray;
import static io.angarium.jdbc.internal.dialect.h2.H2Values.uuidArray;

import io.angarium.jdbc.internal.dialect.LeaseSql;
import io.angarium.jdbc.internal.sql.Repeated;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.store.lease.Lease;
import io.angarium.store.lease.NodeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Nodes and leases on H2. */
public final class H2LeaseSql implements LeaseSql {
  private final TableNames names;

  H2LeaseSql(TableNames names) {
    this.names = names;
  }

  /**
   * Changes nothing and holds the row. Parameters: partition, node, incarnation, epoch, for each.
   */
  private static final String FENCE =
      """
      UPDATE outbox_lease
      SET epoch = epoch
      WHERE {(partition_no = ? AND node = ? AND incarnation = ? AND epoch = ?)|
        OR }
      """;

  @Override
  public Sql fence(Collection<Lease> leases) {
    List<@Nullable Object> parameters = new ArrayList<>(leases.size() * 4);
    for (Lease lease : leases) {
      parameters.addAll(held(lease));
    }
    return new Sql(Repeated.times(names.in(FENCE), leases.size()), parameters);
  }

  private static List<Object> held(Lease lease) {
    NodeId node = lease.node();
    return List.of(lease.partition(), node.name(), node.incarnation(), lease.epoch());
  }

  /** Parameters: keyed, keyless. */
  private static final String SET_PARTITIONING =
      """
      UPDATE outbox_schema
      SET partitions_keyed = ?, partitions_keyless = ?
      WHERE partitions_keyed IS NULL
      """;

  @Override
  public Sql setPartitioning(int keyed, int keyless) {
    return Sql.of(names.in(SET_PARTITIONING), keyed, keyless);
  }

  private static final String PARTITIONING =
      """
      SELECT partitions_keyed, partitions_keyless
      FROM outbox_schema
      """;

  @Override
  public Sql partitioning() {
    return Sql.of(names.in(PARTITIONING));
  }

  /** Parameter: partition. */
  private static final String ADD_LEASE =
      """
      MERGE INTO outbox_lease AS l
      USING (VALUES (CAST(? AS SMALLINT))) AS p (partition_no)
      ON l.partition_no = p.partition_no
      WHEN NOT MATCHED THEN INSERT (partition_no, epoch) VALUES (p.partition_no, ?)
      """;

  @Override
  public List<Sql> addLeases(Collection<Integer> partitions, long epoch) {
    return partitions.stream().map(p -> Sql.of(names.in(ADD_LEASE), p, epoch)).toList();
  }

  /** Parameters: milliseconds to live, whether it takes part, incarnation, name. */
  private static final String REFRESH_NODE =
      """
      UPDATE outbox_node
      SET expires_at = DATEADD(MILLISECOND, ?, CURRENT_TIMESTAMP(6)), taking_part = ?
      WHERE incarnation = ? AND node = ?
        AND DATEDIFF(MICROSECOND, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00', expires_at)
          >= ?
      """;

  @Override
  public Sql refreshNode(NodeId node, boolean takingPart, Duration ttl, long notBefore) {
    return Sql.of(
        names.in(REFRESH_NODE),
        ttl.toMillis(),
        takingPart,
        node.incarnation(),
        node.name(),
        notBefore);
  }

  /** Parameter: incarnation. */
  private static final String EXPIRES_AT =
      """
      SELECT DATEDIFF(MICROSECOND, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00', expires_at)
      FROM outbox_node
      WHERE incarnation = ?
      """;

  @Override
  public Sql expiresAt(UUID incarnation) {
    return Sql.of(names.in(EXPIRES_AT), incarnation);
  }

  /** Parameters: name, incarnation. */
  private static final String RETIRE_NAMESAKES =
      """
      UPDATE outbox_node
      SET node = NULL, taking_part = FALSE
      WHERE node = ? AND incarnation <> ? AND expires_at <= CURRENT_TIMESTAMP(6)
      """;

  /** Parameter: incarnation. */
  private static final String FORGET_RETIRED =
      """
      DELETE FROM outbox_node AS n
      WHERE (n.incarnation = ? AND n.node IS NULL)
        OR (n.expires_at < DATEADD(DAY, -1, CURRENT_TIMESTAMP(6))
          AND NOT EXISTS (SELECT 1 FROM outbox_lease AS l WHERE l.incarnation = n.incarnation))
      """;

  @Override
  public List<Sql> retireNodes(NodeId node) {
    return List.of(
        Sql.of(names.in(RETIRE_NAMESAKES), node.name(), node.incarnation()),
        Sql.of(names.in(FORGET_RETIRED), node.incarnation()));
  }

  /** Parameters: incarnation, name, milliseconds to live, whether it takes part. */
  private static final String ENTER_NODE =
      """
      INSERT INTO outbox_node (incarnation, node, expires_at, taking_part)
      VALUES (?, ?, DATEADD(MILLISECOND, ?, CURRENT_TIMESTAMP(6)), ?)
      """;

  @Override
  public Sql enterNode(NodeId node, boolean takingPart, Duration ttl) {
    return Sql.of(
        names.in(ENTER_NODE), node.incarnation(), node.name(), ttl.toMillis(), takingPart);
  }

  /** Parameter: milliseconds. */
  private static final String MEMBERS =
      """
      SELECT
        CAST(NULL AS SMALLINT), node, incarnation,
        DATEDIFF(MICROSECOND, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00', expires_at),
        expires_at > CURRENT_TIMESTAMP(6), taking_part,
        expires_at > DATEADD(MILLISECOND, ?, CURRENT_TIMESTAMP(6))
      FROM outbox_node
      WHERE node IS NOT NULL
      UNION ALL
      SELECT partition_no, node, incarnation, epoch, FALSE, FALSE, FALSE
      FROM outbox_lease
      WHERE incarnation IS NOT NULL
      """;

  @Override
  public Sql members(Duration ahead) {
    return Sql.of(names.in(MEMBERS), ahead.toMillis());
  }

  /** Parameters: milliseconds to live, and those that are too many. */
  private static final String CUT_NODES =
      """
      UPDATE outbox_node
      SET expires_at = DATEADD(MILLISECOND, ?, CURRENT_TIMESTAMP(6))
      WHERE expires_at > DATEADD(MILLISECOND, ?, CURRENT_TIMESTAMP(6))
      """;

  @Override
  public Sql cutNodes(Duration ttl, Duration ahead) {
    return Sql.of(names.in(CUT_NODES), ttl.toMillis(), ahead.toMillis());
  }

  /** Changes nothing and holds the rows. Parameter: partitions. */
  private static final String LOCK_PARTITIONS =
      """
      UPDATE outbox_lease
      SET epoch = epoch
      WHERE partition_no = ANY (?)
      """;

  @Override
  public Sql lockPartitions(Collection<Integer> partitions) {
    return Sql.of(names.in(LOCK_PARTITIONS), partitionArray(partitions));
  }

  /** Changes nothing and holds the rows. Parameters: margin in milliseconds, partitions. */
  private static final String LOCK_EXPIRED =
      """
      UPDATE outbox_node
      SET expires_at = expires_at
      WHERE expires_at <= DATEADD(MILLISECOND, -?, CURRENT_TIMESTAMP(6))
        AND incarnation IN (
          SELECT incarnation FROM outbox_lease WHERE partition_no = ANY (?))
      """;

  @Override
  public List<Sql> lockExpired(Collection<Integer> partitions, Duration margin) {
    return List.of(Sql.of(names.in(LOCK_EXPIRED), margin.toMillis(), partitionArray(partitions)));
  }

  /** Parameters: margin in milliseconds, partitions. */
  private static final String EXPIRED =
      """
      SELECT incarnation
      FROM outbox_node
      WHERE expires_at <= DATEADD(MILLISECOND, -?, CURRENT_TIMESTAMP(6))
        AND incarnation IN (
          SELECT incarnation FROM outbox_lease WHERE partition_no = ANY (?))
      """;

  @Override
  public Sql expired(Collection<Integer> partitions, Duration margin) {
    return Sql.of(names.in(EXPIRED), margin.toMillis(), partitionArray(partitions));
  }

  /** Parameters: name, incarnation, partitions, incarnation, expired incarnations. */
  private static final String TAKE =
      """
      UPDATE outbox_lease AS l
      SET node = ?, incarnation = ?, epoch = l.epoch + 1
      WHERE l.partition_no = ANY (?)
        AND (l.incarnation IS NULL
          OR l.incarnation = ?
          OR l.incarnation = ANY (?)
          OR NOT EXISTS (SELECT 1 FROM outbox_node AS n WHERE n.incarnation = l.incarnation))
      """;

  @Override
  public Sql take(NodeId node, Collection<Integer> partitions, Collection<UUID> expired) {
    return Sql.of(
        names.in(TAKE),
        node.name(),
        node.incarnation(),
        partitionArray(partitions),
        node.incarnation(),
        uuidArray(expired));
  }

  /** Parameters: incarnation, partitions. */
  private static final String LEASES_OF =
      """
      SELECT partition_no, epoch
      FROM outbox_lease
      WHERE incarnation = ? AND partition_no = ANY (?)
      """;

  @Override
  public Sql leasesOf(NodeId node, Collection<Integer> partitions) {
    return Sql.of(names.in(LEASES_OF), node.incarnation(), partitionArray(partitions));
  }

  /** Parameters: transports, incarnation. */
  private static final String NOTE_TRANSPORTS =
      """
      UPDATE outbox_node
      SET transports = ?
      WHERE incarnation = ?
      """;

  @Override
  public Sql noteTransports(NodeId node, String transports) {
    return Sql.of(names.in(NOTE_TRANSPORTS), transports, node.incarnation());
  }

  private static final String TRANSPORTS =
      """
      SELECT node, incarnation, transports
      FROM outbox_node
      WHERE node IS NOT NULL AND transports IS NOT NULL AND expires_at > CURRENT_TIMESTAMP(6)
      """;

  @Override
  public Sql transports() {
    return Sql.of(names.in(TRANSPORTS));
  }

  /** Parameters: name, incarnation, partition, node, incarnation, epoch. */
  private static final String HAND_OVER =
      """
      UPDATE outbox_lease
      SET node = ?, incarnation = ?
      WHERE partition_no = ? AND node = ? AND incarnation = ? AND epoch = ?
      """;

  @Override
  public Sql handOver(Lease lease, NodeId to) {
    return Sql.of(
        names.in(HAND_OVER),
        to.name(),
        to.incarnation(),
        lease.partition(),
        lease.node().name(),
        lease.node().incarnation(),
        lease.epoch());
  }

  /** Parameters: partition, node, incarnation, epoch. */
  private static final String RELEASE =
      """
      UPDATE outbox_lease
      SET node = NULL, incarnation = NULL
      WHERE partition_no = ? AND node = ? AND incarnation = ? AND epoch = ?
      """;

  @Override
  public List<Sql> release(Collection<Lease> leases) {
    return leases.stream().map(lease -> Sql.of(names.in(RELEASE), held(lease).toArray())).toList();
  }

  /** Parameter: incarnation. */
  private static final String FREE_ALL =
      """
      UPDATE outbox_lease
      SET node = NULL, incarnation = NULL
      WHERE incarnation = ?
      """;

  /** Parameter: incarnation. */
  private static final String FORGET_NODE =
      """
      DELETE FROM outbox_node
      WHERE incarnation = ?
      """;

  @Override
  public List<Sql> leave(NodeId node) {
    return List.of(
        Sql.of(names.in(FREE_ALL), node.incarnation()),
        Sql.of(names.in(FORGET_NODE), node.incarnation()));
  }
}
