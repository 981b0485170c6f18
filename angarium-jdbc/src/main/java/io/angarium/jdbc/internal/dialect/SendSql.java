package io.angarium.jdbc.internal.dialect;

import io.angarium.intake.NewMessage;
import io.angarium.jdbc.internal.dialect.SendSql.Inserted;
import io.angarium.jdbc.internal.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * What producers write in their transactions: messages, delayed messages and unique business keys.
 * Thread-safe.
 */
public interface SendSql {
  /** What the database gave to a new row. */
  record Inserted(long sequence, Instant createdAt) {}

  /** The most messages one insert takes; more become several statements. */
  int insertMax();

  /**
   * Inserts messages so that their sequences follow the order of the list.
   *
   * @return one for each message, in any order
   */
  List<Inserted> insert(Connection connection, List<NewMessage> messages) throws SQLException;

  /**
   * Inserts messages like {@link #insert}, for keyed partitions. What the database gave these
   * messages is not returned, as the relay reads them from there.
   *
   * @return how many rows the database says it inserted
   */
  int insertKeyed(Connection connection, List<NewMessage> messages) throws SQLException;

  /** Inserts delayed messages. */
  Sql insertDelayed(List<NewMessage> messages);

  /**
   * Notes pairs of business type and key.
   *
   * @param messages in order of type and key, so that concurrent callers do not deadlock
   * @return the ids of the messages whose pair was new
   */
  Set<UUID> claimBusinessKeys(Connection connection, List<NewMessage> messages) throws SQLException;

  /** Takes back what {@link #claimBusinessKeys} noted for these messages. */
  Sql releaseBusinessKeys(List<NewMessage> messages);

  /** Deletes business keys older than an age; returns how many. */
  int trimDedup(Connection connection, Duration age, int limit) throws SQLException;
}
