package io.angarium.jdbc.internal.inbox;

import io.angarium.inbox.InboxKey;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.dialect.mysql.MySqlSessionSql;
import io.angarium.jdbc.internal.sql.SessionSetting;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.jdbc.internal.sql.TransactionWatch;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The inbox on MySQL, whose inserts do not tell which of their rows were new. If not all were, they
 * are taken back to a savepoint and inserted one by one. To read and lock those that are there
 * would lock the gaps of those that are not.
 */
public final class MySqlInboxDialect extends MySqlFamilyInboxDialect {
  MySqlInboxDialect(Dialect server, TableNames names, InboxWait wait) {
    super(server, names, wait);
  }

  public Sql claimAll(List<InboxKey> keys) {
    return Sql.of(names().in(CLAIM_ALL.formatted("")), rows(new InboxNumbers(keys), keys));
  }

  @Override
  public boolean claim(Connection connection, InboxKey key) throws SQLException {
    return waitingBriefly(
        connection, () -> InboxDialect.isNoted(claim("", key).update(connection)));
  }

  @Override
  public Claim claimAll(Connection connection, List<InboxKey> keys) throws SQLException {
    return waitingBriefly(connection, () -> claimSeveral(connection, keys));
  }

  /** Parameter: the longest wait in seconds. */
  private static final String SHORTER_WAIT =
      """
      SET @angarium_wait = @@SESSION.innodb_lock_wait_timeout,
        SESSION innodb_lock_wait_timeout =
          CAST(LEAST(@@SESSION.innodb_lock_wait_timeout, ?) AS UNSIGNED)
      """;

  private static final String WAIT_AGAIN =
      "SET SESSION innodb_lock_wait_timeout = @angarium_wait, @angarium_wait = NULL";

  public Sql shorterWait() {
    return Sql.of(SHORTER_WAIT, patience().tells() ? 1 : patience().seconds());
  }

  public Sql waitAgain() {
    return Sql.of(WAIT_AGAIN);
  }

  /** A second is the least that MySQL knows. */
  private <T> T waitingBriefly(Connection connection, SessionSetting.Work<T> work)
      throws SQLException {
    shorterWait().run(connection);
    return SessionSetting.restoredAfter(connection, work, () -> waitAgain().run(connection));
  }

  /**
   * A savepoint is what they go back to if not all are new, and shows after the work whether the
   * transaction still is the same.
   */
  private Claim claimSeveral(Connection connection, List<InboxKey> keys) throws SQLException {
    Savepoint begun = connection.setSavepoint(); // it goes with its transaction
    TransactionWatch watch = () -> MySqlSessionSql.release(connection, begun);
    if (claimAll(keys).update(connection) == keys.size()) {
      return new Claim(Set.copyOf(keys), watch);
    }
    connection.rollback(begun);
    return new Claim(claimEach(connection, keys), watch);
  }

  private Set<InboxKey> claimEach(Connection connection, List<InboxKey> keys) throws SQLException {
    Set<InboxKey> claimed = new HashSet<>();
    for (InboxKey key : keys) {
      if (InboxDialect.isNoted(claim("", key).update(connection))) {
        claimed.add(key);
      }
    }
    return claimed;
  }
}
