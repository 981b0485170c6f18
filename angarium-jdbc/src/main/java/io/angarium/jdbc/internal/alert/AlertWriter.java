package io.angarium.jdbc.internal.alert;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.angarium.alert.Alert;
import io.angarium.alert.AlertKey;
import io.angarium.alert.Told;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;

/**
 * Writes alerts and notices in a transaction that holds the row of the turn, so that two nodes
 * never write at the same time. Reads which rows there are instead of counting the rows that an
 * update changes: with {@code useAffectedRows} MySQL does not count a row that stays as it was.
 * Thread-safe.
 */
final class AlertWriter {
  private final Dialect server;
  private final AlertDialect alerts;
  private final NoticeDialect notices;

  AlertWriter(Dialect server) {
    this.server = server;
    this.alerts = new AlertDialect(server);
    this.notices = new NoticeDialect(server);
  }

  /** Whose turn it is. */
  record Held(long token, String node, boolean live, Instant now) {}

  /** Reads whose turn it is. The row stays locked until the transaction ends. */
  Held hold(Connection connection) throws SQLException {
    List<Held> held = read(connection);
    if (held.isEmpty()) {
      alerts.firstTurn().update(connection);
      held = read(connection);
    }
    return held.get(0);
  }

  private List<Held> read(Connection connection) throws SQLException {
    return alerts
        .turn()
        .query(
            connection,
            row ->
                new Held(
                    row.getLong(1), row.getString(2), row.getInt(3) == 1, server.instant(row, 4)));
  }

  /** Deletes alerts and their notices. */
  void delete(Connection connection, Collection<AlertKey> deleted) throws SQLException {
    List<Sql> statements = new ArrayList<>();
    deleted.forEach(key -> statements.add(notices.delete(key)));
    deleted.forEach(key -> statements.add(alerts.delete(key)));
    run(connection, statements);
  }

  /** Adds or changes alerts. */
  void write(Connection connection, Collection<Alert> changed) throws SQLException {
    if (changed.isEmpty()) {
      return;
    }
    Set<AlertKey> there = keys(connection);
    List<Sql> statements = new ArrayList<>();
    for (Alert alert : changed) {
      statements.add(there.add(alert.key()) ? alerts.add(alert) : alerts.change(alert));
    }
    run(connection, statements);
  }

  private Set<AlertKey> keys(Connection connection) throws SQLException {
    return new HashSet<>(
        alerts.keys().query(connection, row -> new AlertKey(row.getString(1), row.getString(2))));
  }

  private record NoticeKey(AlertKey alert, String channel) {}

  /** Adds or changes notices of alerts that are there. */
  void note(Connection connection, Collection<Told> told) throws SQLException {
    hold(connection);
    Set<AlertKey> known = keys(connection);
    Set<NoticeKey> there =
        new HashSet<>(
            notices
                .keys()
                .query(
                    connection,
                    row ->
                        new NoticeKey(
                            new AlertKey(row.getString(1), row.getString(2)), row.getString(3))));
    List<Sql> statements = new ArrayList<>();
    for (Told each : told) {
      if (known.contains(each.key())) {
        boolean added = there.add(new NoticeKey(each.key(), each.channel()));
        statements.add(added ? notices.add(each) : notices.change(each));
      }
    }
    run(connection, statements);
  }

  /** Runs statements of one text together. */
  private static void run(Connection connection, List<Sql> statements) throws SQLException {
    Collection<List<Sql>> byText =
        statements.stream().collect(groupingBy(Sql::text, LinkedHashMap::new, toList())).values();
    for (List<Sql> same : byText) {
      Sql.batch(connection, same);
    }
  }
}
