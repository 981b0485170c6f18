package io.angarium.jdbc.internal.half;

import io.angarium.intake.CommittedMessages;
import io.angarium.intake.Partitioning;
import io.angarium.intake.StoredMessage;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.dialect.MessageRows;
import io.angarium.jdbc.internal.sql.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What the statement of {@link PostgresCommitDialect} did, read row by row. One thread. */
final class CommittedAtOnce {
  private static final int KEY = 14;
  private static final int AGE = 16;

  private final Dialect server;
  private final MessageRows rows;
  private final Map<UUID, Found> found = new HashMap<>();
  private final Set<Integer> keyedPartitions = new HashSet<>();
  private final List<StoredMessage> keyless = new ArrayList<>();

  /**
   * A row that was committed.
   *
   * @param age since it was prepared
   */
  record Found(long number, Duration age) {}

  private CommittedAtOnce(Dialect server, MessageRows rows) {
    this.server = server;
    this.rows = rows;
  }

  /** Runs the statement. */
  static CommittedAtOnce of(Sql commit, Connection connection, Dialect server, MessageRows rows)
      throws SQLException {
    CommittedAtOnce committed = new CommittedAtOnce(server, rows);
    commit.forEach(connection, committed::read);
    return committed;
  }

  private void read(ResultSet row) throws SQLException {
    if (row.getObject(KEY) == null) {
      keyless.add(rows.message(row));
      return;
    }
    if (Partitioning.isKeyed(row.getInt(1))) {
      keyedPartitions.add(row.getInt(1));
    }
    Duration age = Duration.ofMillis(Math.max(0, row.getLong(AGE)));
    found.put(server.uuid(row, KEY), new Found(row.getLong(2), age));
  }

  /** The rows of half messages by their keys. */
  Map<UUID, Found> found() {
    return found;
  }

  /** What goes to the relay after the commit. */
  CommittedMessages written(@Nullable UUID source) {
    return new CommittedMessages(keyedPartitions, keyless, Set.of(), source);
  }
}
