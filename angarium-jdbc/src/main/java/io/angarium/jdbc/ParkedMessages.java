package io.angarium.jdbc;

import io.angarium.store.Burial;
import io.angarium.store.Lease;
import io.angarium.store.Parking;
import io.angarium.store.Position;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;

/**
 * The fenced writes: into the parked list, out of it, and to the dead letters. A key has at most
 * one head among its parked messages, and none while a dead letter blocks it. Thread-safe.
 */
final class ParkedMessages {
  private final StoreSessions sessions;
  private final Dialect dialect;
  private final boolean history;

  ParkedMessages(StoreSessions sessions, Dialect dialect, boolean history) {
    this.sessions = sessions;
    this.dialect = dialect;
    this.history = history;
  }

  /** See {@link io.angarium.store.OutboxStore#park}. */
  void park(Lease lease, List<Parking> parkings) {
    parkings.forEach(parking -> requirePartition(lease, parking.position()));
    fenced(
        "parking messages",
        lease,
        connection -> {
          int parked =
              parkings.isEmpty() ? 0 : Transaction.runAll(connection, dialect.park(parkings));
          requireHeads(connection, lease.partition(), parkings);
          return parked;
        });
  }

  /** What the followers were to wait for may have been settled or discarded meanwhile. */
  private void requireHeads(Connection connection, int partition, List<Parking> parkings)
      throws SQLException {
    List<Long> keys =
        parkings.stream().filter(p -> !p.head()).map(Parking::keyHash).distinct().toList();
    if (keys.isEmpty()) {
      return;
    }
    Sql headless = dialect.headless(partition, keys);
    for (long keyHash : headless.query(connection, row -> row.getLong(1))) {
      dialect.promote(partition, keyHash).run(connection);
    }
  }

  /** See {@link io.angarium.store.OutboxStore#settleParked}. */
  boolean settle(
      Lease lease, long keyHash, Collection<Position> acknowledged, Collection<Parking> failed) {
    acknowledged.forEach(position -> requirePartition(lease, position));
    failed.forEach(parking -> requirePartition(lease, parking.position()));
    return fenced(
        "settling parked messages",
        lease,
        connection -> {
          if (!acknowledged.isEmpty()) {
            List<Position> ascending = acknowledged.stream().sorted().toList();
            Transaction.runAll(connection, dialect.deleteParked(ascending, history));
          }
          return keyHash == 0
              ? rescheduleKeyless(connection, failed)
              : rescheduleKey(connection, lease.partition(), keyHash, failed);
        });
  }

  private boolean rescheduleKeyless(Connection connection, Collection<Parking> failed)
      throws SQLException {
    if (!failed.isEmpty()) {
      Transaction.runAll(connection, dialect.reschedule(failed));
    }
    return false;
  }

  private boolean rescheduleKey(
      Connection connection, int partition, long keyHash, Collection<Parking> failed)
      throws SQLException {
    dialect.demote(partition, keyHash).run(connection);
    int heads = failed.isEmpty() ? 0 : Transaction.runAll(connection, dialect.reschedule(failed));
    if (heads == 0) {
      dialect.promote(partition, keyHash).run(connection);
    }
    return dialect.parkedOfKey(partition, keyHash, 1, 0).run(connection) > 0;
  }

  /** See {@link io.angarium.store.OutboxStore#bury}. */
  void bury(Lease lease, List<Burial> burials) {
    burials.forEach(burial -> requirePartition(lease, burial.position()));
    fenced(
        "burying messages",
        lease,
        connection -> {
          if (!burials.isEmpty()) {
            Transaction.runAll(connection, dialect.bury(burials));
          }
          for (long keyHash : keysOf(burials)) {
            chooseHead(connection, dialect, lease.partition(), keyHash);
          }
          return burials.size();
        });
  }

  private static long[] keysOf(List<Burial> burials) {
    return burials.stream().filter(Burial::keyed).mapToLong(Burial::keyHash).distinct().toArray();
  }

  /** Makes the lowest parked message of a key its head, unless a dead letter blocks the key. */
  static void chooseHead(Connection connection, Dialect dialect, int partition, long keyHash)
      throws SQLException {
    dialect.demote(partition, keyHash).run(connection);
    dialect.promote(partition, keyHash).run(connection);
  }

  private static void requirePartition(Lease lease, Position position) {
    if (position.partition() != lease.partition()) {
      throw new IllegalArgumentException(
          position + " (expected: a position of partition " + lease.partition() + ")");
    }
  }

  private <T> T fenced(String what, Lease lease, Session.Work<T> work) {
    return sessions
        .write()
        .transaction(
            what,
            connection -> {
              Transaction.fence(connection, dialect, List.of(lease));
              return work.with(connection);
            });
  }
}
