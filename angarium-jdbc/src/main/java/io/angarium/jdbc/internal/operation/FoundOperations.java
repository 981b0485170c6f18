package io.angarium.jdbc.internal.operation;

import io.angarium.deadletter.Decision;
import io.angarium.desk.ActBy;
import io.angarium.jdbc.internal.desk.AuditRows;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.operation.Operation;
import io.angarium.operation.Operation.Counts;
import io.angarium.operation.Operation.Halt;
import io.angarium.operation.Operation.State;
import io.angarium.operation.OperationKind;
import io.angarium.operation.OperationPlan;
import io.angarium.operation.internal.OperationRow;
import io.angarium.operation.internal.OperationText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads operations as {@link OperationDialect} selects them. Thread-safe. */
final class FoundOperations {
  private static final Logger LOG = LoggerFactory.getLogger(FoundOperations.class);

  /** So many are named in the log. */
  private static final int UNREADABLE_MAX = 100;

  private final Dialect server;
  private final Set<UUID> unreadable = ConcurrentHashMap.newKeySet();

  FoundOperations(Dialect server) {
    this.server = server;
  }

  /** An operation, and the time when it was read. */
  record Found(OperationRow row, Instant now) {}

  Found found(ResultSet row) throws SQLException {
    Instant createdAt = server.instant(row, 7);
    Instant startAt = server.instant(row, 13);
    UUID id = server.uuid(row, 1);
    String halt = row.getString(22);
    OperationPlan plan =
        new OperationPlan(
            id,
            OperationKind.valueOf(upper(row, 2)),
            OperationText.filter(row.getString(3)),
            OperationText.scope(row.getString(4)),
            row.getObject(5) == null ? null : server.uuid(row, 5),
            server.instant(row, 6),
            delay(createdAt, startAt),
            row.getInt(14),
            row.getInt(15),
            row.getLong(11),
            new ActBy(
                new Decision(row.getString(8), row.getString(10)),
                AuditRows.via(row.getString(9)),
                id));
    Operation operation =
        new Operation(
            plan,
            State.valueOf(upper(row, 12)),
            createdAt,
            startAt,
            row.getString(24),
            row.getString(16),
            new Counts(row.getLong(17), row.getLong(18), row.getLong(19), row.getLong(20)),
            row.getObject(21) == null ? null : server.instant(row, 21),
            halt == null ? null : Halt.valueOf(halt.toUpperCase(Locale.ROOT)));
    return new Found(
        new OperationRow(operation, row.getLong(23), server.instant(row, 25)),
        server.instant(row, 26));
  }

  /** The clock of the database may have been set meanwhile. */
  private static Duration delay(Instant createdAt, Instant startAt) {
    Duration delay = Duration.between(createdAt, startAt);
    if (delay.isNegative()) {
      return Duration.ZERO;
    }
    return delay.compareTo(OperationPlan.DELAY_MAX) > 0 ? OperationPlan.DELAY_MAX : delay;
  }

  /** The operation of a row; empty if this version does not understand it. */
  Optional<Operation> known(ResultSet row) throws SQLException {
    try {
      return Optional.of(found(row).row().operation());
    } catch (IllegalArgumentException e) {
      unreadable(server.uuid(row, 1), e);
      return Optional.empty();
    }
  }

  /** A newer version may know more: one that is not understood holds up no other. */
  void unreadable(UUID id, IllegalArgumentException e) {
    if (unreadable.size() < UNREADABLE_MAX && unreadable.add(id)) {
      LOG.warn(
          "Operation {} is left to nodes of a newer version: this one does not understand it ({})",
          id,
          e.getMessage());
    }
  }

  private static String upper(ResultSet row, int column) throws SQLException {
    return row.getString(column).toUpperCase(Locale.ROOT);
  }
}
