package io.angarium.jdbc.internal.write;

import io.angarium.MessageId;
import io.angarium.deadletter.DeadLetterPage;
import io.angarium.deadletter.DeadLetterPage.Looked;
import io.angarium.deadletter.DeadLetterQuery;
import io.angarium.deadletter.DeadLetterRow;
import io.angarium.intake.Position;
import io.angarium.jdbc.internal.dialect.Dialect;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Reads dead letters without their payloads. Thread-safe. */
final class DeadLetterRows {
  /** Rows of one statement: a few hundred kilobytes. */
  private static final int STRIDE = 1_000;

  private static final int PAYLOAD_SIZE = 16;

  private final Dialect server;
  private final DeadDialect dialect;
  private final LongSupplier nanoTime;

  DeadLetterRows(Dialect server, LongSupplier nanoTime) {
    this.server = server;
    this.dialect = new DeadDialect(server);
    this.nanoTime = nanoTime;
  }

  /** Reads strides in the order of the primary key and keeps what matches. */
  DeadLetterPage search(Connection connection, DeadLetterQuery query) throws SQLException {
    long startNanos = nanoTime.getAsLong();
    Instant now = dialect.now().query(connection, row -> server.instant(row, 1)).get(0);
    List<DeadLetterRow> found = new ArrayList<>();
    Position after = query.after();
    Instant until = null;
    int looked = 0;
    while (looked < query.rowsMax()
        && (looked == 0 || nanoTime.getAsLong() - startNanos < query.timeMax().toNanos())) {
      int stride = Math.min(STRIDE, query.rowsMax() - looked);
      List<DeadLetterRow> rows =
          dialect.rows(query.order(), after, stride).query(connection, row -> row(row, 0));
      for (DeadLetterRow row : rows) {
        looked++;
        after = row.position();
        until = row.createdAt();
        if (query.matches().test(row)) {
          found.add(row);
          if (found.size() == query.limit()) {
            return page(connection, found, after, new Looked(looked, until, true), now);
          }
        }
      }
      if (rows.size() < stride) {
        return page(connection, found, null, new Looked(looked, until, true), now);
      }
    }
    return page(connection, found, after, new Looked(looked, until, false), now);
  }

  /** Adds the sizes of the payloads, which MySQL and MariaDB load in order to tell them. */
  private DeadLetterPage page(
      Connection connection,
      List<DeadLetterRow> found,
      @Nullable Position next,
      Looked looked,
      Instant now)
      throws SQLException {
    Map<Position, Long> sizes = new HashMap<>();
    for (DeadLetterRow row : of(connection, found.stream().map(DeadLetterRow::id).toList())) {
      sizes.put(row.position(), row.payloadBytes());
    }
    List<DeadLetterRow> rows =
        found.stream()
            .filter(row -> sizes.containsKey(row.position())) // the others were decided meanwhile
            .map(row -> sized(row, sizes.getOrDefault(row.position(), 0L)))
            .toList();
    return new DeadLetterPage(rows, next, looked, now);
  }

  List<DeadLetterRow> of(Connection connection, Collection<MessageId> ids) throws SQLException {
    return ids.isEmpty()
        ? List.of()
        : dialect.rowsOf(ids).query(connection, row -> row(row, row.getLong(PAYLOAD_SIZE)));
  }

  private DeadLetterRow row(ResultSet row, long payloadBytes) throws SQLException {
    return new DeadLetterRow(
        new Position(row.getInt(1), row.getLong(2)),
        new MessageId(server.uuid(row, 3)),
        row.getString(4),
        row.getString(5),
        row.getString(6),
        row.getString(7),
        row.getString(8),
        row.getString(9),
        row.getString(10),
        payloadBytes,
        row.getInt(11),
        server.instant(row, 12),
        server.instant(row, 13),
        row.getString(14),
        row.getBoolean(15));
  }

  private static DeadLetterRow sized(DeadLetterRow row, long payloadBytes) {
    return new DeadLetterRow(
        row.position(),
        row.id(),
        row.destination(),
        row.key(),
        row.type(),
        row.businessType(),
        row.businessKey(),
        row.createdBy(),
        row.updatedBy(),
        payloadBytes,
        row.attempts(),
        row.createdAt(),
        row.deadSince(),
        row.reason(),
        row.blocksKey());
  }
}
