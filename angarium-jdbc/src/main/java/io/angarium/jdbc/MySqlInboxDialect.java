package io.angarium.jdbc;

import io.angarium.inbox.InboxKey;
import io.angarium.jdbc.InboxConfig.WhenBusy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The inbox on MySQL, whose inserts do not tell which of their rows were new. If not all were, they
 * are taken back to a savepoint, those that are there are read, and the others are inserted.
 */
final class MySqlInboxDialect extends MySqlFamilyInboxDialect {
  private static final int DEADLOCK = 1213;
  private static final int CHANGED_BETWEEN_MAX = 20;

  MySqlInboxDialect(Dialect server, TableNames names, WhenBusy whenBusy) {
    super(server, names, whenBusy);
  }

  /** Locks what is there, so that it stays. Parameter: rows of consumer, message id. */
  private static final String FIND_ALL =
      """
      SELECT k.consumer, k.message_id
      FROM JSON_TABLE(?, '$[*]' COLUMNS (
          consumer BIGINT PATH '$[0]',
          message_id CHAR(32) PATH '$[1]')) AS k
        STRAIGHT_JOIN inbox AS i FORCE INDEX (PRIMARY)
          ON i.consumer = k.consumer AND i.message_id = UNHEX(k.message_id)
      FOR SHARE OF i
      """;

  private static final String FIND_ALL_PREVIOUS =
      FIND_ALL.replace("JOIN inbox", "JOIN inbox_previous");

  Sql findAll(List<InboxKey> keys) {
    return Sql.of(names().in(FIND_ALL), rows(new InboxNumbers(keys), keys));
  }

  Sql findAllPrevious(List<InboxKey> keys) {
    return Sql.of(names().in(FIND_ALL_PREVIOUS), rows(new InboxNumbers(keys), keys));
  }

  private static List<InboxKey> keys(Connection connection, Sql found, List<InboxKey> keys)
      throws SQLException {
    InboxNumbers numbers = new InboxNumbers(keys);
    return found.query(
        connection, row -> numbers.key(row.getLong(1), BinaryIds.ofHex(row.getString(2))));
  }

  Sql claimAll(List<InboxKey> keys) {
    return Sql.of(names().in(CLAIM_ALL), rows(new InboxNumbers(keys), keys));
  }

  @Override
  public boolean claim(Connection connection, InboxKey key) throws SQLException {
    return waitingBriefly(connection, () -> claim("", key).update(connection) == 1);
  }

  @Override
  public Set<InboxKey> claimAll(Connection connection, List<InboxKey> keys) throws SQLException {
    return waitingBriefly(connection, () -> claimNew(connection, keys));
  }

  private static final String LOCK_TIMEOUT = "SELECT @@SESSION.innodb_lock_wait_timeout";
  private static final String SET_LOCK_TIMEOUT = "SET SESSION innodb_lock_wait_timeout = ?";

  @FunctionalInterface
  private interface Work<T> {
    T run() throws SQLException;
  }

  /** A second is the least that MySQL knows. */
  private <T> T waitingBriefly(Connection connection, Work<T> work) throws SQLException {
    if (whenBusy() == WhenBusy.WAIT) {
      return work.run();
    }
    long timeout = Sql.of(LOCK_TIMEOUT).query(connection, row -> row.getLong(1)).get(0);
    Sql.of(SET_LOCK_TIMEOUT, 1).run(connection);
    try {
      return work.run();
    } finally {
      Sql.of(SET_LOCK_TIMEOUT, timeout).run(connection);
    }
  }

  private Set<InboxKey> claimNew(Connection connection, List<InboxKey> keys) throws SQLException {
    Set<InboxKey> rest = new LinkedHashSet<>(keys);
    for (int i = 0; !rest.isEmpty(); i++) {
      List<InboxKey> tried = List.copyOf(rest);
      Savepoint before = connection.setSavepoint();
      if (claimAll(tried).update(connection) == tried.size()) {
        connection.releaseSavepoint(before);
        return rest;
      }
      if (i == CHANGED_BETWEEN_MAX) {
        throw new SQLException("Others take the same messages again and again", "40001", DEADLOCK);
      }
      connection.rollback(before);
      rest.removeAll(keys(connection, findAllPrevious(tried), tried));
      rest.removeAll(keys(connection, findAll(tried), tried));
    }
    return rest;
  }
}
