package io.angarium.jdbc;

import io.angarium.Destination;
import io.angarium.DurationText;
import io.angarium.MessageId;
import io.angarium.Partitioning;
import io.angarium.confirmation.ConfirmationConfig;
import io.angarium.confirmation.Confirmations;
import io.angarium.relay.RelayListener;
import io.angarium.store.StoreException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The confirmations of one database. Takes a connection for each call. Thread-safe. */
public final class JdbcConfirmations implements Confirmations {
  private static final Logger LOG = LoggerFactory.getLogger(JdbcConfirmations.class);

  private final OpenDatabase database;
  private final Dialect server;
  private final JdbcConfig config;
  private final ConfirmationDialect dialect;
  private final RelayListener listener;

  JdbcConfirmations(OpenDatabase database, RelayListener listener) {
    this.database = database;
    this.server = database.dialect();
    this.config = database.config();
    this.dialect = new ConfirmationDialect(server, config.confirmation());
    this.listener = listener;
  }

  @Override
  public void confirm(Collection<MessageId> ids) {
    // ascending, so that two callers with the same ids cannot block each other
    List<UUID> ascending = ids.stream().map(MessageId::value).sorted().distinct().toList();
    for (int from = 0; from < ascending.size(); from += ConfirmationDialect.IDS_MAX) {
      int to = Math.min(from + ConfirmationDialect.IDS_MAX, ascending.size());
      List<UUID> some = ascending.subList(from, to);
      call("noting receipts", connection -> confirm(connection, some));
    }
  }

  private record Waiting(UUID id, boolean inOutbox) {}

  /**
   * A receipt may be faster than the note that its message was sent, or than a copy that waits to
   * be sent again; such a one is kept.
   */
  private int confirm(Connection connection, List<UUID> ids) throws SQLException {
    List<Waiting> waiting =
        dialect
            .waiting(ids)
            .query(connection, row -> new Waiting(dialect.id().read(row), row.getInt(2) == 1));
    Set<UUID> kept = new TreeSet<>(ids);
    waiting.stream().filter(w -> !w.inOutbox()).map(Waiting::id).forEach(kept::remove);
    if (!waiting.isEmpty()) {
      dialect.forget(waiting.stream().map(Waiting::id).toList()).run(connection);
    }
    if (!kept.isEmpty()) {
      dialect.addReceipts(kept).run(connection);
    }
    return ids.size() - kept.size();
  }

  private record Late(UUID id, int sends, String destination, @Nullable String key) {
    long keyHash() {
      return key == null ? 0 : Partitioning.keyHash(Destination.parse(destination), key);
    }
  }

  private Late late(ResultSet row) throws SQLException {
    return new Late(server.uuid(row, 1), row.getInt(2), row.getString(3), row.getString(4));
  }

  private record Settled(int confirmed, int resent, List<Late> dead) {
    static final Settled NOTHING = new Settled(0, 0, List.of());

    Overdue overdue() {
      return new Overdue(confirmed, resent, dead.size());
    }
  }

  @Override
  public Overdue settleOverdue() {
    Overdue all = Overdue.NONE;
    Settled some;
    do {
      some = call("settling overdue confirmations", this::settle);
      tell(some);
      all = all.plus(some.overdue());
    } while (!some.equals(Settled.NOTHING));
    return all;
  }

  private void tell(Settled settled) {
    if (settled.resent() > 0) {
      listener.resent(settled.resent());
    }
    List<Late> dead = settled.dead();
    dead.forEach(JdbcConfirmations::log);
    if (!dead.isEmpty() && listener != RelayListener.NONE) {
      List<MessageId> ids = dead.stream().map(late -> new MessageId(late.id())).toList();
      try {
        new JdbcDeadLetters(database, new MessageRows(server))
            .find(ids)
            .forEach(letter -> listener.dead(letter.message(), letter.reason()));
      } catch (StoreException e) { // they are dead all the same, and the log has told of them
        LOG.warn(
            "Listeners are not told of {} dead letter(s) that nobody confirmed", dead.size(), e);
      }
    }
  }

  private static void log(Late dead) {
    LOG.error(
        "Message {} to {} with key {} is now a dead letter, as no consumer confirmed it, sent {}"
            + " times",
        dead.id(),
        dead.destination(),
        dead.key(),
        dead.sends());
  }

  private Settled settle(Connection connection) throws SQLException {
    List<Late> late = dialect.overdue().query(connection, this::late);
    if (late.isEmpty()) {
      return Settled.NOTHING;
    }
    Set<UUID> received =
        new HashSet<>(
            dialect.receipts(late.stream().map(Late::id).toList()).query(connection, dialect.id()));
    List<Late> missing = late.stream().filter(l -> !received.contains(l.id())).toList();
    int sendsMax = config.confirmation().sendsMax();
    List<Late> again = missing.stream().filter(l -> l.sends() < sendsMax).toList();
    List<Late> dead = missing.stream().filter(l -> l.sends() >= sendsMax).toList();
    if (!received.isEmpty()) {
      dialect.forget(received).run(connection);
    }
    resend(connection, again);
    bury(connection, dead);
    return new Settled(received.size(), again.size(), dead);
  }

  private void resend(Connection connection, List<Late> again) throws SQLException {
    if (!again.isEmpty()) {
      List<UUID> ids = again.stream().map(Late::id).toList();
      dialect.resend(ids).run(connection);
      dialect.resent(ids).run(connection);
      LOG.debug("Sent again, as nobody confirmed them: {}", ids);
    }
  }

  private void bury(Connection connection, List<Late> dead) throws SQLException {
    ConfirmationConfig confirmation = config.confirmation();
    for (Late message : dead) {
      String reason =
          "unconfirmed: sent "
              + message.sends()
              + " times, and no receipt came within "
              + DurationText.of(confirmation.timeout());
      dialect.bury(message.id(), message.keyHash(), reason).run(connection);
    }
    if (!dead.isEmpty()) {
      dialect.forget(dead.stream().map(Late::id).toList()).run(connection);
    }
  }

  @Override
  public long unconfirmed() {
    return call(
        "counting unconfirmed messages",
        connection -> dialect.count().query(connection, row -> row.getLong(1)).get(0));
  }

  @Override
  public int forgetReceipts() {
    while (call("forgetting what was sent again", this::forgetResent) > 0) {
      // some hundred at a time
    }
    int all = 0;
    int some;
    do {
      some = call("forgetting receipts", this::forgetOld);
      all += some;
    } while (some > 0);
    return all;
  }

  private int forgetResent(Connection connection) throws SQLException {
    List<UUID> old = dialect.oldResent().query(connection, dialect.id());
    return old.isEmpty() ? 0 : dialect.forgetResent(old).update(connection);
  }

  private int forgetOld(Connection connection) throws SQLException {
    List<UUID> old = dialect.oldReceipts().query(connection, dialect.id());
    return old.isEmpty() ? 0 : dialect.forgetReceipts(old).update(connection);
  }

  private <T> T call(String what, Session.Work<T> work) {
    try (Session session = database.session(Session.Role.WRITE)) {
      return session.transaction(what, work);
    }
  }
}
