package io.angarium.jdbc.internal.dialect.mysql;

import static io.angarium.jdbc.internal.dialect.mysql.MySqlValues.micros;

import io.angarium.jdbc.internal.dialect.LeaseSql;
import io.angarium.jdbc.internal.sql.BinaryIds;
import io.angarium.jdbc.internal.sql.JsonRows;
import io.angarium.jdbc.internal.sql.Repeated;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.store.lease.Lease;
import io.angarium.store.lease.NodeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Nodes and leases on MySQL and MariaDB. */
public final class MySqlLeaseSql implements LeaseSql {
  private final TableNames names;
  private final MySqlVariant variant;

  MySqlLeaseSql(TableNames names, MySqlVariant variant) {
    this.names = names;
    this.variant = variant;
  }

  /** Holds the rows. Parameter: rows of partition, node, incarnation, epoch. */
  private static final String FENCE =
      """
      SELECT l.partition_no
      FROM JSON_TABLE(?, '$[*]' COLUMNS (
          partition_no SMALLINT PATH '$[0]',
          node VARCHAR(128) CHARACTER SET utf8mb4 PATH '$[1]',
          incarnation CHAR(32) PATH '$[2]',
          epoch BIGINT PATH '$[3]')) AS v
        STRAIGHT_JOIN outbox_lease AS l FORCE INDEX (PRIMARY) ON l.partition_no = v.partition_no
      WHERE l.node = v.node AND l.incarnation = UNHEX(v.incarnation) AND l.epoch = v.epoch
      """;

  @Override
  public Sql fence(Collection<Lease> leases) {
    List<Lease> ascending =
        leases.stream().sorted(Comparator.comparingInt(Lease::partition)).toList();
    return Sql.of(
        names.in(FENCE + variant.forUpdate("l") + "\n"),
        JsonRows.of(
            ascending,
            lease ->
                new Object[] {
                  lease.partition(),
                  lease.node().name(),
                  BinaryIds.hex(lease.node().incarnation()),
                  lease.epoch()
                }));
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

  /** Parameters: partitions. */
  private static final String ADD_LEASES =
      """
      INSERT INTO outbox_lease (partition_no, epoch)
      VALUES {(?, ?)|, }
      ON DUPLICATE KEY UPDATE partition_no = VALUES(partition_no)
      """;

  @Override
  public List<Sql> addLeases(Collection<Integer> partitions, long epoch) {
    List<@Nullable Object> rows = new ArrayList<>();
    partitions.stream().sorted().forEach(partition -> rows.addAll(List.of(partition, epoch)));
    return List.of(new Sql(Repeated.times(names.in(ADD_LEASES), partitions.size()), rows));
  }

  /** Parameters: microseconds to live, whether it takes part, incarnation, name. */
  private static final String REFRESH_NODE =
      """
      UPDATE outbox_node FORCE INDEX (PRIMARY)
      SET expires_at = UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND, taking_part = ?
      WHERE incarnation = ? AND node = ?
        AND TIMESTAMPDIFF(MICROSECOND, '1970-01-01', expires_at) >= ?
      """;

  @Override
  public Sql refreshNode(NodeId node, boolean takingPart, Duration ttl, long notBefore) {
    return Sql.of(
        names.in(REFRESH_NODE),
        micros(ttl),
        takingPart,
        BinaryIds.bytes(node.incarnation()),
        node.name(),
        notBefore);
  }

  /** Parameter: incarnation. */
  private static final String EXPIRES_AT =
      """
      SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01', expires_at)
      FROM outbox_node
      WHERE incarnation = ?
      """;

  @Override
  public Sql expiresAt(UUID incarnation) {
    return Sql.of(names.in(EXPIRES_AT), BinaryIds.bytes(incarnation));
  }

  /** Parameters: name, incarnation. */
  private static final String RETIRE_NAMESAKES =
      """
      UPDATE outbox_node FORCE INDEX (by_name)
      SET node = NULL, taking_part = FALSE
      WHERE node = ? AND incarnation <> ? AND expires_at <= UTC_TIMESTAMP(6)
      """;

  /**
   * An update reads the leases without locking them, a delete would lock them after the nodes: the
   * other way round than those who take partitions.
   */
  private static final String MARK_FORGOTTEN =
      """
      UPDATE outbox_node AS n
      SET n.node = NULL, n.taking_part = FALSE, n.expires_at = '1971-01-01'
      WHERE n.expires_at < UTC_TIMESTAMP(6) - INTERVAL 1 DAY
        AND NOT EXISTS (SELECT 1 FROM outbox_lease AS l WHERE l.incarnation = n.incarnation)
      """;

  /** Parameter: incarnation. */
  private static final String FORGET_RETIRED =
      """
      DELETE FROM outbox_node
      WHERE (incarnation = ? AND node IS NULL) OR expires_at = '1971-01-01'
      """;

  @Override
  public List<Sql> retireNodes(NodeId node) {
    return List.of(
        Sql.of(names.in(RETIRE_NAMESAKES), node.name(), BinaryIds.bytes(node.incarnation())),
        Sql.of(names.in(MARK_FORGOTTEN)),
        Sql.of(names.in(FORGET_RETIRED), (Object) BinaryIds.bytes(node.incarnation())));
  }

  /** Parameters: incarnation, name, microseconds to live, whether it takes part. */
  private static final String ENTER_NODE =
      """
      INSERT INTO outbox_node (incarnation, node, expires_at, taking_part)
      VALUES (?, ?, UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND, ?)
      """;

  @Override
  public Sql enterNode(NodeId node, boolean takingPart, Duration ttl) {
    return Sql.of(
        names.in(ENTER_NODE),
        BinaryIds.bytes(node.incarnation()),
        node.name(),
        micros(ttl),
        takingPart);
  }

  /** Parameter: microseconds. */
  private static final String MEMBERS =
      """
      SELECT
        NULL, node, incarnation, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', expires_at),
        expires_at > UTC_TIMESTAMP(6), taking_part,
        expires_at > UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND
      FROM outbox_node
      WHERE node IS NOT NULL
      UNION ALL
      SELECT partition_no, node, incarnation, epoch, FALSE, FALSE, FALSE
      FROM outbox_lease
      WHERE incarnation IS NOT NULL
      """;

  @Override
  public Sql members(Duration ahead) {
    return Sql.of(names.in(MEMBERS), micros(ahead));
  }

  /** Parameters: microseconds to live, and those that are too many. */
  private static final String CUT_NODES =
      """
      UPDATE outbox_node
      SET expires_at = UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND
      WHERE expires_at > UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND
      """;

  @Override
  public Sql cutNodes(Duration ttl, Duration ahead) {
    return Sql.of(names.in(CUT_NODES), micros(ttl), micros(ahead));
  }

  /** Parameter: rows of partitions. */
  private static final String LOCK_PARTITIONS =
      """
      SELECT l.partition_no
      FROM JSON_TABLE(?, '$[*]' COLUMNS (partition_no SMALLINT PATH '$[0]')) AS v
        STRAIGHT_JOIN outbox_lease AS l FORCE INDEX (PRIMARY) ON l.partition_no = v.partition_no
      """;

  @Override
  public Sql lockPartitions(Collection<Integer> partitions) {
    return Sql.of(
        names.in(LOCK_PARTITIONS + variant.forUpdate("l") + "\n"),
        JsonRows.of(partitions.stream().sorted().toList(), p -> new Object[] {p}));
  }

  /** Parameters: margin in microseconds, partitions. */
  private static final String EXPIRED =
      """
      SELECT n.incarnation
      FROM outbox_node AS n FORCE INDEX (PRIMARY)
      WHERE n.expires_at <= UTC_TIMESTAMP(6) - INTERVAL ? MICROSECOND
        AND n.incarnation IN (
          SELECT l.incarnation FROM outbox_lease AS l WHERE l.partition_no IN ({?|, }))
      ORDER BY n.incarnation
      """;

  @Override
  public List<Sql> lockExpired(Collection<Integer> partitions, Duration margin) {
    return List.of(expired(EXPIRED + variant.forUpdate("n") + "\n", partitions, margin));
  }

  @Override
  public Sql expired(Collection<Integer> partitions, Duration margin) {
    return expired(EXPIRED, partitions, margin);
  }

  private Sql expired(String text, Collection<Integer> partitions, Duration margin) {
    List<@Nullable Object> parameters = new ArrayList<>();
    parameters.add(micros(margin));
    parameters.addAll(Repeated.padded(partitions));
    return new Sql(Repeated.times(names.in(text), parameters.size() - 1), parameters);
  }

  /** Parameters: name, incarnation, partitions, incarnation, rows of expired incarnations. */
  private static final String TAKE =
      """
      UPDATE outbox_lease AS l FORCE INDEX (PRIMARY)
      SET l.node = ?, l.incarnation = ?, l.epoch = l.epoch + 1
      WHERE l.partition_no IN ({?|, })
        AND (l.incarnation IS NULL
          OR l.incarnation = ?
          OR JSON_CONTAINS(?, JSON_QUOTE(LOWER(HEX(l.incarnation))))
          OR NOT EXISTS (SELECT 1 FROM outbox_node AS n WHERE n.incarnation = l.incarnation))
      """;

  @Override
  public Sql take(NodeId node, Collection<Integer> partitions, Collection<UUID> expired) {
    byte[] incarnation = BinaryIds.bytes(node.incarnation());
    List<@Nullable Object> padded = Repeated.padded(partitions);
    List<@Nullable Object> parameters = new ArrayList<>();
    parameters.add(node.name());
    parameters.add(incarnation);
    parameters.addAll(padded);
    parameters.add(incarnation);
    parameters.add(JsonRows.flat(expired.stream().map(BinaryIds::hex).toList()));
    return new Sql(Repeated.times(names.in(TAKE), padded.size()), parameters);
  }

  /** Parameters: incarnation, partitions. */
  private static final String LEASES_OF =
      """
      SELECT partition_no, epoch
      FROM outbox_lease FORCE INDEX (PRIMARY)
      WHERE incarnation = ? AND partition_no IN ({?|, })
      """;

  @Override
  public Sql leasesOf(NodeId node, Collection<Integer> partitions) {
    List<@Nullable Object> parameters = new ArrayList<>();
    parameters.add(BinaryIds.bytes(node.incarnation()));
    parameters.addAll(Repeated.padded(partitions));
    return new Sql(Repeated.times(names.in(LEASES_OF), parameters.size() - 1), parameters);
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
    return Sql.of(names.in(NOTE_TRANSPORTS), transports, BinaryIds.bytes(node.incarnation()));
  }

  private static final String TRANSPORTS =
      """
      SELECT node, incarnation, transports
      FROM outbox_node
      WHERE node IS NOT NULL AND transports IS NOT NULL AND expires_at > UTC_TIMESTAMP(6)
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
        BinaryIds.bytes(to.incarnation()),
        lease.partition(),
        lease.node().name(),
        BinaryIds.bytes(lease.node().incarnation()),
        lease.epoch());
  }

  /** Parameters: partition, node, incarnation, epoch. */
  private static final String RELEASE =
      """
      UPDATE outbox_lease FORCE INDEX (PRIMARY)
      SET node = NULL, incarnation = NULL
      WHERE partition_no = ? AND node = ? AND incarnation = ? AND epoch = ?
      """;

  @Override
  public List<Sql> release(Collection<Lease> leases) {
    return leases.stream()
        .map(
            lease ->
                Sql.of(
                    names.in(RELEASE),
                    lease.partition(),
                    lease.node().name(),
                    BinaryIds.bytes(lease.node().incarnation()),
                    lease.epoch()))
        .toList();
  }

  /** Goes through the leases in order of partition, as all who lock several. */
  private static final String FREE_ALL =
      """
      UPDATE outbox_lease FORCE INDEX (PRIMARY)
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
    byte[] incarnation = BinaryIds.bytes(node.incarnation());
    return List.of(
        Sql.of(names.in(FREE_ALL), (Object) incarnation),
        Sql.of(names.in(FORGET_NODE), (Object) incarnation));
  }
}
