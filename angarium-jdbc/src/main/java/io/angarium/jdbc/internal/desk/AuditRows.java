package io.angarium.jdbc.internal.desk;

import io.angarium.desk.ActBy;
import io.angarium.desk.AuditEntry;
import io.angarium.jdbc.internal.dialect.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Adds entries to the audit in the transaction of what they are about. Thread-safe. */
public final class AuditRows {
  /** The most entries of one statement. */
  private static final int ROWS_MAX = 256;

  private final AuditDialect dialect;

  public AuditRows(Dialect server) {
    this.dialect = new AuditDialect(server);
  }

  /** The means of an act as the audit has it. */
  public static ActBy.Via via(String text) {
    return AuditDialect.via(text);
  }

  /** Adds entries; the sizes of the statements are powers of two, so that there are few texts. */
  public void add(Connection connection, List<AuditEntry> entries) throws SQLException {
    int from = 0;
    while (from < entries.size()) {
      int size = Integer.highestOneBit(Math.min(ROWS_MAX, entries.size() - from));
      dialect.note(entries.subList(from, from + size)).update(connection);
      from += size;
    }
  }
}
