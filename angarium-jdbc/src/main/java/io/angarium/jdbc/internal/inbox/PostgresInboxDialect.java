package io.angarium.jdbc.internal.inbox;

import io.angarium.inbox.InboxKey;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.jdbc.internal.sql.TransactionWatch;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The inbox on PostgreSQL. A statement names its tables anew when they have changed names, and
 * takes its snapshot after its locks; so it sees all that was noted before a rotation, which waits
 * for open transactions. A snapshot taken at the beginning of a transaction would not.
 */
public final class PostgresInboxDialect implements InboxDialect {
  private static final String UNIQUE_VIOLATION = "23505";
  private static final String INVALID_TEXT = "22P02";

  /** Longer than deadlock_timeout, after which PostgreSQL ends an autovacuum that is in the way. */
  private static final String ROTATION_WAIT = "1500ms";

  /** Short, but longer than what statements of others hold for a moment. */
  private static final Duration TELLING_WAIT = Duration.ofMillis(50);

  /** From here on a savepoint costs less than it saves. */
  private static final int SEVERAL = 16;

  private final Dialect server;
  private final TableNames names;
  private final InboxWait wait;
  private final InboxStatements statements = new InboxStatements(this::folded);

  /** Whether the last batch had some; then the next is likely to. */
  private volatile boolean repeats;

  PostgresInboxDialect(Dialect server, TableNames names, InboxWait wait) {
    this.server = server;
    this.names = names;
    this.wait = wait;
  }

  @Override
  public Dialect server() {
    return server;
  }

  @Override
  public TableNames names() {
    return names;
  }

  @Override
  public List<String> connectionFaults(Connection connection) throws SQLException {
    return connection.getTransactionIsolation() <= Connection.TRANSACTION_READ_COMMITTED
        ? List.of()
        : List.of(
            "isolation of the data source: stricter than READ COMMITTED (expected: READ COMMITTED, "
                + "in which a delivery sees what was processed just before it)");
  }

  private static final String PROBE =
      """
      SELECT c.consumer, c.message_id, p.consumer, p.message_id, s.rotated_at
      FROM inbox AS c, inbox_previous AS p, inbox_schema AS s
      LIMIT 0
      """;

  @Override
  public Sql probe() {
    return Sql.of(names.in(PROBE));
  }

  /**
   * Waits for locks no longer than it is told, for as long as one statement runs: what it was
   * before is read first, and put back when the rest is done. The first part of a statement, with
   * what is noted as the second. Parameters: the longest wait in milliseconds, twice.
   */
  private static final String WAITING =
      """
      WITH angarium_wait AS MATERIALIZED (
        SELECT own, set_config('lock_timeout',
            CASE
              WHEN own = '0' OR own::interval > ? * interval '1 millisecond' THEN ? || 'ms'
              ELSE own
            END, true) AS limited
        FROM current_setting('lock_timeout') AS own),
      """;

  private static final String WAIT_AGAIN =
      "set_config('lock_timeout', (SELECT own FROM angarium_wait), true)";

  /** Parameters: consumer, message id, consumer, message id. */
  private static final String NOTE =
      """
      INSERT INTO inbox (consumer, message_id)
      SELECT ?, ?
      WHERE (SELECT limited FROM angarium_wait) IS NOT NULL
        AND CASE current_setting('transaction_isolation')
          WHEN 'read committed' THEN true
          WHEN 'read uncommitted' THEN true
          ELSE CAST(current_setting('transaction_isolation') AS boolean)
        END
        AND NOT EXISTS (
          SELECT 1
          FROM inbox_previous
          WHERE consumer = ? AND message_id = ?)
      ON CONFLICT DO NOTHING
      RETURNING 1
      """;

  /** With the note in it. */
  private static final String CLAIM =
      WAITING
          + """
          angarium_fresh AS (
          %s)
          SELECT count(*),
          """
          + WAIT_AGAIN
          + """

          FROM angarium_fresh
          """;

  /** Returns the wait in milliseconds; the statement also makes it a part of a text. */
  private Object waitMillis() {
    return wait.tells() ? TELLING_WAIT.toMillis() : wait.millis();
  }

  public Sql claim(InboxKey key) {
    long consumer = key.consumerNumber();
    return Sql.of(
        names.in(CLAIM.formatted(NOTE)),
        waitMillis(),
        waitMillis(),
        consumer,
        key.id(),
        consumer,
        key.id());
  }

  @Override
  public boolean claim(Connection connection, InboxKey key) throws SQLException {
    return InboxDialect.isNoted(claim(key).query(connection, row -> row.getInt(1)).get(0));
  }

  /** Its work waits for locks as long as it would elsewhere. */
  private static final String FOLDED_CONDITION =
      "(SELECT count(*) = 1 AND " + WAIT_AGAIN + " IS NOT NULL FROM angarium_fresh)";

  /** With the claim and the work in it. */
  private static final String FOLDED =
      WAITING
          + """
          angarium_fresh AS (
          %s),
          angarium_work AS (
          %s
          RETURNING 1)
          SELECT (SELECT count(*) FROM angarium_fresh), (SELECT count(*) FROM angarium_work),
          """
          + WAIT_AGAIN
          + "\n";

  private String folded(InboxStatement work) {
    return names.in(FOLDED).formatted(names.in(NOTE), work.where(FOLDED_CONDITION));
  }

  @Override
  public InboxStatements statements() {
    return folds() ? statements : UNFOLDED;
  }

  public Sql folded(InboxKey key, String work, @Nullable Object... parameters) {
    long consumer = key.consumerNumber();
    List<@Nullable Object> all = new ArrayList<>(6 + parameters.length);
    Collections.addAll(all, waitMillis(), waitMillis(), consumer, key.id(), consumer, key.id());
    Collections.addAll(all, parameters);
    return new Sql(work, all);
  }

  // the short lock time-out of telling would hold for the work as well
  @Override
  public boolean folds() {
    return !wait.tells();
  }

  @Override
  public OptionalLong update(
      Connection connection, InboxKey key, String work, @Nullable Object... parameters)
      throws SQLException {
    return folded(key, work, parameters)
        .query(
            connection,
            row -> row.getLong(1) == 1 ? OptionalLong.of(row.getLong(2)) : OptionalLong.empty())
        .get(0);
  }

  private static final String KEYS =
      """
      INSERT INTO inbox (consumer, message_id)
      SELECT k.consumer, k.message_id
      FROM unnest(?::int8[], ?::uuid[]) AS k (consumer, message_id)
      WHERE (SELECT limited FROM angarium_wait) IS NOT NULL
        AND CASE current_setting('transaction_isolation')
          WHEN 'read committed' THEN true
          WHEN 'read uncommitted' THEN true
          ELSE CAST(current_setting('transaction_isolation') AS boolean)
        END
        AND (
          SELECT p.consumer
          FROM inbox_previous AS p
          WHERE p.consumer = k.consumer AND p.message_id = k.message_id) IS NULL
      """;

  /**
   * A look before an insert costs less than ON CONFLICT, which writes each row in two steps. Fails
   * if another transaction notes one of the keys meanwhile.
   */
  private static final String CLAIM_NEW =
      KEYS
          + """
              AND (
                SELECT c.consumer
                FROM inbox AS c
                WHERE c.consumer = k.consumer AND c.message_id = k.message_id) IS NULL
          RETURNING 1
          """;

  /**
   * Rows come in the order of the arrays. The lookup is a subquery of each row so that no plan
   * reads all of the table. Parameters: consumers, message ids.
   */
  private static final String CLAIM_ALL =
      KEYS
          + """
          ON CONFLICT DO NOTHING
          RETURNING consumer, message_id
          """;

  public Sql claimNew(InboxNumbers numbers, List<InboxKey> keys) {
    return withKeys(CLAIM.formatted(CLAIM_NEW), numbers, keys);
  }

  /** One row, however many are new: arrays that are read whole, and how many there are. */
  private static final String CLAIM_ARRAYS =
      WAITING
          + """
          angarium_fresh AS (
          %s)
          SELECT count(*), array_agg(consumer), array_agg(message_id),
          """
          + WAIT_AGAIN
          + """

          FROM angarium_fresh
          """;

  public Sql claimAll(InboxNumbers numbers, List<InboxKey> keys) {
    return withKeys(CLAIM_ARRAYS.formatted(CLAIM_ALL), numbers, keys);
  }

  private Sql withKeys(String text, InboxNumbers numbers, List<InboxKey> keys) {
    List<@Nullable Object> consumers = new ArrayList<>(keys.size());
    List<@Nullable Object> ids = new ArrayList<>(keys.size());
    for (InboxKey key : keys) {
      consumers.add(numbers.of(key));
      ids.add(key.id());
    }
    return Sql.of(
        names.in(text),
        waitMillis(),
        waitMillis(),
        new Sql.ArrayValue("int8", consumers),
        new Sql.ArrayValue("uuid", ids));
  }

  @Override
  public Claim claimAll(Connection connection, List<InboxKey> keys) throws SQLException {
    InboxNumbers numbers = new InboxNumbers(keys);
    boolean allNew = !repeats && keys.size() >= SEVERAL && claimedNew(connection, numbers, keys);
    Set<InboxKey> fresh = allNew ? Set.copyOf(keys) : claimEach(connection, numbers, keys);
    repeats = fresh.size() < keys.size();
    return new Claim(fresh, watch(connection));
  }

  /** All or, if some are there, none. */
  private boolean claimedNew(Connection connection, InboxNumbers numbers, List<InboxKey> keys)
      throws SQLException {
    Savepoint before = connection.setSavepoint();
    try {
      if (claimNew(numbers, keys).query(connection, row -> row.getInt(1)).get(0) == keys.size()) {
        return true;
      }
    } catch (SQLException e) {
      if (!UNIQUE_VIOLATION.equals(e.getSQLState())) {
        throw e;
      }
    }
    connection.rollback(before);
    return false;
  }

  private Set<InboxKey> claimEach(Connection connection, InboxNumbers numbers, List<InboxKey> keys)
      throws SQLException {
    return claimAll(numbers, keys).query(connection, row -> fresh(numbers, row)).get(0);
  }

  private static Set<InboxKey> fresh(InboxNumbers numbers, ResultSet row) throws SQLException {
    int count = row.getInt(1);
    Set<InboxKey> fresh = new HashSet<>();
    if (count > 0) {
      Object[] consumers = (Object[]) row.getArray(2).getArray();
      Object[] ids = (Object[]) row.getArray(3).getArray();
      for (int i = 0; i < ids.length; i++) {
        fresh.add(numbers.key((Long) consumers[i], (UUID) ids[i]));
      }
    }
    if (fresh.size() != count) {
      throw new SQLException(
          "The driver returned " + fresh.size() + " of " + count + " rows that were noted");
    }
    return fresh;
  }

  /** Parameters: how long to wait for a lock. */
  private static final String LOCK_TIMEOUT =
      """
      SELECT current_setting('lock_timeout'), set_config('lock_timeout', ?, true)
      """;

  Sql lockTimeout(String timeout) {
    return Sql.of(LOCK_TIMEOUT, timeout);
  }

  @Override
  public TransactionWatch watch(Connection connection) throws SQLException {
    return server.sessions().watch(connection);
  }

  @Override
  public @Nullable String meaning(SQLException e) {
    boolean isolation =
        INVALID_TEXT.equals(e.getSQLState())
            && String.valueOf(e.getMessage()).matches("(?s).*(repeatable read|serializable).*");
    return isolation
        ? "the inbox wants READ COMMITTED on PostgreSQL: in a transaction that keeps its first"
            + " snapshot it could miss what was processed just before the tables changed names"
        : null;
  }

  /** Parameter: the period in milliseconds. */
  private static final String DUE =
      """
      SELECT 1
      FROM inbox_schema
      WHERE rotated_at <= clock_timestamp() - ? * interval '1 millisecond'
      FOR UPDATE SKIP LOCKED
      """;

  public Sql due(Duration period) {
    return Sql.of(names.in(DUE), period.toMillis());
  }

  private static final String MAY_ROTATE =
      """
      SELECT bool_and(
        pg_has_role(relowner, 'USAGE')
        AND has_schema_privilege(relnamespace, 'CREATE')
        AND has_table_privilege('inbox_schema', 'UPDATE'))
      FROM pg_class
      WHERE oid IN ('inbox'::regclass, 'inbox_previous'::regclass)
      """;

  public Sql mayRotate() {
    return Sql.of(names.in(MAY_ROTATE));
  }

  @Override
  public @Nullable String rotationFault(Connection connection) throws SQLException {
    boolean may = mayRotate().query(connection, row -> row.getBoolean(1)).get(0);
    return may
        ? null
        : ("make the user a member of the role that owns %s and %s, and grant it CREATE in their"
                + " schema and UPDATE on %s")
            .formatted(names.shown(""), names.shown("_previous"), names.shown("_schema"));
  }

  private static final List<String> ROTATE =
      List.of(
          "LOCK TABLE inbox IN ACCESS EXCLUSIVE MODE",
          "LOCK TABLE inbox_previous IN ACCESS EXCLUSIVE MODE",
          "TRUNCATE TABLE inbox_previous",
          "ALTER TABLE inbox RENAME TO :inbox_rotating",
          "ALTER TABLE inbox_previous RENAME TO :inbox",
          "ALTER TABLE inbox_rotating RENAME TO :inbox_previous",
          "UPDATE inbox_schema SET rotated_at = clock_timestamp()");

  public List<Sql> rotation() {
    return ROTATE.stream().map(names::inRenaming).map(Sql::of).toList();
  }

  @Override
  @SuppressWarnings("try") // closed at the end, and not used before
  public boolean rotate(Connection connection, Duration period) throws SQLException {
    connection.setAutoCommit(false);
    try (Ending ending = new Ending(connection)) {
      lockTimeout(ROTATION_WAIT).run(connection);
      boolean due = due(period).run(connection) > 0;
      if (due) {
        for (Sql statement : rotation()) {
          statement.run(connection);
        }
      }
      connection.commit();
      return due;
    }
  }

  /** Its errors hide no others. After a commit there is nothing to roll back. */
  private record Ending(Connection connection) implements AutoCloseable {
    @Override
    public void close() throws SQLException {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }
}
