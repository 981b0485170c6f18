package io.angarium.jdbc;

import io.angarium.inbox.InboxKey;
import io.angarium.jdbc.InboxConfig.WhenBusy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The inbox on MariaDB, whose inserts return their rows and can do without waiting. */
final class MariaDbInboxDialect extends MySqlFamilyInboxDialect {
  private static final String NOT_WAITING =
      """
      SET STATEMENT innodb_lock_wait_timeout = 0 FOR
      """;

  private static final String RETURNING =
      """
      RETURNING consumer, message_id
      """;

  MariaDbInboxDialect(Dialect server, TableNames names, WhenBusy whenBusy) {
    super(server, names, whenBusy);
  }

  private String waiting() {
    return whenBusy() == WhenBusy.WAIT ? "" : NOT_WAITING;
  }

  Sql claim(InboxKey key) {
    return claim(waiting(), key);
  }

  @Override
  public boolean claim(Connection connection, InboxKey key) throws SQLException {
    return claim(key).update(connection) == 1;
  }

  Sql claimAll(InboxNumbers numbers, List<InboxKey> keys) {
    return Sql.of(names().in(waiting() + CLAIM_ALL + RETURNING), rows(numbers, keys));
  }

  @Override
  public Set<InboxKey> claimAll(Connection connection, List<InboxKey> keys) throws SQLException {
    InboxNumbers numbers = new InboxNumbers(keys);
    return new HashSet<>(
        claimAll(numbers, keys)
            .queryWriting(
                connection, row -> numbers.key(row.getLong(1), BinaryIds.uuid(row.getBytes(2)))));
  }
}
