package io.angarium.jdbc.internal.desk;

import io.angarium.MessageId;
import io.angarium.confirmation.ConfirmationDesk;
import io.angarium.desk.ActBy;
import io.angarium.desk.ActResult;
import io.angarium.desk.AuditEntry;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.session.OpenDatabase;
import io.angarium.jdbc.internal.session.Session;
import io.angarium.jdbc.internal.sql.SessionRole;
import io.angarium.jdbc.internal.write.ConfirmationDialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The unconfirmed messages of one database. Takes a connection for each call. Thread-safe. */
public final class JdbcConfirmationDesk implements ConfirmationDesk {
  private static final Logger LOG = LoggerFactory.getLogger(JdbcConfirmationDesk.class);

  private final OpenDatabase database;
  private final Dialect server;
  private final ConfirmationDialect dialect;
  private final AuditRows audit;

  public JdbcConfirmationDesk(OpenDatabase database) {
    this.database = database;
    this.server = database.dialect();
    this.dialect = new ConfirmationDialect(server, database.config().confirmation());
    this.audit = new AuditRows(server);
  }

  @Override
  public List<Unconfirmed> byDestination() {
    try (Session session = database.session(SessionRole.READ)) {
      return session.call(
          "counting unconfirmed messages",
          connection -> dialect.byDestination(COUNT_MAX).query(connection, dialect.unconfirmed()));
    }
  }

  @Override
  public ActResult sendAgain(Collection<MessageId> unconfirmed, ActBy by) {
    if (unconfirmed.isEmpty() || unconfirmed.size() > IDS_MAX) {
      throw new IllegalArgumentException(
          "ids: " + unconfirmed.size() + " (expected: 1.." + IDS_MAX + ")");
    }
    Set<MessageId> wanted = new LinkedHashSet<>(unconfirmed);
    // ascending, so that two callers with the same ids cannot block each other
    List<UUID> ids = wanted.stream().map(MessageId::value).sorted().toList();
    Set<MessageId> sent = new LinkedHashSet<>();
    try (Session session = database.session(SessionRole.WRITE)) {
      session
          .transaction(
              "sending unconfirmed messages again", connection -> sendAgain(connection, ids, by))
          .forEach(id -> sent.add(new MessageId(id)));
    }
    LOG.info(
        "{} of {} unconfirmed messages sent again by {}, reason '{}': {}",
        sent.size(),
        wanted.size(),
        by.decision().by(),
        by.decision().reason(),
        sent);
    return new ActResult(
        wanted.stream().filter(sent::contains).toList(),
        wanted.stream().filter(id -> !sent.contains(id)).toList(),
        Map.of());
  }

  private record Waiting(UUID id, boolean inOutbox) {}

  private List<UUID> sendAgain(Connection connection, List<UUID> ids, ActBy by)
      throws SQLException {
    List<UUID> sent = new ArrayList<>();
    for (int from = 0; from < ids.size(); from += ConfirmationDialect.IDS_MAX) {
      int to = Math.min(from + ConfirmationDialect.IDS_MAX, ids.size());
      List<UUID> some =
          dialect
              .waiting(ids.subList(from, to))
              .query(connection, row -> new Waiting(server.uuid(row, 1), row.getInt(2) == 1))
              .stream()
              .filter(waiting -> !waiting.inOutbox())
              .map(Waiting::id)
              .toList();
      if (!some.isEmpty()) {
        dialect.resend(some).run(connection);
        dialect.resent(some).run(connection);
        sent.addAll(some);
      }
    }
    audit.add(
        connection,
        sent.stream()
            .map(id -> new MessageId(id).toString())
            .map(id -> AuditEntry.of(by, "sendAgain", AuditEntry.MESSAGE, id, null))
            .toList());
    return sent;
  }
}
