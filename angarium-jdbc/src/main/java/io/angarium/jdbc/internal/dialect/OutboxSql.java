package io.angarium.jdbc.internal.dialect;

import io.angarium.intake.Position;
import io.angarium.jdbc.internal.sql.SessionRole;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.store.SequenceRange;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of the outbox and their sequence, as the relay reads and deletes them, and the history.
 * Rows come with the columns of {@link MessageRows}, and behind them the size of the payload.
 * Thread-safe.
 */
public interface OutboxSql {
  /** The {@code inline} of a read that brings no payloads, not even empty ones. */
  int NO_PAYLOADS = -1;

  /**
   * True if a statement that names a payload loads all of it, even if it does not bring it, so that
   * large ones are read twice. Such a database takes {@link #NO_PAYLOADS} in {@link #read} and
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

  /** Deletes history older than an age. */
  Sql trimSent(Duration age, int limit);
}
