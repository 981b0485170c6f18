package io.angarium.jdbc.internal.desk;

import io.angarium.desk.ActBy;
import io.angarium.intake.Position;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.sql.ParkedKey;
import io.angarium.jdbc.internal.write.DeadLetterActs;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Brings discarded messages back in one transaction, under the leases of their partitions.
 *
 * <p>A dead letter blocks its key again only if the message that waited next for it is still
 * parked, or is a dead letter that blocks the key. Then the key has stood still in the database
 * since, and its owner takes it for blocked: an owner reads the blocked keys when it takes a
 * partition, and takes a key for free only after the last of these rows has gone. Nothing else
 * tells an owner that a key is blocked. Thread-safe.
 */
final class DiscardedActs {
  private static final String DELAYED = "delayed";
  private static final String FREED = "does not block its key any more";

  private record Discarded(
      Position position,
      UUID id,
      boolean delayed,
      long keyHash,
      boolean blocksKey,
      @Nullable Position next) {}

  private final Dialect server;
  private final ActDialect dialect;
  private final DeadLetterActs partitions;

  DiscardedActs(Dialect server) {
    this.server = server;
    this.dialect = new ActDialect(server);
    this.partitions = new DeadLetterActs(server);
  }

  List<Changed> restore(Connection connection, List<UUID> ids, ActBy by) throws SQLException {
    List<Discarded> found = lock(connection, ids);
    if (found.isEmpty()) {
      return List.of();
    }
    List<UUID> restored = found.stream().map(Discarded::id).distinct().toList();
    Set<Discarded> blocking = blocking(connection, found, restored);
    int copied = restoreDead(connection, List.copyOf(blocking), true, by);
    copied += restoreDead(connection, dead(found, blocking), false, by);
    copied += restoreDelayed(connection, found, by);
    CopiedRows.require(
        "Discarded messages", copied, dialect.deleteDiscarded(restored).update(connection));
    partitions.chooseHeads(
        connection,
        blocking.stream()
            .map(each -> ParkedKey.of(each.position().partition(), each.keyHash()))
            .distinct()
            .toList());
    Set<UUID> freed = new HashSet<>();
    found.stream()
        .filter(each -> each.blocksKey() && !blocking.contains(each))
        .forEach(each -> freed.add(each.id()));
    return restored.stream().map(id -> new Changed(id, freed.contains(id) ? FREED : null)).toList();
  }

  private static List<Discarded> dead(List<Discarded> found, Set<Discarded> blocking) {
    return found.stream().filter(each -> !each.delayed() && !blocking.contains(each)).toList();
  }

  /** Keeps the rows in locked partitions; one that came meanwhile waits for the next call. */
  private List<Discarded> lock(Connection connection, List<UUID> ids) throws SQLException {
    List<Integer> concerned =
        dialect.discardedOf(ids).query(connection, row -> row.getInt(1)).stream()
            .distinct()
            .toList();
    if (concerned.isEmpty()) {
      return List.of();
    }
    partitions.lockPartitions(connection, concerned);
    return dialect.lockDiscarded(ids).query(connection, this::discarded).stream()
        .filter(each -> concerned.contains(each.position().partition()))
        .toList();
  }

  /** From the last one on, as one that is restored may be the next of another one. */
  private Set<Discarded> blocking(Connection connection, List<Discarded> found, List<UUID> restored)
      throws SQLException {
    Set<Discarded> blocking = new HashSet<>();
    if (found.stream().noneMatch(each -> each.next() != null)) {
      return blocking;
    }
    Set<Position> behind =
        new HashSet<>(
            dialect
                .stillBehind(restored)
                .query(connection, row -> new Position(row.getInt(1), row.getLong(2))));
    for (Discarded each :
        found.stream()
            .filter(Discarded::blocksKey)
            .sorted(Comparator.comparing(Discarded::position).reversed())
            .toList()) {
      if (each.next() != null && behind.contains(each.next())) {
        blocking.add(each);
        behind.add(each.position());
      }
    }
    return blocking;
  }

  private int restoreDead(
      Connection connection, List<Discarded> letters, boolean blocksKey, ActBy by)
      throws SQLException {
    if (letters.isEmpty()) {
      return 0;
    }
    List<UUID> ids = letters.stream().map(Discarded::id).toList();
    List<Long> numbers = letters.stream().map(each -> each.position().sequence()).toList();
    return dialect.restoreDead(ids, numbers, blocksKey, by).update(connection);
  }

  private int restoreDelayed(Connection connection, List<Discarded> found, ActBy by)
      throws SQLException {
    List<UUID> ids = new ArrayList<>();
    found.stream().filter(Discarded::delayed).map(Discarded::id).distinct().forEach(ids::add);
    return ids.isEmpty() ? 0 : dialect.restoreDelayed(ids, by).update(connection);
  }

  private Discarded discarded(ResultSet row) throws SQLException {
    int partition = row.getInt(1);
    long next = row.getLong(7);
    return new Discarded(
        new Position(partition, row.getLong(2)),
        server.uuid(row, 3),
        row.getString(4).equals(DELAYED),
        row.getLong(5),
        row.getBoolean(6),
        next == 0 ? null : new Position(partition, next));
  }
}
