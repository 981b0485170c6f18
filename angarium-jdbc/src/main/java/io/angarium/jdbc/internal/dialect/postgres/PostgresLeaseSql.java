package io.angarium.jdbc.internal.dialect.postgres;

import static io.angarium.jdbc.internal.dialect.postgres.PostgresValues.array;
import static io.angarium.jdbc.internal.dialect.postgres.PostgresValues.partitionArray;
import static io.angarium.jdbc.internal.dialect.postgres.PostgresValues.uuidArray;

import io.angarium.jdbc.internal.dialect.LeaseSql;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.store.lease.Lease;
import io.angarium.store.lease.NodeId;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/**
 * Nodes and leases on PostgreSQL. Times come from {@code clock_timestamp()}, because a wait for a
 * lock must not turn time back.
 */
public final class PostgresLeaseSql implements LeaseSql {
  private final TableNames names;

  PostgresLeaseSql(TableNames names) {
    this.names = names;
  }

  /** Parameters: partitions, nodes, incarnations, epochs. */
  private static final String FENCE =
      """
      SELECT l.partition_no
      FROM outbox_lease AS l
      JOIN unnest(?::smallint[], ?::text[], ?::uuid[], ?::bigint[])
        AS held (partition_no, node, incarnation, epoch)
        ON l.partition_no = held.partition_no
        AND l.node = held.node
        AND l.incarnation = held.incarnation
        AND l.epoch = held.epoch
      ORDER BY l.partition_no
      FOR UPDATE OF l
      """;

  @Override
  public Sql fence(Collection<Lease> leases) {
    return held(FENCE, leases);
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

  /** Parameters: epoch, partitions. */
  private static final String ADD_LEASES =
      """
      INSERT INTO outbox_lease (partition_no, epoch)
      SELECT partition_no, ? FROM unnest(?::smallint[]) AS p (partition_no)
      ON CONFLICT DO NOTHING
      """;

  @Override
  public List<Sql> addLeases(Collection<Integer> partitions, long epoch) {
    return List.of(Sql.of(names.in(ADD_LEASES), epoch, partitionArray(partitions)));
  }

  /** Parameters: milliseconds to live, whether it takes part, incarnation, name, not before. */
  private static final String REFRESH_NODE =
      """
      UPDATE outbox_node
      SET expires_at = clock_timestamp() + ? * interval '1 millisecond', taking_part = ?
      WHERE incarnation = ? AND node = ?
        AND (extract(epoch FROM expires_at) * 1000000)::bigint >= ?
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
      SELECT (extract(epoch FROM expires_at) * 1000000)::bigint
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
      SET node = NULL, taking_part = false
      WHERE node = ? AND incarnation <> ? AND expires_at <= clock_timestamp()
      """;

  /** Parameter: incarnation. */
  private static final String FORGET_RETIRED =
      """
      DELETE FROM outbox_node AS n
      WHERE (n.incarnation = ? AND n.node IS NULL)
        OR (n.expires_at < clock_timestamp() - interval '1 day'
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
      VALUES (?, ?, clock_timestamp() + ? * interval '1 millisecond', ?)
      """;

  @Override
  public Sql enterNode(NodeId node, boolean takingPart, Duration ttl) {
    return Sql.of(
        names.in(ENTER_NODE), node.incarnation(), node.name(), ttl.toMillis(), takingPart);
  }

  /**
   * Parameter: milliseconds. Every name comes after the empty one, and every partition after the
   * lowest number: with a condition on an index the plan is cheap, which would take parallel
   * workers otherwise.
   */
  private static final String MEMBERS =
      """
      SELECT
        NULL::smallint, node, incarnation, (extract(epoch FROM expires_at) * 1000000)::bigint,
        expires_at > clock_timestamp(), taking_part,
        expires_at > clock_timestamp() + ? * interval '1 millisecond'
      FROM outbox_node
      WHERE node > ''
      UNION ALL
      SELECT partition_no, node, incarnation, epoch, false, false, false
      FROM outbox_lease
      WHERE partition_no >= -32768 AND incarnation IS NOT NULL
      """;

  @Override
  public Sql members(Duration ahead) {
    return Sql.of(names.in(MEMBERS), ahead.toMillis());
  }

  /** Parameters: milliseconds to live, and those that are too many. */
  private static final String CUT_NODES =
      """
      UPDATE outbox_node
      SET expires_at = clock_timestamp() + ? * interval '1 millisecond'
      WHERE expires_at > clock_timestamp() + ? * interval '1 millisecond'
      """;

  @Override
  public Sql cutNodes(Duration ttl, Duration ahead) {
    return Sql.of(names.in(CUT_NODES), ttl.toMillis(), ahead.toMillis());
  }

  /** Parameter: partitions. */
  private static final String LOCK_PARTITIONS =
      """
      SELECT partition_no
      FROM outbox_lease
      WHERE partition_no = ANY (?::smallint[])
      ORDER BY partition_no
      FOR UPDATE
      """;

  @Override
  public Sql lockPartitions(Collection<Integer> partitions) {
    return Sql.of(names.in(LOCK_PARTITIONS), partitionArray(partitions));
  }

  @Override
  public List<Sql> lockExpired(Collection<Integer> partitions, Duration margin) {
    return List.of();
  }

  /** Locks, too: a heartbeat waits and then sees the new owner. Parameters: partitions, margin. */
  private static final String EXPIRED =
      """
      SELECT n.incarnation
      FROM outbox_node AS n
      WHERE n.incarnation IN (
          SELECT l.incarnation FROM outbox_lease AS l WHERE l.partition_no = ANY (?::smallint[]))
        AND n.expires_at <= clock_timestamp() - ? * interval '1 millisecond'
      ORDER BY n.incarnation
      FOR UPDATE
      """;

  @Override
  public Sql expired(Collection<Integer> partitions, Duration margin) {
    return Sql.of(names.in(EXPIRED), partitionArray(partitions), margin.toMillis());
  }

  /** Parameters: name, incarnation, partitions, incarnation, expired incarnations. */
  private static final String TAKE =
      """
      UPDATE outbox_lease AS l
      SET node = ?, incarnation = ?, epoch = l.epoch + 1
      WHERE l.partition_no = ANY (?::smallint[])
        AND (l.incarnation IS NULL
          OR l.incarnation = ?
          OR l.incarnation = ANY (?::uuid[])
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
      WHERE incarnation = ? AND partition_no = ANY (?::smallint[])
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
      WHERE node IS NOT NULL AND transports IS NOT NULL AND expires_at > clock_timestamp()
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

  /** Parameters: partitions, nodes, incarnations, epochs. */
  private static final String RELEASE =
      """
      UPDATE outbox_lease AS l
      SET node = NULL, incarnation = NULL
      FROM unnest(?::smallint[], ?::text[], ?::uuid[], ?::bigint[])
        AS held (partition_no, node, incarnation, epoch)
      WHERE l.partition_no = held.partition_no
        AND l.node = held.node
        AND l.incarnation = held.incarnation
        AND l.epoch = held.epoch
      """;

  @Override
  public List<Sql> release(Collection<Lease> leases) {
    return List.of(held(RELEASE, leases));
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

  private Sql held(String text, Collection<Lease> leases) {
    return Sql.of(
        names.in(text),
        array("int2", leases, l -> (short) l.partition()),
        array("text", leases, l -> l.node().name()),
        array("uuid", leases, l -> l.node().incarnation()),
        array("int8", leases, Lease::epoch));
  }
}
