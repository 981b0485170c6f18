package io.angarium.jdbc.internal.write;

import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.session.Transaction;
import io.angarium.jdbc.internal.sql.ParkedKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/**
 * What persons do with dead letters in one transaction. It holds the leases of the partitions
 * concerned, so that it never crosses a write of the owner. Thread-safe.
 */
public final class DeadLetterActs {
  private record DeadKey(int partition, long keyHash, boolean blocksKey, UUID id) {}

  /** Changes dead letters whose partitions are locked. */
  @FunctionalInterface
  public interface Change {
    void of(List<UUID> locked) throws SQLException;
  }

  private final Dialect dialect;

  public DeadLetterActs(Dialect dialect) {
    this.dialect = dialect;
  }

  /**
   * Locks the partitions of dead letters, changes them, and lets the keys go on that nothing blocks
   * any more.
   *
   * @return which of them are dead; none is not locked, and the change is not made for none
   */
  public List<UUID> change(Connection connection, List<UUID> ids, Change change)
      throws SQLException {
    List<DeadKey> locked = lock(connection, ids);
    List<UUID> dead = locked.stream().map(DeadKey::id).distinct().toList();
    if (!dead.isEmpty()) {
      change.of(dead);
      chooseHeads(connection, blocked(locked));
    }
    return dead;
  }

  /** Sends locked dead letters again, and returns how many. */
  public int requeue(Connection connection, List<UUID> dead, String by) throws SQLException {
    return Transaction.runAll(connection, dialect.deadLetters().requeueBlocking(dead, by))
        + Transaction.runAll(connection, dialect.deadLetters().requeueOthers(dead, by));
  }

  /** Keeps the dead ones of some messages. */
  public List<UUID> deadOf(Connection connection, List<UUID> ids) throws SQLException {
    return keysOf(connection, ids).stream().map(DeadKey::id).distinct().toList();
  }

  /** Deletes locked dead letters for good, and returns how many. */
  public int delete(Connection connection, List<UUID> dead) throws SQLException {
    return dialect.deadLetters().discard(dead).run(connection);
  }

  /**
   * Makes the lowest parked message of each key its head, unless a dead letter blocks the key. The
   * partitions are locked.
   */
  public void chooseHeads(Connection connection, List<ParkedKey> keys) throws SQLException {
    ParkedMessages.chooseHeads(connection, dialect.parked(), keys);
  }

  /** Locks partitions in the order in which a relay does. */
  public void lockPartitions(Connection connection, Collection<Integer> partitions)
      throws SQLException {
    dialect
        .leases()
        .lockPartitions(partitions.stream().distinct().sorted().toList())
        .run(connection);
  }

  /**
   * Locks the partitions of those that are dead and reads them again under the lock. An id that the
   * relay buries later is left out: a statement that copies would not see it, and the one that
   * deletes would.
   */
  private List<DeadKey> lock(Connection connection, List<UUID> ids) throws SQLException {
    List<Integer> partitions = keysOf(connection, ids).stream().map(DeadKey::partition).toList();
    if (partitions.isEmpty()) {
      return List.of();
    }
    lockPartitions(connection, partitions);
    return keysOf(connection, ids).stream()
        .filter(key -> partitions.contains(key.partition()))
        .toList();
  }

  private static List<ParkedKey> blocked(List<DeadKey> keys) {
    return keys.stream()
        .filter(DeadKey::blocksKey)
        .map(key -> ParkedKey.of(key.partition(), key.keyHash()))
        .distinct()
        .toList();
  }

  private List<DeadKey> keysOf(Connection connection, List<UUID> ids) throws SQLException {
    return dialect
        .deadLetters()
        .deadKeysOf(ids)
        .query(
            connection,
            row ->
                new DeadKey(
                    row.getInt(1), row.getLong(2), row.getBoolean(3), dialect.uuid(row, 4)));
  }
}
