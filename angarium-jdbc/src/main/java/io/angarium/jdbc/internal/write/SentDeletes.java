package io.angarium.jdbc.internal.write;

import static java.util.stream.Collectors.partitioningBy;

import io.angarium.MessageId;
import io.angarium.StoreException;
import io.angarium.TimeSource;
import io.angarium.intake.Position;
import io.angarium.internal.DurationText;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.dialect.OutboxSql;
import io.angarium.jdbc.internal.read.Horizon;
import io.angarium.jdbc.internal.session.Session;
import io.angarium.jdbc.internal.session.Transaction;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.store.SentMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes rows that were sent, or moves them to the history, in the way that costs the database
 * least: where they were read, by one scan if they lie close together, or by their keys.
 * Thread-safe.
 */
public final class SentDeletes {
  private static final Logger LOG = LoggerFactory.getLogger(SentDeletes.class);

  /** A scan over four ids for each row was seen to cost as much as to look up each. */
  private static final int IDS_PER_ROW_MAX = 3;

  /**
   * This many rows at once belong to a backlog, where most rows were decided long ago, known or
   * not.
   */
  private static final int BACKLOG_MIN = 500;

  /** For so long after a scan met a row that another session holds, there is none. */
  private static final Duration BLOCKED_PAUSE = Duration.ofSeconds(5);

  private final Session session;
  private final Dialect dialect;
  private final Horizon horizon;
  private final boolean history;
  private final SentNotes notes;
  private final TimeSource time;
  private volatile long scanAtNanos;

  /**
   * @param config tells what of the sent messages is kept
   */
  public SentDeletes(
      Session session, Dialect dialect, Horizon horizon, JdbcConfig config, TimeSource time) {
    this.session = session;
    this.dialect = dialect;
    this.horizon = horizon;
    this.history = config.history();
    this.notes = new SentNotes(dialect, config.confirmation());
    this.time = time;
    this.scanAtNanos = time.nanoTime();
  }

  public void delete(Collection<Position> positions) {
    if (positions.isEmpty()) {
      return;
    }
    List<Position> left = notes.demanded() ? List.copyOf(positions) : byScan(inPlace(positions));
    if (!left.isEmpty()) {
      byKey(left);
    }
  }

  /**
   * Deletes rows that still hold the same messages, but for those that somebody else holds: an open
   * transaction must not keep the relay from starting over, and a repeat is all that it costs.
   *
   * @return the positions that hold others
   */
  public Set<Position> deleteExact(Collection<SentMessage> messages) {
    Map<Position, MessageId> sent = new TreeMap<>();
    messages.forEach(message -> sent.put(message.position(), message.id()));
    Set<Position> others = new HashSet<>();
    if (!sent.isEmpty()) {
      session.transaction(
          "deleting messages that were sent in an earlier era",
          in -> {
            List<Position> same = new ArrayList<>();
            for (SentMessage there : lock(in, List.copyOf(sent.keySet()))) {
              MessageId expected = sent.get(there.position());
              if (expected != null) { // else only its sequence was asked for
                (there.id().equals(expected) ? same : others).add(there.position());
              }
            }
            if (!same.isEmpty()) {
              notes.add(in, "outbox", same);
              Transaction.runAll(in, dialect.outbox().delete(same, history));
            }
            return others;
          });
    }
    return others;
  }

  private List<SentMessage> lock(Connection connection, List<Position> positions)
      throws SQLException {
    return dialect
        .outbox()
        .lockFreeRows(positions)
        .query(
            connection,
            row ->
                new SentMessage(
                    new Position(row.getInt(1), row.getLong(2)),
                    new MessageId(dialect.uuid(row, 3))));
  }

  /** Gives those that may still be there: all, if a row was not where it had been read. */
  private List<Position> inPlace(Collection<Position> positions) {
    Map<Boolean, List<Position>> placed =
        positions.stream().collect(partitioningBy(position -> position.place() != 0));
    List<Position> known = placed.getOrDefault(true, List.of());
    Sql sql = known.isEmpty() ? null : dialect.outbox().deleteInPlace(known, history);
    if (sql == null) {
      return List.copyOf(positions);
    }
    int deleted = session.call("deleting sent messages", sql::run);
    return deleted == known.size() ? placed.getOrDefault(false, List.of()) : List.copyOf(positions);
  }

  /**
   * Gives those that may still be there. A scan fails if another session holds a row between them.
   * Up to the horizon none belongs to a transaction that inserts, and hardly any of a backlog does;
   * what else holds one, e.g. another node that parks it, must not keep these from being deleted.
   */
  private List<Position> byScan(List<Position> positions) {
    if (history || positions.isEmpty() || time.nanoTime() - scanAtNanos < 0) {
      return positions;
    }
    List<Position> ascending =
        positions.stream().sorted(Comparator.comparingLong(Position::sequence)).toList();
    long decided = horizon.decided();
    OutboxSql.Scan scan =
        isDense(ascending, decided) ? dialect.outbox().deleteByScan(ascending, decided) : null;
    if (scan == null) {
      return positions;
    }
    try {
      if (runs(scan.delete())) {
        return scan.others();
      }
    } catch (StoreException e) { // whatever it is that a scan does not do, looking up may
      LOG.debug("Sent messages could not be deleted by a scan", e);
    }
    scanAtNanos = time.nanoTime() + BLOCKED_PAUSE.toNanos();
    LOG.debug("Sent messages are deleted one by one for {}", DurationText.of(BLOCKED_PAUSE));
    return positions;
  }

  /** False if it would have to wait: the connection is as good as before then. */
  private boolean runs(Sql scan) {
    return session.call(
        "deleting sent messages",
        connection -> {
          try {
            scan.run(connection);
            return true;
          } catch (SQLException e) {
            if (dialect.sessions().isLockTimeout(e)) {
              return false;
            }
            throw e;
          }
        });
  }

  private static boolean isDense(List<Position> ascending, long decidedUpTo) {
    long first = ascending.get(0).sequence();
    long last = ascending.get(ascending.size() - 1).sequence();
    boolean decided = ascending.size() >= BACKLOG_MIN || last <= decidedUpTo;
    return decided && last - first < (long) IDS_PER_ROW_MAX * ascending.size();
  }

  private void byKey(List<Position> positions) {
    // ascending, so that two sessions that delete the same rows cannot block each other; PostgreSQL
    // takes them in the order of their places
    List<Position> ascending = positions.stream().sorted().toList();
    List<Sql> statements = dialect.outbox().delete(ascending, history);
    if (statements.size() == 1 && !notes.demanded()) {
      session.call("deleting sent messages", statements.get(0)::run);
    } else {
      session.transaction(
          "deleting sent messages",
          in -> {
            notes.add(in, "outbox", ascending);
            return Transaction.runAll(in, statements);
          });
    }
  }
}
