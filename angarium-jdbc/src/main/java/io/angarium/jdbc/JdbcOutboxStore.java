package io.angarium.jdbc;

import io.angarium.Destination;
import io.angarium.TimeSource;
import io.angarium.deadletter.DeadLetters;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.jdbc.internal.dialect.BacklogLook;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.dialect.GlanceLook;
import io.angarium.jdbc.internal.dialect.LastSequence;
import io.angarium.jdbc.internal.dialect.MessageRows;
import io.angarium.jdbc.internal.read.BoundedRead;
import io.angarium.jdbc.internal.read.Horizon;
import io.angarium.jdbc.internal.read.NewRows;
import io.angarium.jdbc.internal.session.OpenDatabase;
import io.angarium.jdbc.internal.session.Session;
import io.angarium.jdbc.internal.session.StoreSessions;
import io.angarium.jdbc.internal.session.Transaction;
import io.angarium.jdbc.internal.sql.SessionRole;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.write.JdbcDeadLetters;
import io.angarium.jdbc.internal.write.ParkedMessages;
import io.angarium.jdbc.internal.write.SentDeletes;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.store.Backlog;
import io.angarium.store.DeadEntry;
import io.angarium.store.LateRows;
import io.angarium.store.OutboxStore;
import io.angarium.store.ParkedEntry;
import io.angarium.store.ParkedOutcome;
import io.angarium.store.ReadLimit;
import io.angarium.store.ReadRows;
import io.angarium.store.SentMessage;
import io.angarium.store.SequenceMark;
import io.angarium.store.SequenceRange;
import io.angarium.store.Snapshot;
import io.angarium.store.WorkHint;
import io.angarium.store.lease.Lease;
import io.angarium.store.lease.NodeId;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The outbox of one database, for the relay. Keeps up to four connections from the first use to the
 * close: for reads, for dirty reads or reads of a backlog where the database needs them, for
 * deletes of acknowledged messages and for fenced writes. Thread-safe: calls of one kind wait for
 * each other.
 */
public final class JdbcOutboxStore implements OutboxStore {
  /** Payloads of any size. */
  private static final int ALL = Integer.MAX_VALUE;

  private final OpenDatabase database;
  private final Dialect dialect;
  private final StoreSessions sessions;
  private final MessageRows rows;
  private final NewRows newRows;
  private final Horizon horizon;
  private final SentDeletes sent;
  private final ParkedMessages parked;
  private final JdbcDeadLetters deadLetters;
  private final BacklogLook backlogLook;
  private final GlanceLook glanceLook;
  private volatile int adopted;

  JdbcOutboxStore(OpenDatabase database) {
    this.database = database;
    this.dialect = database.dialect();
    JdbcConfig config = database.config();
    TimeSource time = database.time();
    this.adopted = database.source().servers().era();
    this.sessions = StoreSessions.of(database, () -> adopted);
    this.rows = new MessageRows(dialect);
    this.newRows = new NewRows(sessions, dialect.outbox(), rows);
    this.horizon = Horizon.of(dialect, sessions, rows, time, config.settleLag());
    this.sent = new SentDeletes(sessions.complete(), dialect, horizon, config, time);
    this.parked = new ParkedMessages(sessions, dialect, config);
    this.deadLetters = new JdbcDeadLetters(database, rows);
    this.backlogLook = dialect.work().backlogLook(time);
    this.glanceLook = dialect.work().glanceLook(time, horizon::reached);
  }

  @Override
  public @Nullable UUID source() {
    return database.source().id();
  }

  @Override
  public int era() {
    return database.source().servers().era();
  }

  @Override
  public void adopt(int era) {
    if (era != adopted) {
      horizon.forget();
      glanceLook.forget();
      adopted = era;
    }
  }

  @Override
  public ReadRows read(List<SequenceRange> spans, ReadLimit limit) {
    ReadRows read = newRows.read(spans, limit);
    if (!read.rows().isEmpty()) {
      glanceLook.forget(); // they may be gone before it looks
    }
    return read;
  }

  @Override
  public ReadRows readAt(Collection<Position> positions, ReadLimit limit) {
    List<Position> sorted = positions.stream().sorted().toList();
    BoundedRead read = new BoundedRead(rows, limit, sorted.size());
    Sql sql = dialect.outbox().readAt(sorted, read.inline());
    Set<Integer> partitions = sorted.stream().map(Position::partition).collect(Collectors.toSet());
    ReadRows found =
        sessions
            .read()
            .call(
                "reading the outbox",
                connection -> {
                  sql.forEach(connection, read::add);
                  return read.heads(partitions, at -> dialect.outbox().readAt(at, ALL), connection);
                });
    glanceLook.forget(); // they may be gone before it looks
    return found;
  }

  @Override
  public LateRows readLate(
      List<SequenceRange> spans,
      @Nullable Snapshot since,
      ReadLimit limit,
      Predicate<Position> known) {
    return horizon.readLate(spans, since, limit, known);
  }

  @Override
  public long lastSequence() {
    glanceLook.forget();
    long last =
        horizon.reached(
            sessions
                .read()
                .call("reading the last sequence", in -> LastSequence.ask(dialect.outbox(), in)));
    horizon.saw(last);
    return last;
  }

  @Override
  public String howToRaiseSequence(long above) {
    String sql = dialect.outbox().raiseSequence(above + 1).text().strip().replaceAll("\\s+", " ");
    return "Stop what writes messages and run this, with a higher number if the outbox has a higher id"
        + " by then: "
        + sql;
  }

  @Override
  public WorkHint glance(Collection<Integer> partitions, Duration ahead) {
    WorkHint glance =
        sessions.read().call("looking for work", in -> glanceLook.look(in, partitions, ahead));
    horizon.saw(glance.lastSequence());
    return glance;
  }

  @Override
  public SequenceMark mark() {
    glanceLook.forget();
    return horizon.mark();
  }

  @Override
  public boolean settled(SequenceMark mark) {
    return horizon.settled(mark);
  }

  @Override
  public void delete(Collection<Position> positions) {
    sent.delete(positions);
  }

  @Override
  public Set<Position> deleteExact(Collection<SentMessage> messages) {
    return sent.deleteExact(messages);
  }

  @Override
  public void park(Collection<Lease> leases, List<ParkedEntry> parkings) {
    parked.park(leases, parkings);
  }

  @Override
  public Set<Integer> held(Collection<Lease> leases) {
    List<Integer> partitions = leases.stream().map(Lease::partition).sorted().toList();
    if (partitions.isEmpty()) {
      return Set.of();
    }
    NodeId node = leases.iterator().next().node();
    Sql sql = dialect.leases().leasesOf(node, partitions);
    Set<Lease> held =
        sessions
            .read()
            .call(
                "asking for leases",
                in ->
                    Set.copyOf(
                        sql.query(in, row -> new Lease(row.getInt(1), node, row.getLong(2)))));
    return leases.stream().filter(held::contains).map(Lease::partition).collect(Collectors.toSet());
  }

  @Override
  public Map<Integer, Set<Long>> blockedKeys(Collection<Integer> partitions) {
    record Blocked(int partition, long keyHash) {}
    List<Blocked> blocked =
        sessions
            .read()
            .call(
                "reading blocked keys",
                connection ->
                    dialect
                        .parked()
                        .blockedKeys(partitions)
                        .query(connection, row -> new Blocked(row.getInt(1), row.getLong(2))));
    Map<Integer, Set<Long>> byPartition = new HashMap<>();
    for (Blocked key : blocked) {
      byPartition.computeIfAbsent(key.partition(), p -> new HashSet<>()).add(key.keyHash());
    }
    return byPartition;
  }

  @Override
  public ReadRows dueHeads(
      Collection<Integer> partitions, Collection<Destination> except, ReadLimit limit) {
    List<String> excepted = except.stream().map(Destination::toString).toList();
    BoundedRead read = new BoundedRead(rows, limit, limit.rows());
    Sql sql = dialect.parked().dueHeads(partitions, excepted, limit.rows(), read.inline());
    return sessions
        .read()
        .call(
            "reading due messages",
            connection -> {
              sql.forEach(connection, read::add);
              return read.heads(partitions, at -> dialect.parked().parkedAt(at, ALL), connection);
            });
  }

  @Override
  public List<StoredMessage> parkedOfKey(int partition, long keyHash, ReadLimit limit) {
    BoundedRead read = new BoundedRead(rows, limit, limit.rows());
    Sql sql = dialect.parked().parkedOfKey(partition, keyHash, limit.rows(), read.inline());
    return sessions
        .read()
        .call(
            "reading parked messages",
            connection -> {
              sql.forEach(connection, read::add);
              return read.inOrder(at -> dialect.parked().parkedAt(at, ALL), connection);
            });
  }

  @Override
  public Set<Long> settleParked(List<ParkedOutcome> settlements) {
    return parked.settle(settlements);
  }

  @Override
  public void bury(Lease lease, List<DeadEntry> burials) {
    parked.bury(lease, burials);
  }

  @Override
  public List<Position> enqueueDue(Collection<Lease> leases, int limit) {
    List<Integer> partitions = leases.stream().map(Lease::partition).toList();
    if (partitions.isEmpty() || !anyDue(partitions)) {
      return List.of();
    }
    return sessions
        .write()
        .transaction(
            "enqueueing delayed messages",
            connection -> {
              Transaction.fence(connection, dialect.leases(), leases);
              return dialect.work().enqueueDue(connection, partitions, limit);
            });
  }

  private boolean anyDue(List<Integer> partitions) {
    Sql sql = dialect.work().anyDue(partitions);
    return sessions.read().call("looking for due messages", sql::run) > 0;
  }

  @Override
  public Backlog backlog() {
    try (Session session = database.session(SessionRole.READ)) {
      return session.call("measuring the backlog", backlogLook::look);
    }
  }

  @Override
  public DeadLetters deadLetters() {
    return deadLetters;
  }

  @Override
  public void close() {
    sessions.close();
  }
}
