package io.angarium.jdbc.internal.desk;

import io.angarium.desk.ActBy;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.write.DeadLetterActs;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * What persons do in one transaction with messages that are due later. It holds the leases of the
 * partitions concerned, so that the owner neither moves nor settles them meanwhile, and the rows,
 * as there are no leases before the first relay. Thread-safe.
 */
final class DueActs {
  private record Delayed(long number, int partition, UUID id) {}

  private record Head(int partition, UUID id) {}

  private final Dialect server;
  private final ActDialect dialect;
  private final DeadLetterActs partitions;

  DueActs(Dialect server) {
    this.server = server;
    this.dialect = new ActDialect(server);
    this.partitions = new DeadLetterActs(server);
  }

  /** Moves delayed messages to the discarded ones. */
  List<Changed> cancel(Connection connection, List<UUID> ids, ActBy by) throws SQLException {
    List<Delayed> found = dialect.delayedOf(ids).query(connection, this::delayed);
    if (found.isEmpty()) {
      return List.of();
    }
    partitions.lockPartitions(connection, found.stream().map(Delayed::partition).toList());
    List<Delayed> locked = lock(connection, found);
    if (locked.isEmpty()) {
      return List.of();
    }
    List<Long> numbers = locked.stream().map(Delayed::number).toList();
    int copied = dialect.discardDelayed(numbers, by).update(connection);
    CopiedRows.require(
        "Delayed messages", copied, dialect.deleteDelayed(numbers).update(connection));
    return locked.stream().map(Delayed::id).distinct().map(Changed::of).toList();
  }

  /** Makes delayed and retrying messages due at once. */
  List<Changed> sendNow(Connection connection, List<UUID> ids, ActBy by) throws SQLException {
    List<Delayed> found = dialect.delayedOf(ids).query(connection, this::delayed);
    Set<Integer> concerned =
        heads(connection, ids).stream().map(Head::partition).collect(Collectors.toSet());
    List<Integer> ofHeads = List.copyOf(concerned);
    found.forEach(each -> concerned.add(each.partition()));
    if (concerned.isEmpty()) {
      return List.of();
    }
    partitions.lockPartitions(connection, concerned);
    List<Delayed> locked = found.isEmpty() ? found : lock(connection, found);
    List<UUID> retrying =
        heads(connection, ids).stream()
            .filter(head -> ofHeads.contains(head.partition()))
            .map(Head::id)
            .toList();
    if (!locked.isEmpty()) {
      dialect.hurryDelayed(locked.stream().map(Delayed::number).toList(), by).update(connection);
    }
    if (!retrying.isEmpty()) {
      dialect.hurryHeads(retrying, by).update(connection);
    }
    List<UUID> hurried = new ArrayList<>(locked.stream().map(Delayed::id).toList());
    hurried.addAll(retrying);
    return hurried.stream().distinct().map(Changed::of).toList();
  }

  private List<Delayed> lock(Connection connection, List<Delayed> found) throws SQLException {
    List<Long> numbers = found.stream().map(Delayed::number).sorted().toList();
    return dialect.lockDelayed(numbers).query(connection, this::delayed);
  }

  private List<Head> heads(Connection connection, List<UUID> ids) throws SQLException {
    return dialect
        .headsOf(ids)
        .query(connection, row -> new Head(row.getInt(1), server.uuid(row, 2)));
  }

  private Delayed delayed(ResultSet row) throws SQLException {
    return new Delayed(row.getLong(1), row.getInt(2), server.uuid(row, 3));
  }
}
