package io.angarium.jdbc.internal.desk;

import io.angarium.deadletter.Decision;
import io.angarium.desk.ActBy;
import io.angarium.desk.AuditEntry;
import io.angarium.desk.AuditLog;
import io.angarium.desk.AuditQuery;
import io.angarium.desk.SearchBudget;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.session.OpenDatabase;
import io.angarium.jdbc.internal.session.Session;
import io.angarium.jdbc.internal.sql.SessionRole;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The audit of one database. Takes a connection for each call. Thread-safe. */
public final class JdbcAuditLog implements AuditLog {
  /** The most rows that one statement passes over. */
  private static final int STRIDE_MAX = 20_000;

  /** How far the order of numbers and times may differ, as transactions run at once. */
  private static final long DISORDER_MAX = 10_000;

  private final OpenDatabase database;
  private final Dialect server;
  private final AuditDialect dialect;
  private final AuditRows rows;

  public JdbcAuditLog(OpenDatabase database) {
    this.database = database;
    this.server = database.dialect();
    this.dialect = new AuditDialect(server);
    this.rows = new AuditRows(server);
  }

  @Override
  public void note(AuditEntry entry) {
    try (Session session = database.session(SessionRole.WRITE)) {
      session.transaction(
          "adding to the audit",
          connection -> {
            rows.add(connection, List.of(entry));
            return entry;
          });
    }
  }

  @Override
  public List<AuditEntry> page(AuditQuery query) {
    try (Session session = database.session(SessionRole.READ)) {
      return session.call("reading the audit", connection -> page(connection, query));
    }
  }

  /** The numbers of the next entries, and how many there are. */
  private record Stride(long lowest, int rows) {}

  private List<AuditEntry> page(Connection connection, AuditQuery query) throws SQLException {
    List<AuditEntry> found = new ArrayList<>();
    long below = below(connection, query);
    long above = above(connection, query.from());
    int looked = 0;
    int size = query.limit();
    while (found.size() < query.limit() && looked < SearchBudget.ROWS_MAX) {
      Stride next = next(connection, query, below, above, size);
      if (next.rows() > 0) {
        int room = query.limit() - found.size();
        found.addAll(
            dialect
                .page(query, below, next.lowest(), room)
                .query(connection, JdbcAuditLog.this::entry));
      }
      if (next.rows() < size) {
        break;
      }
      looked += size;
      below = next.lowest();
      size = Math.min(Math.min(4 * size, STRIDE_MAX), SearchBudget.ROWS_MAX - looked);
    }
    return found;
  }

  private Stride next(Connection connection, AuditQuery query, long below, long above, int size)
      throws SQLException {
    return dialect
        .stride(query, below, above, size)
        .query(connection, row -> new Stride(row.getLong(1), row.getInt(2)))
        .get(0);
  }

  /** The number below which the entries of a query are. */
  private long below(Connection connection, AuditQuery query) throws SQLException {
    Long before = query.before();
    long below = before == null ? Long.MAX_VALUE - 1 : before;
    Instant to = query.to();
    if (to == null) {
      return below;
    }
    @Nullable Long last = upTo(connection, to);
    return last == null ? 0 : Math.min(below, last + DISORDER_MAX);
  }

  /** The number above which the entries of a query are. */
  private long above(Connection connection, @Nullable Instant from) throws SQLException {
    @Nullable Long last = from == null ? null : upTo(connection, from);
    return last == null ? 0 : last - DISORDER_MAX;
  }

  private @Nullable Long upTo(Connection connection, Instant time) throws SQLException {
    return dialect.upTo(time).query(connection, row -> row.getLong(1)).stream()
        .findFirst()
        .orElse(null);
  }

  private AuditEntry entry(ResultSet row) throws SQLException {
    @Nullable UUID operation = row.getObject(9) == null ? null : server.uuid(row, 9);
    return new AuditEntry(
        row.getLong(1),
        server.instant(row, 2),
        new ActBy(
            new Decision(row.getString(3), row.getString(8)),
            AuditDialect.via(row.getString(4)),
            operation),
        row.getString(5),
        row.getString(6),
        row.getString(7),
        row.getString(10));
  }
}
