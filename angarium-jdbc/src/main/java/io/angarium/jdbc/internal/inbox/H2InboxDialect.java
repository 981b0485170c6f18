package io.angarium.jdbc.internal.inbox;

import io.angarium.inbox.InboxKey;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.dialect.h2.H2SessionSql;
import io.angarium.jdbc.internal.sql.FailureText;
import io.angarium.jdbc.internal.sql.Refusals;
import io.angarium.jdbc.internal.sql.SessionSetting;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.jdbc.internal.sql.TransactionWatch;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** The inbox on H2: one table, whose old rows are deleted. */
public record H2InboxDialect(Dialect server, TableNames names, InboxWait patience)
    implements InboxDialect {
  private static final String DUPLICATE = "23505";

  @Override
  public Map<String, Set<String>> columns() {
    return Map.of(
        "", Set.of("consumer", "message_id", "processed_at"), "_schema", Set.of("one", "version"));
  }

  private static final String PROBE =
      """
      SELECT consumer, message_id, processed_at
      FROM inbox
      FETCH FIRST 0 ROWS ONLY
      """;

  @Override
  public Sql probe() {
    return Sql.of(names.in(PROBE));
  }

  /** Parameters: consumer, message id. */
  private static final String CLAIM =
      """
      INSERT INTO inbox (consumer, message_id)
      VALUES (?, ?)
      """;

  public Sql claim(InboxKey key) {
    return Sql.of(names.in(CLAIM), key.consumerNumber(), key.id());
  }

  @Override
  public boolean claim(Connection connection, InboxKey key) throws SQLException {
    return !claimed(connection, List.of(key)).isEmpty();
  }

  @Override
  public Claim claimAll(Connection connection, List<InboxKey> keys) throws SQLException {
    return new Claim(Set.copyOf(claimed(connection, keys)), watch(connection));
  }

  private Set<InboxKey> claimed(Connection connection, List<InboxKey> keys) throws SQLException {
    int timeout = Sql.of(LOCK_TIMEOUT).query(connection, row -> row.getInt(1)).get(0);
    int max = patience.tells() ? 1 : Math.toIntExact(patience.millis());
    if (timeout <= max) {
      return claimEach(connection, keys);
    }
    Sql.of(SET_LOCK_TIMEOUT, max).run(connection);
    return SessionSetting.restoredAfter(
        connection,
        () -> claimEach(connection, keys),
        () -> Sql.of(SET_LOCK_TIMEOUT, timeout).run(connection));
  }

  // A broken unique key ends the statement, not the transaction.
  private Set<InboxKey> claimEach(Connection connection, List<InboxKey> keys) throws SQLException {
    Set<InboxKey> claimed = new HashSet<>();
    for (InboxKey key : keys) {
      try {
        if (InboxDialect.isNoted(claim(key).update(connection))) {
          claimed.add(key);
        }
      } catch (SQLException e) {
        if (!DUPLICATE.equals(e.getSQLState())) {
          throw e;
        }
      }
    }
    return claimed;
  }

  private static final String LOCK_TIMEOUT = "CALL LOCK_TIMEOUT()";
  private static final String SET_LOCK_TIMEOUT = "SET LOCK_TIMEOUT ?";

  @Override
  public TransactionWatch watch(Connection connection) throws SQLException {
    TransactionWatch marked = H2SessionSql.marked(connection);
    return marked == null ? () -> {} : marked; // nothing was noted
  }

  /** Parameter: the age in milliseconds. */
  private static final String TRIM =
      """
      DELETE FROM inbox
      WHERE processed_at < DATEADD(MILLISECOND, -?, CURRENT_TIMESTAMP(6))
      """;

  public Sql trim(Duration age) {
    return Sql.of(names.in(TRIM), age.toMillis());
  }

  /** Parameter: the age in milliseconds. */
  private static final String OLD =
      """
      SELECT consumer, message_id
      FROM inbox
      WHERE processed_at < DATEADD(MILLISECOND, -?, CURRENT_TIMESTAMP(6))
      """;

  public Sql old(Duration age) {
    return Sql.of(names.in(OLD), age.toMillis());
  }

  /** The key may be that of a newer note by now. Parameters: consumer, message id, age. */
  private static final String DELETE =
      """
      DELETE FROM inbox
      WHERE consumer = ?
        AND message_id = ?
        AND processed_at < DATEADD(MILLISECOND, -?, CURRENT_TIMESTAMP(6))
      """;

  public Sql delete(Note note, Duration age) {
    return Sql.of(names.in(DELETE), note.consumer(), note.message(), age.toMillis());
  }

  /** The key of a row. */
  public record Note(long consumer, UUID message) {}

  @Override
  public boolean rotate(Connection connection, Duration period) throws SQLException {
    try {
      return trim(period).run(connection) > 0;
    } catch (SQLException e) {
      if (!Refusals.isFinal(e)) {
        throw e;
      }
      deleteEach(connection, period);
      return true;
    }
  }

  /** Deletes what H2 does not refuse, and then throws the first refusal. */
  private void deleteEach(Connection connection, Duration period) throws SQLException {
    List<Note> notes =
        old(period).query(connection, row -> new Note(row.getLong(1), server.uuid(row, 2)));
    SQLException refusal = null;
    for (Note note : notes) {
      try {
        delete(note, period).update(connection);
      } catch (SQLException e) {
        if (!Refusals.isFinal(e)) {
          throw e;
        }
        String text =
            "the note of message " + note.message() + " is kept: " + FailureText.message(e);
        refusal = refusal == null ? new SQLException(text, e.getSQLState(), e) : refusal;
      }
    }
    if (refusal != null) {
      throw refusal;
    }
  }
}
