package io.angarium.jdbc.internal.inbox;

import io.angarium.inbox.InboxKey;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.dialect.mysql.MySqlFamily;
import io.angarium.jdbc.internal.dialect.mysql.MySqlSessionSql;
import io.angarium.jdbc.internal.sql.BinaryIds;
import io.angarium.jdbc.internal.sql.JsonRows;
import io.angarium.jdbc.internal.sql.SessionSetting;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.jdbc.internal.sql.TransactionWatch;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the inbox has in common on MySQL and MariaDB. Tables change names in one statement, which
 * waits for the transactions that have used them; so no transaction sees the names of both sides.
 */
public abstract sealed class MySqlFamilyInboxDialect implements InboxDialect
    permits MySqlInboxDialect, MariaDbInboxDialect {
  private final Dialect server;
  private final TableNames names;
  private final InboxWait wait;

  MySqlFamilyInboxDialect(Dialect server, TableNames names, InboxWait wait) {
    this.server = server;
    this.names = names;
    this.wait = wait;
  }

  @Override
  public final Dialect server() {
    return server;
  }

  @Override
  public final TableNames names() {
    return names;
  }

  final InboxWait patience() {
    return wait;
  }

  private static final String PROBE =
      """
      SELECT c.consumer, c.message_id, p.consumer, p.message_id, s.rotated_at
      FROM inbox AS c, inbox_previous AS p, inbox_schema AS s
      LIMIT 0
      """;

  @Override
  public final Sql probe() {
    return Sql.of(names.in(PROBE));
  }

  /** Parameters: consumer, message id, consumer, message id. */
  static final String CLAIM =
      """
      INSERT IGNORE INTO inbox (consumer, message_id)
      SELECT ?, ?
      FROM DUAL
      WHERE NOT EXISTS (
        SELECT 1
        FROM inbox_previous
        WHERE consumer = ? AND message_id = ?)
      """;

  /** With {@code text} before it. */
  public final Sql claim(String text, InboxKey key) {
    long consumer = key.consumerNumber();
    byte[] id = BinaryIds.bytes(key.id());
    return Sql.of(names.in(text + CLAIM), consumer, id, consumer, id);
  }

  /** Parameter: rows of consumer, message id. With what else is selected from before them. */
  static final String CLAIM_ALL =
      """
      INSERT IGNORE INTO inbox (consumer, message_id)
      SELECT k.consumer, UNHEX(k.message_id)
      FROM %sJSON_TABLE(?, '$[*]' COLUMNS (
          consumer BIGINT PATH '$[0]',
          message_id CHAR(32) PATH '$[1]')) AS k
        LEFT JOIN inbox_previous AS p FORCE INDEX (PRIMARY)
          ON p.consumer = k.consumer AND p.message_id = UNHEX(k.message_id)
      WHERE p.message_id IS NULL
      """;

  /** The keys as that parameter. */
  static String rows(InboxNumbers numbers, Collection<InboxKey> keys) {
    return JsonRows.of(keys, key -> new Object[] {numbers.of(key), BinaryIds.hex(key.id())});
  }

  @Override
  public final TransactionWatch watch(Connection connection) throws SQLException {
    return MySqlSessionSql.savepoint(connection);
  }

  @Override
  public final TransactionWatch watchAlone(Connection connection) {
    return ((MySqlFamily) server).sessions().watch(connection, true);
  }

  /** Ends with the connection, so that no two nodes can rotate at once, however slow one is. */
  private static final String LOCK =
      """
      SELECT GET_LOCK(CONCAT('angarium ', LEFT(SHA2(CONCAT(COALESCE(?, DATABASE()), ' ', ?), 256), 40)), 0)
      """;

  private static final String UNLOCK =
      """
      SELECT RELEASE_LOCK(CONCAT('angarium ', LEFT(SHA2(CONCAT(COALESCE(?, DATABASE()), ' ', ?), 256), 40)))
      """;

  public final Sql lock() {
    return Sql.of(LOCK, names.schema(), names.prefix());
  }

  public final Sql unlock() {
    return Sql.of(UNLOCK, names.schema(), names.prefix());
  }

  /** Notes the time if a period is over; one node only can. Parameter: it, in microseconds. */
  private static final String DUE =
      """
      UPDATE inbox_schema
      SET rotated_at = UTC_TIMESTAMP(6)
      WHERE one = TRUE AND rotated_at <= UTC_TIMESTAMP(6) - INTERVAL ? MICROSECOND
      """;

  public final Sql due(Duration period) {
    return Sql.of(names.in(DUE), period.toNanos() / 1_000);
  }

  /** Parameter: how long ago, in microseconds. */
  private static final String ROTATED =
      """
      UPDATE inbox_schema
      SET rotated_at = UTC_TIMESTAMP(6) - INTERVAL ? MICROSECOND
      WHERE one = TRUE
      """;

  public final Sql rotated(Duration ago) {
    return Sql.of(names.in(ROTATED), ago.toNanos() / 1_000);
  }

  private static final List<String> ROTATE =
      List.of(
          "TRUNCATE TABLE inbox_previous",
          "RENAME TABLE inbox TO inbox_rotating, inbox_previous TO inbox,"
              + " inbox_rotating TO inbox_previous");

  public final List<Sql> rotation() {
    return ROTATE.stream().map(names::in).map(Sql::of).toList();
  }

  private static final String MAY_RENAME = "RENAME TABLE inbox_rotating TO inbox_rotating";
  private static final String MAY_UPDATE =
      "UPDATE inbox_schema SET rotated_at = rotated_at WHERE one = FALSE";

  /** Checks the rights to rename but finds no table, so it waits for no transaction. */
  String mayRename() {
    return MAY_RENAME;
  }

  public final List<Sql> mayRotate() {
    return Stream.of(mayRename(), MAY_UPDATE).map(names::in).map(Sql::of).toList();
  }

  /** Error codes for a right that is missing, on a table or on the whole schema. */
  private static final Set<Integer> DENIED = Set.of(1142, 1143, 1044);

  @Override
  @SuppressWarnings("try") // closed at the end, and not used before
  public final @Nullable String rotationFault(Connection connection) throws SQLException {
    try (Undo waiting = waitingForASecond(connection)) { // a backup may hold up all such statements
      return deniedOf(connection);
    }
  }

  private @Nullable String deniedOf(Connection connection) {
    for (Sql statement : mayRotate()) {
      try {
        statement.run(connection);
      } catch (SQLException e) {
        if (DENIED.contains(e.getErrorCode())) {
          return "grant the user ALTER, DROP, CREATE and INSERT on %s, %s and %s, and UPDATE on %s: %s"
              .formatted(
                  names.shown(""),
                  names.shown("_previous"),
                  names.shown("_rotating"),
                  names.shown("_schema"),
                  e.getMessage());
        }
      }
    }
    return null;
  }

  private static final String LOCK_TIMEOUT = "SELECT @@SESSION.lock_wait_timeout";
  private static final String SET_LOCK_TIMEOUT = "SET SESSION lock_wait_timeout = ?";

  @Override
  @SuppressWarnings("try") // closed at the end, and not used before
  public final boolean rotate(Connection connection, Duration period) throws SQLException {
    if (lock().query(connection, row -> row.getInt(1)).get(0) != 1) {
      return false;
    }
    try (Undo unlocking = new Undo(unlock(), connection);
        Undo waiting = waitingForASecond(connection)) {
      boolean due = due(period).update(connection) > 0;
      if (due) {
        rotateNow(connection, period);
      }
      return due;
    }
  }

  /** Until it is closed statements that want a whole table wait for a second only. */
  private static Undo waitingForASecond(Connection connection) throws SQLException {
    long timeout = Sql.of(LOCK_TIMEOUT).query(connection, row -> row.getLong(1)).get(0);
    Sql.of(SET_LOCK_TIMEOUT, 1).run(connection);
    return new Undo(Sql.of(SET_LOCK_TIMEOUT, timeout), connection);
  }

  /** A statement that takes something back, whatever happened; its errors hide no others. */
  private record Undo(Sql sql, Connection connection) implements AutoCloseable {
    @Override
    public void close() throws SQLException {
      SessionSetting.putBack(connection, () -> sql.run(connection));
    }
  }

  // The time was noted first: a node that dies in between leaves a rotation out, which only keeps
  // rows longer; one that found it due again would forget what is young.
  @SuppressWarnings("try") // closed at the end, and not used before
  private void rotateNow(Connection connection, Duration period) throws SQLException {
    try {
      for (Sql statement : rotation()) {
        statement.run(connection);
      }
    } catch (SQLException e) {
      try (Undo noted = new Undo(rotated(period), connection)) {
        throw e;
      }
    }
    rotated(Duration.ZERO).run(connection);
  }
}
