package io.angarium.jdbc;

import io.angarium.ConfigurationException;
import io.angarium.TimeSource;
import io.angarium.intake.Partitioning;
import io.angarium.jdbc.internal.catalogue.TableDialect;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.dialect.LeaseSql;
import io.angarium.jdbc.internal.session.OpenDatabase;
import io.angarium.jdbc.internal.session.Servers;
import io.angarium.jdbc.internal.session.Session;
import io.angarium.jdbc.internal.session.SessionPool;
import io.angarium.jdbc.internal.session.Source;
import io.angarium.jdbc.internal.session.StoreSessions;
import io.angarium.jdbc.internal.session.Transaction;
import io.angarium.jdbc.internal.sql.SessionRole;
import io.angarium.jdbc.internal.write.MembershipRows;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.store.lease.Lease;
import io.angarium.store.lease.LeaseStore;
import io.angarium.store.lease.Membership;
import io.angarium.store.lease.NodeId;
import io.angarium.store.lease.NodeIdInUseException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Nodes and leases of one database. Keeps a connection of its own from the first use to the close,
 * so that no slow read can delay a heartbeat. Thread-safe: one call at a time.
 */
public final class JdbcLeaseStore implements LeaseStore, AutoCloseable {
  /** SQLStates of broken constraints begin so. */
  private static final String CONSTRAINT = "23";

  /** SQLStates: no such column, as in tables of an earlier version, or no right on it. */
  private static final Set<String> NO_COLUMN = Set.of("42703", "42S22", "42501");

  /** MySQL and MariaDB: no right on a column. Its SQLState says less. */
  private static final int COLUMN_DENIED = 1143;

  private final Dialect dialect;
  private final LeaseSql sql;
  private final JdbcConfig config;
  private final Session session;
  private final SessionPool.Kept kept;
  private final Source source;
  private final Servers servers;
  private final TimeSource time;
  private final Map<NodeId, String> transports = new ConcurrentHashMap<>();

  /** The nodes whose row has their transports. */
  private final Set<NodeId> noted = ConcurrentHashMap.newKeySet();

  JdbcLeaseStore(OpenDatabase database) {
    this.dialect = database.dialect();
    this.sql = dialect.leases();
    this.config = database.config();
    this.source = database.source();
    this.time = database.time();
    this.servers = source.servers();
    this.kept = database.sessions().keep("the relay", StoreSessions.USED + 1);
    this.session =
        database.session(SessionRole.WRITE, database.config().leaseTimeout(), servers::era);
  }

  /**
   * {@inheritDoc}
   *
   * @throws ConfigurationException also if the account lacks rights that a relay needs; lists all
   */
  @Override
  public void prepare(Partitioning partitioning) {
    requireRights();
    List<Integer> partitions = Arrays.stream(partitioning.all()).boxed().toList();
    session.transaction(
        "preparing leases",
        connection -> {
          sql.setPartitioning(partitioning.keyed(), partitioning.keyless()).run(connection);
          checkPartitioning(connection, partitioning);
          return Transaction.runAll(connection, sql.addLeases(partitions, firstEpoch()));
        });
  }

  private void requireRights() {
    if (config.schemaMode() == SchemaMode.NONE) {
      return;
    }
    List<TableDialect.Need> needs = new ArrayList<>(TableDialect.OF_RELAY);
    if (config.history()) {
      needs.add(TableDialect.OF_HISTORY);
    }
    if (config.confirmation().required()) {
      needs.add(TableDialect.OF_CONFIRMATION);
    }
    List<String> missing =
        session.call("reading rights", in -> dialect.tables().missingRights(in, needs));
    if (!missing.isEmpty()) {
      throw new ConfigurationException(missing);
    }
  }

  /** Puts back the row that all others go by, if somebody has deleted it, as tests do. */
  private void putBack(Connection connection, Partitioning partitioning) throws SQLException {
    UUID known = source.id();
    if (known != null) {
      dialect.schema().putBackSource(known).run(connection);
      sql.setPartitioning(partitioning.keyed(), partitioning.keyless()).run(connection);
    }
  }

  /** Another one each time: who held a lease that somebody deleted must not take it for the new. */
  private long firstEpoch() {
    return time.instant().toEpochMilli();
  }

  private void checkPartitioning(Connection connection, Partitioning partitioning)
      throws SQLException {
    List<Partitioning> stored = stored(connection);
    if (stored.isEmpty()) {
      putBack(connection, partitioning);
      stored = stored(connection);
    }
    if (!stored.equals(List.of(partitioning))) {
      throw new ConfigurationException(
          List.of(
              "partitions: "
                  + partitioning
                  + " (expected: "
                  + stored
                  + ", with which this database was set up; changing it would break the order of"
                  + " keys)"));
    }
  }

  private List<Partitioning> stored(Connection connection) throws SQLException {
    return sql.partitioning()
        .query(connection, row -> new Partitioning(row.getInt(1), row.getInt(2)));
  }

  @Override
  public Membership heartbeat(NodeId node, boolean takingPart, Duration ttl) {
    boolean known =
        session.call(
            "sending a heartbeat",
            connection -> {
              if (refresh(connection, node, takingPart, ttl)) {
                return true;
              }
              sql.cutNodes(ttl, TTL_MAX).run(connection);
              return false;
            });
    if (!known) {
      enter(node, takingPart, ttl);
      noted.remove(node);
    }
    note(node);
    // a statement of its own: its snapshot shows a takeover that the update waited for
    return session.call(
        "reading the nodes",
        connection -> {
          MembershipRows rows = new MembershipRows(dialect);
          sql.members(TTL_MAX).forEach(connection, rows::add);
          Long expiresAt = rows.expiresAt(node);
          if (rows.tooFarAhead()) {
            servers.forgetHeartbeats(); // before they change
            sql.cutNodes(ttl, TTL_MAX).run(connection);
          } else if (expiresAt != null) {
            servers.noteHeartbeat(node, expiresAt);
          }
          return rows.membership();
        });
  }

  /** If the last heartbeat is not there, a backup was restored. */
  private boolean refresh(Connection connection, NodeId node, boolean takingPart, Duration ttl)
      throws SQLException {
    long noted = servers.heartbeat(node);
    if (sql.refreshNode(node, takingPart, ttl, noted).run(connection) > 0) {
      return true;
    }
    boolean restored = servers.isRestored(connection, sql);
    this.noted.remove(node); // a backup may be older than the note
    return restored && noted > 0 && sql.refreshNode(node, takingPart, ttl, 0).run(connection) > 0;
  }

  @Override
  public void noteTransports(NodeId node, Set<String> names) {
    transports.put(node, String.join(",", new TreeSet<>(names)));
    noted.remove(node);
  }

  /** A row that a heartbeat added has none yet. */
  private void note(NodeId node) {
    String names = transports.get(node);
    if (names != null && !noted.contains(node)) {
      session.call(
          "noting transports",
          connection -> ifColumnExists(() -> sql.noteTransports(node, names).run(connection), 0));
      noted.add(node);
    }
  }

  @Override
  public Map<NodeId, Set<String>> transports() {
    Map<NodeId, Set<String>> found =
        session.call(
            "reading the transports of nodes",
            connection -> ifColumnExists(() -> readTransports(connection), Map.of()));
    noted.retainAll(found.keySet()); // the column may have been added since
    return found;
  }

  private Map<NodeId, Set<String>> readTransports(Connection connection) throws SQLException {
    Map<NodeId, Set<String>> found = new HashMap<>();
    sql.transports()
        .forEach(
            connection,
            row ->
                found.put(
                    new NodeId(row.getString(1), dialect.uuid(row, 2)),
                    Set.of(row.getString(3).split(","))));
    return found;
  }

  /** What a statement needs whose column a script adds that need not have run. */
  private interface Statement<T> {
    T run() throws SQLException;
  }

  private static <T> T ifColumnExists(Statement<T> statement, T otherwise) throws SQLException {
    try {
      return statement.run();
    } catch (SQLException e) {
      if (NO_COLUMN.contains(String.valueOf(e.getSQLState()))
          || e.getErrorCode() == COLUMN_DENIED) {
        return otherwise;
      }
      throw e;
    }
  }

  private void enter(NodeId node, boolean takingPart, Duration ttl) {
    session.transaction(
        "entering a node",
        connection -> {
          Transaction.runAll(connection, sql.retireNodes(node));
          try {
            return sql.enterNode(node, takingPart, ttl).run(connection);
          } catch (SQLException e) {
            throw inUse(node, e);
          }
        });
  }

  private static NodeIdInUseException inUse(NodeId node, SQLException e) throws SQLException {
    String state = e.getSQLState();
    if (state == null || !state.startsWith(CONSTRAINT)) {
      throw e;
    }
    return new NodeIdInUseException(
        "node: '"
            + node.name()
            + "' (expected: a name that no other live node has); choose another name, or wait until"
            + " the heartbeat of the other one has run out",
        e);
  }

  @Override
  public List<Lease> acquire(NodeId node, Collection<Integer> partitions, Duration margin) {
    if (partitions.isEmpty()) {
      return List.of();
    }
    List<Integer> wanted = partitions.stream().sorted().distinct().toList();
    return session.transaction(
        "acquiring leases",
        connection -> {
          // locks first, in one order; the statements after them see what was committed meanwhile
          sql.lockPartitions(wanted).run(connection);
          Transaction.runAll(connection, sql.lockExpired(wanted, margin));
          List<UUID> expired =
              sql.expired(wanted, margin).query(connection, row -> dialect.uuid(row, 1));
          sql.take(node, wanted, expired).run(connection);
          return sql.leasesOf(node, wanted)
              .query(connection, row -> new Lease(row.getInt(1), node, row.getLong(2)));
        });
  }

  @Override
  public void release(Collection<Lease> leases) {
    if (leases.isEmpty()) {
      return;
    }
    List<Integer> partitions = leases.stream().map(Lease::partition).sorted().toList();
    session.transaction(
        "releasing leases",
        connection -> {
          sql.lockPartitions(partitions).run(connection);
          return Transaction.runAll(connection, sql.release(leases));
        });
  }

  @Override
  public void handOver(Lease lease, NodeId to) {
    session.transaction(
        "handing a lease over",
        connection -> {
          sql.lockPartitions(List.of(lease.partition())).run(connection);
          return sql.handOver(lease, to).run(connection);
        });
  }

  @Override
  public void leave(NodeId node) {
    servers.forgetHeartbeat(node);
    noted.remove(node);
    session.transaction("leaving", connection -> Transaction.runAll(connection, sql.leave(node)));
  }

  /** Gives the connection back; calls after it fail. May be called twice. */
  @Override
  public void close() {
    session.close();
    kept.close();
  }
}
