package io.angarium.jdbc.internal.dialect;

import io.angarium.StoreException;
import io.angarium.TimeSource;
import io.angarium.half.Marker;
import io.angarium.intake.NewMessage;
import io.angarium.intake.Position;
import io.angarium.jdbc.internal.catalogue.TableDialect;
import io.angarium.jdbc.internal.sql.ParkedKey;
import io.angarium.jdbc.internal.sql.Repeated;
import io.angarium.jdbc.internal.sql.SessionRole;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.jdbc.internal.sql.TransactionWatch;
import io.angarium.jdbc.settings.OtherServer;
import io.angarium.store.Backlog;
import io.angarium.store.DeadEntry;
import io.angarium.store.ParkedEntry;
import io.angarium.store.SequenceRange;
import io.angarium.store.lease.Lease;
import io.angarium.store.lease.NodeId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongUnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Every statement of one database, as whole text blocks in one class. Rows of messages come with
 * the columns of {@link MessageRows}, those read by the relay with the size of the payload behind
 * them. Thread-safe.
 */
public sealed interface Dialect permits PostgresDialect, DirtyReads {
  /** The database's name as its makers write it. */
  String database();

  /** The folder of its schema scripts. */
  String folder();

  /** The settings that a session has for a role, by name; text as the database shows it. */
  Map<String, String> sessionSettings(SessionRole role);

  /**
   * Changes settings of a session, in one or two round trips.
   *
   * @return what they were before, for {@link #putBack}
   */
  Map<String, @Nullable String> change(Connection connection, Map<String, String> settings)
      throws SQLException;

  /**
   * What is wrong about the way to the server if it does not lead to one session for good; null if
   * nothing is.
   *
   * @param held in auto-commit mode
   * @param others where another connection can be taken
   */
  default @Nullable String sessionFault(Connection held, DataSource others) throws SQLException {
    return null;
  }

  /** Puts settings back to what they were before {@link #change}, in one round trip. */
  void putBack(Connection connection, Map<String, @Nullable String> before) throws SQLException;

  /** What the catalogue says about the tables. */
  TableDialect tables();

  /** Columns that only this database has, by what follows the prefix in the table's name. */
  default Map<String, Set<String>> ownColumns() {
    return Map.of();
  }

  /**
   * Makes other nodes wait while this one creates the tables; in its transaction.
   *
   * @throws StoreException if another one goes on for too long
   */
  void lockForCreate(Connection connection) throws SQLException;

  /**
   * What a thread holds while it creates or checks tables, for a database that has no lock for
   * {@link #lockForCreate}, and whose catalogue cannot be read while another thread changes it.
   */
  default Object createMonitor() {
    return new Object();
  }

  /** Ends what {@link #lockForCreate} began and the end of the transaction does not end. */
  default void unlockAfterCreate(Connection connection) throws SQLException {}

  /**
   * True if a statement of a script failed because it has run before, in a node that crashed before
   * the end of the script.
   */
  default boolean isAlreadyThere(SQLException e) {
    return false;
  }

  /** What the server says of itself; names an {@link OtherServer} if it is one. */
  String describeServer(Connection connection) throws SQLException;

  /** The faults of the server itself, e.g. its version; empty if there are none. */
  List<String> serverFaults(Connection connection) throws SQLException;

  /** The names of the tables. */
  TableNames names();

  /** The recorded version of a feature, one row at most; the same text on every database. */
  default Sql featureVersion(String feature) {
    return Sql.of(
        names()
            .in(
                """
                SELECT version, works_from
                FROM outbox_feature
                WHERE feature = ?
                """),
        feature);
  }

  /** The number that Angarium 0.1 counts, one row at most; the same text on every database. */
  default Sql schemaVersion() {
    return Sql.of(names().in("SELECT version FROM outbox_schema"));
  }

  /** Which set of tables it is: one row, null if the table is empty. */
  default Sql source() {
    return Sql.of(names().in("SELECT (SELECT source FROM outbox_schema)"));
  }

  /**
   * One row: the mark of the server, null if it has none, and whether it takes writes. Each other
   * server that takes over has another mark.
   */
  Sql server();

  /** Reads the columns of {@link #source}, and behind them the columns of {@link #server}. */
  Sql sourceAndServer();

  /** Puts back the row that {@link #source} reads, if somebody has deleted it. */
  Sql putBackSource(UUID source);

  /** Reads a column that holds a UUID. */
  UUID uuid(ResultSet row, int column) throws SQLException;

  /** Reads a column that holds a point in time. */
  Instant instant(ResultSet row, int column) throws SQLException;

  // ---- written by producers, in their transactions

  /** What the database gave to a new row. */
  public record Inserted(long sequence, Instant createdAt) {}

  /** The most messages one insert takes; more become several statements. */
  int insertMax();

  /**
   * Inserts messages so that their sequences follow the order of the list.
   *
   * @return one for each message, in any order
   */
  List<Inserted> insert(Connection connection, List<NewMessage> messages) throws SQLException;

  /**
   * Inserts messages like {@link #insert}, for keyed partitions. What the database gave these
   * messages is not returned, as the relay reads them from there.
   *
   * @return how many rows the database says it inserted
   */
  int insertKeyed(Connection connection, List<NewMessage> messages) throws SQLException;

  /** Inserts delayed messages. */
  Sql insertDelayed(List<NewMessage> messages);

  /**
   * Notes pairs of business type and key.
   *
   * @param messages in order of type and key, so that concurrent callers do not deadlock
   * @return the ids of the messages whose pair was new
   */
  Set<UUID> claimBusinessKeys(Connection connection, List<NewMessage> messages) throws SQLException;

  /** Takes back what {@link #claimBusinessKeys} noted for these messages. */
  Sql releaseBusinessKeys(List<NewMessage> messages);

  // ---- read by the relay

  /** The {@code inline} of a read that brings no payloads, not even empty ones. */
  int NO_PAYLOADS = -1;

  /**
   * True if a statement that names a payload loads all of it, even if it does not bring it, so that
   * large ones are read twice. Such a dialect takes {@link #NO_PAYLOADS} in {@link #read} and
   * {@link #readStretch}.
   */
  default boolean loadsWhatItNames() {
    return false;
  }

  /**
   * Rows of the spans. Like all reads for the relay it leaves payloads of more than {@code inline}
   * bytes out and says how large they are, see {@code BoundedRead}.
   */
  Sql read(List<SequenceRange> spans, int limitPerSpan, int inline);

  /**
   * All rows of some partitions above one sequence and up to another, as {@link #read} returns
   * them, found together; run in a session for {@link SessionRole#READ_STRETCH}. Null if this
   * database has no better way than {@link #read}.
   */
  default @Nullable Sql readStretch(
      Collection<Integer> partitions, long after, long upTo, int inline) {
    return null;
  }

  /** The rows at these positions, as {@link #read} returns them. */
  Sql readAt(List<Position> positions, int inline);

  /** The last sequence handed out, 0 if none; one row, one column. */
  Sql lastSequence();

  /**
   * A statement that a person may run, after which the next sequence is {@code next}.
   *
   * @param next above every row
   */
  Sql raiseSequence(long next);

  /** Partition and key hash of blocked keys. */
  Sql blockedKeys(Collection<Integer> partitions);

  /** Due heads, longest due first. */
  Sql dueHeads(Collection<Integer> partitions, Collection<String> except, int limit, int inline);

  /** Parked rows of a key in order of sequence. */
  Sql parkedOfKey(int partition, long keyHash, int limit, int inline);

  /** The parked rows at these positions. */
  Sql parkedAt(List<Position> positions, int inline);

  /**
   * One row: messages counted up to a limit, parked and delayed ones, dead ones, the lowest
   * sequence seen, the last sequence, the oldest age in milliseconds.
   */
  Sql backlog(int limit);

  /** How a store of this database measures its backlog. */
  default BacklogLook backlogLook(TimeSource time) {
    Sql sql = backlog(Backlog.EXACT_MAX + 1);
    return connection -> sql.query(connection, BacklogLook::backlog).get(0);
  }

  // ---- written by the relay

  /** Deletes rows of the outbox; positions are sorted. */
  List<Sql> delete(List<Position> positions, boolean history);

  /**
   * Locks those rows of the outbox that no other transaction has locked, and reads partition,
   * sequence and message of each; positions are sorted.
   */
  Sql lockFreeRows(List<Position> positions);

  /** Where a row read by {@link #read} is, for {@link #deleteInPlace}; 0 if it does not say. */
  default long place(ResultSet row, int column) throws SQLException {
    return 0;
  }

  /**
   * Deletes rows of the outbox where they were read, which costs less than to look them up; one
   * that is elsewhere by now stays. Null if this database has no such thing.
   *
   * @param positions all with a place
   */
  default @Nullable Sql deleteInPlace(List<Position> positions, boolean history) {
    return null;
  }

  /** A delete of some rows by one scan, and the others. */
  record Scan(Sql delete, List<Position> others) {}

  /**
   * Deletes rows by one scan, which fails if another session holds one between them; null if there
   * is no such thing here, or it would not save anything.
   *
   * @param ascending by sequence, at least one; no row behind the last of them is waited for
   * @param decided no row up to it is of an open transaction; it may lie behind them
   */
  default @Nullable Scan deleteByScan(List<Position> ascending, long decided) {
    return null;
  }

  /** Locks leases that are still held, to the end of the transaction; one row or change each. */
  Sql fence(Collection<Lease> leases);

  /** Moves rows from the outbox to the parked list. */
  List<Sql> park(List<ParkedEntry> parkings);

  /** Deletes parked rows; positions are sorted. */
  List<Sql> deleteParked(List<Position> positions, boolean history);

  /** Notes failed attempts of parked rows and makes them heads; the counts tell how many. */
  List<Sql> reschedule(List<ParkedEntry> failed);

  /** Turns the heads of keys into followers, unless they are to stay the head. */
  List<Sql> demote(List<ParkedKey> keys);

  /**
   * Makes the lowest parked row of each key that has no head its head, due at once, unless a dead
   * letter blocks the key.
   */
  List<Sql> promote(List<ParkedKey> keys);

  /** The hashes of those keys that have parked rows. */
  Sql stillParked(List<ParkedKey> keys);

  /** Moves rows from the outbox and the parked list to the dead letters. */
  List<Sql> bury(List<DeadEntry> burials);

  /** A row if any delayed message of these partitions is due. */
  Sql anyDue(Collection<Integer> partitions);

  /**
   * Rows of a number, a flag and microseconds: the highest number is the last sequence, any flag
   * tells that a parked message of these partitions is due, and the microseconds when the first
   * delayed one is; null if it is not due within the time to look ahead.
   */
  Sql glance(Collection<Integer> partitions, Duration ahead);

  /**
   * How a store of this database answers the question of an idle relay.
   *
   * @param reached see {@code Horizon.reached}
   */
  default GlanceLook glanceLook(TimeSource time, LongUnaryOperator reached) {
    return (connection, partitions, ahead) ->
        GlanceLook.ask(connection, glance(partitions, ahead), reached);
  }

  /** Moves due delayed messages into the outbox, and tells their positions there. */
  List<Position> enqueueDue(Connection connection, Collection<Integer> partitions, int limit)
      throws SQLException;

  // ---- markers of local transactions

  /** The outcome of a marker, which stays as it is; the same text on every database. */
  default Sql markerOutcome(Marker marker) {
    return Sql.of(
        names()
            .in(
                """
                SELECT outcome
                FROM outbox_marker
                WHERE marker_type = ? AND marker_key = ?
                """),
        marker.type(),
        marker.key());
  }

  /** Key and outcome of those markers that are there; the same text on every database. */
  default Sql markerOutcomes(String type, Collection<String> keys) {
    List<@Nullable Object> padded = Repeated.padded(keys);
    List<@Nullable Object> parameters = new ArrayList<>();
    parameters.add(type);
    parameters.addAll(padded);
    String text =
        names()
            .in(
                """
                SELECT marker_key, outcome
                FROM outbox_marker
                WHERE marker_type = ? AND marker_key IN ({?|, })
                """);
    return new Sql(Repeated.times(text, padded.size()), parameters);
  }

  /** Inserts a marker. */
  Sql insertMarker(Marker marker, String outcome);

  /**
   * Runs {@link #insertMarker}; waits for a transaction that is open and has written it.
   *
   * @return false if it is there already
   */
  default boolean addMarker(Connection connection, Marker marker, String outcome)
      throws SQLException {
    return insertMarker(marker, outcome).update(connection) == 1;
  }

  /** SQLState of writes that are refused because the transaction or the server is read-only. */
  String READ_ONLY = "25006";

  /** True if a statement was refused because the server takes no writes. */
  default boolean isReadOnly(SQLException e) {
    return READ_ONLY.equals(e.getSQLState());
  }

  /** True if a statement gave up waiting for another transaction, or was ended in its favour. */
  boolean isLockTimeout(SQLException e);

  /**
   * Begins to watch a transaction before its first statement. Its work must use the connection that
   * the watch gives out. A database may end the transaction early, or answer the commit by a
   * rollback; work that swallows the error would go on.
   */
  default TransactionWatch watch(Connection connection) throws SQLException {
    return watch(connection, false);
  }

  /**
   * Watches a transaction like {@link #watch(Connection)}.
   *
   * @param open whether the transaction may have run a statement
   */
  TransactionWatch watch(Connection connection, boolean open) throws SQLException;

  /** True if a statement was ended in favour of another transaction: it need not wait. */
  boolean isDeadlock(SQLException e);

  /** Deletes markers older than an age; returns how many. */
  int trimMarkers(Connection connection, Duration age, int limit) throws SQLException;

  // ---- dead letters

  /** Dead letters by message id: message columns, then reason, dead since, blocks key. */
  Sql deadOf(Collection<UUID> ids);

  /** Partition, key hash, blocks key and message id of dead letters. */
  Sql deadKeysOf(Collection<UUID> ids);

  /** Moves dead letters that block their key to the parked list; the last statement counts. */
  List<Sql> requeueBlocking(Collection<UUID> ids, String by);

  /** Moves the other dead letters to the outbox; the last statement counts. */
  List<Sql> requeueOthers(Collection<UUID> ids, String by);

  /** Deletes dead letters. */
  Sql discard(Collection<UUID> ids);

  // ---- retention

  /** Deletes history older than an age. */
  Sql trimSent(Duration age, int limit);

  /** Deletes business keys older than an age; returns how many. */
  int trimDedup(Connection connection, Duration age, int limit) throws SQLException;

  // ---- leases

  /** Sets the partitioning if it is not set. */
  Sql setPartitioning(int keyed, int keyless);

  /** The partitioning that is set: keyed, keyless. */
  Sql partitioning();

  /** Adds lease rows that are missing. */
  List<Sql> addLeases(Collection<Integer> partitions, long epoch);

  /**
   * Prolongs a node; changes no row if it is not known under its name, or would have expired
   * before.
   *
   * @param notBefore microseconds since 1970, as {@link #expiresAt} returns them
   */
  Sql refreshNode(NodeId node, boolean takingPart, Duration ttl, long notBefore);

  /** When a node expires, in microseconds since 1970; no row if it is not known. */
  Sql expiresAt(UUID incarnation);

  /** Takes the name from nodes that are no longer alive and forgets those long gone. */
  List<Sql> retireNodes(NodeId node);

  /** Adds a node; violates a unique key if its name is taken. */
  Sql enterNode(NodeId node, boolean takingPart, Duration ttl);

  /**
   * Nodes that have their name, and partitions that have an owner, of one snapshot: partition (none
   * for a node), node, incarnation, epoch or {@link #expiresAt}, live, taking part, and whether it
   * lives for longer than {@code ahead} (the last three of nodes only).
   */
  Sql members(Duration ahead);

  /** Lets nodes that live for longer than {@code ahead} live for {@code ttl} only. */
  Sql cutNodes(Duration ttl, Duration ahead);

  /** Locks lease rows in order of partition. */
  Sql lockPartitions(Collection<Integer> partitions);

  /** Locks the nodes that own one of the partitions and expired a margin ago. */
  List<Sql> lockExpired(Collection<Integer> partitions, Duration margin);

  /** The incarnations locked by {@link #lockExpired}. */
  Sql expired(Collection<Integer> partitions, Duration margin);

  /** Takes partitions that are free, that the node owns, or whose owner is expired or unknown. */
  Sql take(NodeId node, Collection<Integer> partitions, Collection<UUID> expired);

  /** Partition and epoch of the node's leases among the partitions. */
  Sql leasesOf(NodeId node, Collection<Integer> partitions);

  /** Notes the names of a node's transports. */
  Sql noteTransports(NodeId node, String transports);

  /** Name, incarnation and transports of each live node that noted them. */
  Sql transports();

  /** Gives a lease that is still held to another node. */
  Sql handOver(Lease lease, NodeId to);

  /** Frees leases that are still held. */
  List<Sql> release(Collection<Lease> leases);

  /** Frees all partitions of a node and forgets it. */
  List<Sql> leave(NodeId node);
}
