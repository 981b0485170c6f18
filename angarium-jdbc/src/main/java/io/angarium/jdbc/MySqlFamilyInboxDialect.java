package io.angarium.jdbc;

import io.angarium.inbox.InboxKey;
import io.angarium.jdbc.InboxConfig.WhenBusy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/**
 * What the inbox has in common on MySQL and MariaDB. Tables change names in one statement, which
 * waits for the transactions that have used them; so no transaction sees the names of both sides.
 */
abstract sealed class MySqlFamilyInboxDialect implements InboxDialect
    permits MySqlInboxDialect, MariaDbInboxDialect {
  private final Dialect server;
  private final TableNames names;
  private final WhenBusy whenBusy;

  MySqlFamilyInboxDialect(Dialect server, TableNames names, WhenBusy whenBusy) {
    this.server = server;
    this.names = names;
    this.whenBusy = whenBusy;
  }

  @Override
  public final Dialect server() {
    return server;
  }

  @Override
  public final TableNames names() {
    return names;
  }

  final WhenBusy whenBusy() {
    return whenBusy;
  }

  private static final String PROBE =
      """
      SELECT c.consumer, c.message_id, p.consumer, p.message_id, s.rotated_at
      FROM inbox AS c, inbox_previous AS p, inbox_schema AS s
      LIMIT 0
      """;

  @Override
  public final List<Sql> probes() {
    return List.of(Sql.of(names.in(PROBE)));
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
  final Sql claim(String text, InboxKey key) {
    long consumer = key.consumerNumber();
    byte[] id = BinaryIds.bytes(key.id());
    return Sql.of(names.in(text + CLAIM), consumer, id, consumer, id);
  }

  /** Parameter: rows of consumer, message id. */
  static final String CLAIM_ALL =
      """
      INSERT IGNORE INTO inbox (consumer, message_id)
      SELECT k.consumer, UNHEX(k.message_id)
      FROM JSON_TABLE(?, '$[*]' COLUMNS (
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

  private static final String FIND =
      """
      SELECT 1
      FROM inbox
      WHERE consumer = ? AND message_id = ?
      """;

  @Override
  public final Sql find(InboxKey key) {
    return Sql.of(names.in(FIND), key.consumerNumber(), BinaryIds.bytes(key.id()));
  }

  @Override
  public final boolean endsTransactions() {
    return true;
  }

  /** Ends with the connection, so that no two nodes can rotate at once, however slow one is. */
  private static final String LOCK =
      """
      SELECT GET_LOCK(CONCAT('angarium ', LEFT(SHA2(CONCAT(DATABASE(), ' ', ?), 256), 40)), 0)
      """;

  private static final String UNLOCK =
      """
      SELECT RELEASE_LOCK(CONCAT('angarium ', LEFT(SHA2(CONCAT(DATABASE(), ' ', ?), 256), 40)))
      """;

  final Sql lock() {
    return Sql.of(LOCK, names.in("inbox"));
  }

  final Sql unlock() {
    return Sql.of(UNLOCK, names.in("inbox"));
  }

  /** Parameter: the period in microseconds. */
  private static final String DUE =
      """
      SELECT 1
      FROM inbox_schema
      WHERE rotated_at <= UTC_TIMESTAMP(6) - INTERVAL ? MICROSECOND
      """;

  final Sql due(Duration period) {
    return Sql.of(names.in(DUE), period.toNanos() / 1_000);
  }

  /** Parameter: how long ago, in microseconds. */
  private static final String ROTATED =
      """
      UPDATE inbox_schema
      SET rotated_at = UTC_TIMESTAMP(6) - INTERVAL ? MICROSECOND
      """;

  final Sql rotated(Duration ago) {
    return Sql.of(names.in(ROTATED), ago.toNanos() / 1_000);
  }

  private static final List<String> ROTATE =
      List.of(
          "TRUNCATE TABLE inbox_previous",
          "RENAME TABLE inbox TO inbox_rotating, inbox_previous TO inbox,"
              + " inbox_rotating TO inbox_previous");

  final List<Sql> rotation() {
    return ROTATE.stream().map(names::in).map(Sql::of).toList();
  }

  private static final String LOCK_TIMEOUT = "SELECT @@SESSION.lock_wait_timeout";
  private static final String SET_LOCK_TIMEOUT = "SET SESSION lock_wait_timeout = ?";

  @Override
  public final boolean rotate(Connection connection, Duration period) throws SQLException {
    if (lock().query(connection, row -> row.getInt(1)).get(0) != 1) {
      return false;
    }
    long timeout = Sql.of(LOCK_TIMEOUT).query(connection, row -> row.getLong(1)).get(0);
    try {
      Sql.of(SET_LOCK_TIMEOUT, 1).run(connection);
      return due(period).run(connection) > 0 && rotateNow(connection, period);
    } finally {
      Sql.of(SET_LOCK_TIMEOUT, timeout).run(connection);
      unlock().run(connection);
    }
  }

  // The time is noted first: a node that dies in between leaves a rotation out, which only keeps
  // rows longer; one that found it due again would forget what is young.
  private boolean rotateNow(Connection connection, Duration period) throws SQLException {
    rotated(Duration.ZERO).run(connection);
    try {
      for (Sql statement : rotation()) {
        statement.run(connection);
      }
    } catch (SQLException e) {
      rotated(period).run(connection);
      throw e;
    }
    rotated(Duration.ZERO).run(connection);
    return true;
  }
}
