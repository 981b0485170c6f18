package io.angarium.jdbc.internal.dialect;

import io.angarium.intake.Position;
import io.angarium.jdbc.internal.sql.ParkedKey;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.store.ParkedEntry;
import java.util.Collection;
import java.util.List;

/**
 * Parked messages, which wait for their next attempt or for an earlier message of their key. Rows
 * that the relay reads come with the columns of {@link MessageRows}, and behind them the size of
 * the payload. Thread-safe.
 */
public interface ParkedSql {
  /** Partition and key hash of blocked keys. */
  Sql blockedKeys(Collection<Integer> partitions);

  /** Due heads, longest due first. */
  Sql dueHeads(Collection<Integer> partitions, Collection<String> except, int limit, int inline);

  /** Parked rows of a key in order of sequence. */
  Sql parkedOfKey(int partition, long keyHash, int limit, int inline);

  /** The parked rows at these positions. */
  Sql parkedAt(List<Position> positions, int inline);

  /** Moves rows from the outbox to the parked list. */
  List<Sql> park(List<ParkedEntry> parkings);

  /** Deletes parked rows; positions are sorted. */
  List<Sql> deleteParked(List<Position> positions, boolean history);

  /**
   * Notes failed attempts of parked rows and makes them heads, unless a dead letter blocks their
   * key; the counts tell how many.
   */
  List<Sql> reschedule(List<ParkedEntry> failed);

  /** Turns the heads of keys into followers, unless they are to stay the head. */
  List<Sql> demote(List<ParkedKey> keys);

  /**
   * Makes the lowest parked row of each key that has no head its head, due at once, unless a dead
   * letter blocks the key.
   */
  List<Sql> promote(List<ParkedKey> keys);

  /** The hashes of those keys that have parked rows or a dead letter that blocks them. */
  Sql stillBlocked(List<ParkedKey> keys);
}
