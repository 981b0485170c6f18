package io.angarium.jdbc;

import io.angarium.MessageId;
import io.angarium.store.DeadLetter;
import io.angarium.store.DeadLetters;
import io.angarium.store.Position;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The dead letters of one database. Takes a connection for each call; changes hold the leases of
 * the partitions concerned, so that they never cross a write of the owner. Thread-safe.
 */
final class JdbcDeadLetters implements DeadLetters {
  private static final Logger LOG = LoggerFactory.getLogger(JdbcDeadLetters.class);

  private record DeadKey(int partition, long keyHash, boolean blocksKey) {}

  private final DataSource dataSource;
  private final Dialect dialect;
  private final JdbcConfig config;
  private final MessageRows rows;

  JdbcDeadLetters(DataSource dataSource, Dialect dialect, JdbcConfig config, MessageRows rows) {
    this.dataSource = dataSource;
    this.dialect = dialect;
    this.config = config;
    this.rows = rows;
  }

  @Override
  public List<DeadLetter> page(@Nullable String destination, @Nullable Position after, int limit) {
    if (limit < 1 || limit > PAGE_MAX) {
      throw new IllegalArgumentException("limit: " + limit + " (expected: 1.." + PAGE_MAX + ")");
    }
    Sql sql = dialect.deadPage(destination, after, limit);
    try (Session session = session(Session.Role.READ)) {
      return session.call("reading dead letters", in -> sql.query(in, rows::deadLetter));
    }
  }

  @Override
  public List<DeadLetter> find(Collection<MessageId> ids) {
    if (ids.isEmpty()) {
      return List.of();
    }
    Sql sql = dialect.deadOf(uuids(ids));
    try (Session session = session(Session.Role.READ)) {
      return session.call("finding dead letters", in -> sql.query(in, rows::deadLetter));
    }
  }

  @Override
  public int requeue(Collection<MessageId> ids, String by) {
    List<UUID> dead = uuids(ids);
    int requeued =
        change(
            "requeueing dead letters",
            dead,
            connection ->
                Transaction.runAll(connection, dialect.requeueBlocking(dead, by))
                    + Transaction.runAll(connection, dialect.requeueOthers(dead, by)));
    LOG.info("{} of {} dead letters requeued by {}: {}", requeued, ids.size(), by, ids);
    return requeued;
  }

  @Override
  public int discard(Collection<MessageId> ids, String by) {
    List<UUID> dead = uuids(ids);
    int discarded = change("discarding dead letters", dead, dialect.discard(dead)::run);
    LOG.info("{} of {} dead letters discarded by {}: {}", discarded, ids.size(), by, ids);
    return discarded;
  }

  private int change(String what, List<UUID> ids, Session.Work<Integer> change) {
    if (ids.isEmpty()) {
      return 0;
    }
    try (Session session = session(Session.Role.WRITE)) {
      return session.transaction(
          what,
          connection -> {
            List<DeadKey> keys = keysOf(connection, ids);
            if (keys.isEmpty()) {
              return 0;
            }
            List<Integer> partitions =
                keys.stream().map(DeadKey::partition).distinct().sorted().toList();
            dialect.lockPartitions(partitions).run(connection);
            int changed = change.with(connection);
            ParkedMessages.chooseHeads(connection, dialect, blocked(keys));
            return changed;
          });
    }
  }

  private static List<ParkedKey> blocked(List<DeadKey> keys) {
    return keys.stream()
        .filter(DeadKey::blocksKey)
        .map(key -> ParkedKey.of(key.partition(), key.keyHash()))
        .distinct()
        .toList();
  }

  private List<DeadKey> keysOf(Connection connection, List<UUID> ids) throws SQLException {
    return dialect
        .deadKeysOf(ids)
        .query(connection, row -> new DeadKey(row.getInt(1), row.getLong(2), row.getBoolean(3)));
  }

  private Session session(Session.Role role) {
    return Session.brief(dataSource, dialect, role, config);
  }

  private static List<UUID> uuids(Collection<MessageId> ids) {
    return ids.stream().map(MessageId::value).distinct().toList();
  }
}
