package io.angarium.jdbc.internal.alert;

import io.angarium.alert.Alert;
import io.angarium.alert.AlertDesk;
import io.angarium.alert.AlertKey;
import io.angarium.alert.AlertState;
import io.angarium.alert.AlertStore;
import io.angarium.alert.Severity;
import io.angarium.alert.Silence;
import io.angarium.alert.Told;
import io.angarium.desk.ActBy;
import io.angarium.desk.AuditEntry;
import io.angarium.jdbc.internal.alert.AlertWriter.Held;
import io.angarium.jdbc.internal.desk.AuditDialect;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.session.OpenDatabase;
import io.angarium.jdbc.internal.session.Session;
import io.angarium.jdbc.internal.sql.SessionRole;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The alerts of one database. Takes a connection for each call. Thread-safe. */
public final class JdbcAlerts implements AlertStore, AlertDesk {
  private static final int TOLD_FROM = 14;

  private final OpenDatabase database;
  private final Dialect server;
  private final AlertDialect dialect;
  private final NoticeDialect notices;
  private final SilenceDialect silences;
  private final AlertWriter writer;
  private final AuditDialect audit;

  public JdbcAlerts(OpenDatabase database) {
    this.database = database;
    this.server = database.dialect();
    this.dialect = new AlertDialect(server);
    this.notices = new NoticeDialect(server);
    this.silences = new SilenceDialect(server);
    this.writer = new AlertWriter(server);
    this.audit = new AuditDialect(server);
  }

  @Override
  public @Nullable Turn begin(String node, Duration lease) {
    Optional<Turn> begun =
        transaction(
            "asking whose turn it is to look for alerts",
            connection -> {
              Held held = writer.hold(connection);
              if (held.live() && !held.node().equals(node)) {
                return Optional.empty();
              }
              long token = held.live() ? held.token() : held.token() + 1;
              dialect.takeTurn(token, node, lease).update(connection);
              return Optional.of(new Turn(token, held.now()));
            });
    return begun.orElse(null);
  }

  @Override
  public void end(String node) {
    transaction(
        "giving back the turn of looking for alerts",
        connection -> dialect.endTurn(node).update(connection));
  }

  @Override
  public List<Alert> alerts() {
    return read("reading alerts", connection -> dialect.alerts().query(connection, this::alert))
        .stream()
        .sorted(Alert.URGENT_FIRST)
        .toList();
  }

  private Alert alert(ResultSet row) throws SQLException {
    String takenBy = row.getString(11);
    return new Alert(
        new AlertKey(row.getString(1), row.getString(2)),
        AlertState.valueOf(upper(row, 3)),
        Severity.valueOf(upper(row, 4)),
        row.getDouble(5),
        row.getString(6),
        row.getLong(7),
        server.instant(row, 8),
        time(row, 9),
        time(row, 10),
        takenBy == null
            ? null
            : new Alert.Taken(takenBy, server.instant(row, 12), row.getString(13)));
  }

  private @Nullable Instant time(ResultSet row, int column) throws SQLException {
    return row.getObject(column) == null ? null : server.instant(row, column);
  }

  private static String upper(ResultSet row, int column) throws SQLException {
    return row.getString(column).toUpperCase(Locale.ROOT);
  }

  @Override
  public boolean save(Turn turn, Collection<Alert> changed, Collection<AlertKey> deleted) {
    return transaction(
        "writing alerts",
        connection -> {
          Held held = writer.hold(connection);
          if (held.token() != turn.token() || !held.live()) {
            return false;
          }
          writer.delete(connection, deleted);
          writer.write(connection, changed);
          return true;
        });
  }

  @Override
  public List<Told> told() {
    return read(
        "reading what channels of alerts were told",
        connection ->
            notices
                .told()
                .query(
                    connection,
                    row -> told(row, new AlertKey(row.getString(1), row.getString(2)), 3)));
  }

  /** What stands from a column on. */
  private Told told(ResultSet row, AlertKey key, int first) throws SQLException {
    return new Told(
        key,
        row.getString(first),
        Told.What.valueOf(upper(row, first + 1)),
        row.getLong(first + 2),
        Severity.valueOf(upper(row, first + 3)),
        server.instant(row, first + 4),
        row.getString(first + 5));
  }

  @Override
  public Known known() {
    Map<AlertKey, Alert> alerts = new LinkedHashMap<>();
    List<Told> told = new ArrayList<>();
    read(
        "reading alerts and what channels were told of them",
        connection -> {
          dialect
              .known()
              .forEach(
                  connection,
                  row -> {
                    Alert alert = alert(row);
                    alerts.put(alert.key(), alert);
                    if (row.getString(TOLD_FROM) != null) {
                      told.add(told(row, alert.key(), TOLD_FROM));
                    }
                  });
          return alerts;
        });
    return new Known(alerts.values().stream().sorted(Alert.URGENT_FIRST).toList(), told);
  }

  @Override
  public void note(Collection<Told> told) {
    if (told.isEmpty()) {
      return;
    }
    transaction(
        "noting what channels of alerts were told",
        connection -> {
          writer.note(connection, told);
          return told;
        });
  }

  @Override
  public List<Silence> silences() {
    return read(
        "reading silences of alerts",
        connection -> silences.silences().query(connection, this::silence));
  }

  private Silence silence(ResultSet row) throws SQLException {
    return new Silence(
        row.getLong(1),
        row.getString(2),
        row.getString(3),
        server.instant(row, 4),
        server.instant(row, 5),
        row.getString(6),
        row.getString(7));
  }

  // ---- what persons do

  @Override
  public boolean take(AlertKey key, @Nullable String from, ActBy by) {
    return transaction(
        "taking an alert",
        connection -> {
          boolean taken = dialect.take(key, from, by).update(connection) == 1;
          if (taken) {
            note(connection, Act.TAKE.entry(by, key.rule() + " " + key.subject()));
          }
          return taken;
        });
  }

  @Override
  public Silence silence(String rule, String subject, Duration length, ActBy by) {
    Silence.check(rule, subject, length);
    return transaction(
        "silencing alerts",
        connection -> {
          silences.deleteEnded(Silence.MAX).update(connection);
          silences.add(rule, subject, length, by).update(connection);
          note(connection, Act.SILENCE.entry(by, rule + " " + subject));
          return silences.latest(rule, subject, by).query(connection, this::silence).get(0);
        });
  }

  @Override
  public boolean lift(long silence, ActBy by) {
    return transaction(
        "lifting a silence of alerts",
        connection -> {
          boolean lifted = silences.end(silence).update(connection) == 1;
          if (lifted) {
            note(connection, Act.LIFT.entry(by, Long.toString(silence)));
          }
          return lifted;
        });
  }

  private void note(Connection connection, AuditEntry entry) throws SQLException {
    audit.note(List.of(entry)).update(connection);
  }

  private <T> T transaction(String doing, Session.Work<T> work) {
    try (Session session = database.session(SessionRole.WRITE)) {
      return session.transaction(doing, work);
    }
  }

  private <T> T read(String doing, Session.Work<T> work) {
    try (Session session = database.session(SessionRole.READ)) {
      return session.call(doing, work);
    }
  }
}
