package io.angarium.jdbc.internal.inbox;

import io.angarium.inbox.InboxKey;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.sql.BinaryIds;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The inbox on MariaDB, whose inserts return their rows and can do without waiting. It cuts several
 * ids out of one binary value, which takes the server less time than JSON does. The numbers for it
 * come from the sequence engine. If there is none, or the user is not allowed to use it, the inbox
 * uses JSON.
 */
public final class MariaDbInboxDialect extends MySqlFamilyInboxDialect {
  private static final Logger LOG = LoggerFactory.getLogger(MariaDbInboxDialect.class);

  /** From here on the form for several costs less. */
  private static final int SEVERAL = 4;

  /** The numbers of the sequence. */
  private static final int AT_ONCE_MAX = 65_536;

  private static final String NOT_WAITING =
      """
      SET STATEMENT innodb_lock_wait_timeout = 0 FOR
      """;

  /** Counts what is noted beside what the driver returns of it. */
  private static final String COUNTING = "(SELECT @angarium_noted := 0) AS counted, ";

  private static final String RETURNING =
      """
      RETURNING message_id, consumer, @angarium_noted := @angarium_noted + 1
      """;

  private static final String COUNTED = "SELECT @angarium_noted";

  private volatile boolean withoutSequence;

  /** Whether a driver was found to read rows wrongly that a prepared insert returns. */
  private volatile boolean misread;

  public MariaDbInboxDialect(Dialect server, TableNames names, InboxWait wait) {
    super(server, names, wait);
  }

  private static final String WAITING =
      """
      SET STATEMENT innodb_lock_wait_timeout = LEAST(@@innodb_lock_wait_timeout, %d) FOR
      """;

  private String waiting() {
    return patience().tells() ? NOT_WAITING : WAITING.formatted(patience().seconds());
  }

  public Sql claim(InboxKey key) {
    return claim(waiting(), key);
  }

  @Override
  public boolean claim(Connection connection, InboxKey key) throws SQLException {
    return InboxDialect.isNoted(claim(key).update(connection));
  }

  /** Parameters: consumer, message ids one after the other, how many, consumer. */
  private static final String CLAIM_SEVERAL =
      """
      INSERT IGNORE INTO inbox (consumer, message_id)
      SELECT ?, k.message_id
      FROM %s(
        SELECT SUBSTR(?, seq * 16 + 1, 16) AS message_id
        FROM seq_0_to_65535
        WHERE seq < ?) AS k
        LEFT JOIN inbox_previous AS p FORCE INDEX (PRIMARY)
          ON p.consumer = ? AND p.message_id = k.message_id
      WHERE p.message_id IS NULL
      """;

  /** For keys of one consumer. */
  public Sql claimSeveral(List<InboxKey> keys) {
    ByteBuffer ids = ByteBuffer.allocate(16 * keys.size());
    keys.forEach(key -> ids.put(BinaryIds.bytes(key.id())));
    long consumer = keys.get(0).consumerNumber();
    return Sql.of(
        names().in(waiting() + CLAIM_SEVERAL.formatted(COUNTING) + RETURNING),
        consumer,
        ids.array(),
        keys.size(),
        consumer);
  }

  public Sql claimAll(InboxNumbers numbers, List<InboxKey> keys) {
    return Sql.of(
        names().in(waiting() + CLAIM_ALL.formatted(COUNTING) + RETURNING), rows(numbers, keys));
  }

  @Override
  public Claim claimAll(Connection connection, List<InboxKey> keys) throws SQLException {
    Set<InboxKey> fresh =
        withoutSequence || !isForSequence(keys)
            ? claimByJson(connection, keys)
            : claimBySequence(connection, keys);
    return new Claim(fresh, watch(connection));
  }

  private Set<InboxKey> claimBySequence(Connection connection, List<InboxKey> keys)
      throws SQLException {
    try {
      return noted(connection, claimSeveral(keys), new InboxNumbers(keys), keys);
    } catch (SQLException e) {
      if (!isWithoutSequence(e)) {
        throw e;
      }
      Set<InboxKey> fresh = claimByJson(connection, keys); // fails if the inbox is what is missing
      withoutSequence = true;
      LOG.info("The inbox uses JSON, as it cannot use MariaDB's sequences: {}", e.getMessage());
      return fresh;
    }
  }

  /** No such table, not allowed, or a session without a database of its own. */
  private static boolean isWithoutSequence(SQLException e) {
    String state = String.valueOf(e.getSQLState());
    return state.startsWith("42") || state.startsWith("3D");
  }

  private static boolean isForSequence(List<InboxKey> keys) {
    String consumer = keys.get(0).consumer();
    return keys.size() >= SEVERAL
        && keys.size() <= AT_ONCE_MAX
        && keys.stream().allMatch(key -> key.consumer().equals(consumer));
  }

  /** MariaDB's driver logs every error that a statement causes, also one that is expected. */
  private static final String MAY_RENAME =
      "RENAME TABLE IF EXISTS inbox_rotating TO inbox_rotating";

  @Override
  String mayRename() {
    return MAY_RENAME;
  }

  private Set<InboxKey> claimByJson(Connection connection, List<InboxKey> keys)
      throws SQLException {
    InboxNumbers numbers = new InboxNumbers(keys);
    return noted(connection, claimAll(numbers, keys), numbers, keys);
  }

  /** Returns the keys that were noted. A key that the driver left out would be lost. */
  private Set<InboxKey> noted(
      Connection connection, Sql claim, InboxNumbers numbers, List<InboxKey> keys)
      throws SQLException {
    Sql.RowReader<InboxKey> reader =
        row -> numbers.key(row.getLong(2), BinaryIds.uuid(row.getBytes(1)));
    List<InboxKey> returned =
        misread || misreads(connection)
            ? claim.withLiterals().queryPlain(connection, reader)
            : claim.queryWriting(connection, reader);
    Set<InboxKey> fresh = new HashSet<>(keys);
    fresh.retainAll(returned);
    if (fresh.size() < keys.size() || returned.size() > keys.size()) {
      long noted = Sql.of(COUNTED).query(connection, row -> row.getLong(1)).get(0);
      requireAll(connection, noted, fresh.size(), returned.size());
    }
    return fresh;
  }

  /** Connector/J does, where the server prepares its statements. */
  private static boolean misreads(Connection connection) throws SQLException {
    return connection.getMetaData().getDriverName().contains("MySQL");
  }

  private void requireAll(Connection connection, long noted, int known, int returned)
      throws SQLException {
    if (noted == known && returned == known) {
      return;
    }
    misread = true; // the next delivery does without what failed
    throw new SQLException(
        "The driver "
            + connection.getMetaData().getDriverName()
            + " returned "
            + returned
            + " rows of "
            + noted
            + " that were noted, "
            + known
            + " of them as they were noted (expected: all of them). From now on the inbox sends"
            + " these statements as text; have the messages delivered again");
  }
}
