package io.angarium.jdbc;

import io.angarium.Destination;
import io.angarium.MessageId;
import io.angarium.StoreException;
import io.angarium.confirmation.ConfirmationConfig;
import io.angarium.confirmation.ConfirmationDesk;
import io.angarium.confirmation.ConfirmationDesk.Unconfirmed;
import io.angarium.confirmation.Confirmations;
import io.angarium.intake.Partitioning;
import io.angarium.internal.DurationText;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.dialect.MessageRows;
import io.angarium.jdbc.internal.session.ChosenRows;
import io.angarium.jdbc.internal.session.OpenDatabase;
import io.angarium.jdbc.internal.session.Session;
import io.angarium.jdbc.internal.sql.SessionRole;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.write.ConfirmationDialect;
import io.angarium.jdbc.internal.write.JdbcDeadLetters;
import io.angarium.jdbc.internal.write.Suspects;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.relay.settings.RelayListener;
import io.angarium.store.WriteRefusedException;
import io.angarium.store.internal.Halving;
import io.angarium.store.internal.RefusedRows;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The confirmations of one database. Takes a connection for each call. Thread-safe. */
public final class JdbcConfirmations implements Confirmations {
  /** Old receipts are looked for once an hour. */
  private static final Duration FORGETTING = Duration.ofHours(2);

  private static final Logger LOG = LoggerFactory.getLogger(JdbcConfirmations.class);

  private final OpenDatabase database;
  private final Dialect server;
  private final JdbcConfig config;
  private final ConfirmationDialect dialect;
  private final RelayListener listener;
  private final RefusedRows<UUID> receipts;
  private final Suspects suspects = new Suspects();
  private final RefusedRows<UUID> overdue;
  private final RefusedRows<UUID> old;

  JdbcConfirmations(OpenDatabase database, RelayListener listener) {
    this.database = database;
    this.server = database.dialect();
    this.config = database.config();
    this.dialect = new ConfirmationDialect(server, config.confirmation());
    this.listener = listener;
    this.receipts =
        refused(
            "note the receipt of message",
            "The message is sent again when its time is over.",
            FORGETTING);
    this.overdue =
        refused(
            "settle the overdue confirmation of message",
            "The message waits.",
            config.confirmation().interval().multipliedBy(2).plusMinutes(5));
    this.old = refused("delete the old receipt of message", "The receipt is kept.", FORGETTING);
  }

  private RefusedRows<UUID> refused(String what, String meanwhile, Duration remembered) {
    return new RefusedRows<>(what, meanwhile, remembered, database.time());
  }

  @Override
  public void confirm(Collection<MessageId> ids) {
    // ascending, so that two callers with the same ids cannot block each other
    List<UUID> ascending = ids.stream().map(MessageId::value).sorted().distinct().toList();
    for (int from = 0; from < ascending.size(); from += ConfirmationDialect.IDS_MAX) {
      int to = Math.min(from + ConfirmationDialect.IDS_MAX, ascending.size());
      note(ascending.subList(from, to));
    }
    noteAgain();
  }

  /**
   * Receipts that the database refuses while it records others are kept in memory, so that they do
   * not make the broker deliver all of them again and again. What it refuses without taking any is
   * thrown, and kept by the broker.
   */
  private void note(List<UUID> ids) {
    Set<UUID> thrown = new HashSet<>();
    Halving<UUID> outcome =
        noteSome(
            ids,
            refusal -> {
              List<UUID> blamed = suspects.blamed(refusal, receipts::has);
              thrown.addAll(refusal.refused());
              blamed.forEach(thrown::remove);
              return blamed;
            });
    WriteRefusedException cause = outcome.cause();
    if (cause != null && !(thrown.isEmpty() && outcome.untried().isEmpty())) {
      throw cause;
    }
  }

  private Halving<UUID> noteSome(List<UUID> ids, Function<Halving<UUID>, Collection<UUID>> blamed) {
    return receipts.write(
        ids,
        id -> id,
        some -> told(call("noting receipts", connection -> confirm(connection, some))),
        blamed);
  }

  private void noteAgain() {
    List<UUID> due = receipts.due(ConfirmationDialect.IDS_MAX);
    if (!due.isEmpty()) {
      noteSome(due, Halving::refused);
    }
  }

  private void told(int confirmed) {
    if (confirmed > 0) {
      listener.confirmed(confirmed);
    }
  }

  private record Waiting(UUID id, boolean inOutbox) {}

  /**
   * A receipt may be faster than the note that its message was sent, or than a copy that waits to
   * be sent again; such a one is kept.
   *
   * @return how many messages waited for them
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
    return waiting.size();
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
    return settleOverdue(() -> {});
  }

  @Override
  public Overdue settleOverdue(Runnable progress) {
    Overdue all = Overdue.NONE;
    Overdue some;
    do {
      some =
          new ChosenRows<>(overdue)
              .run(work -> settle(work, progress), this::settle).stream()
                  .map(Settled::overdue)
                  .reduce(Overdue.NONE, Overdue::plus);
      all = all.plus(some);
    } while (!some.equals(Overdue.NONE));
    noteAgain();
    return all;
  }

  private Settled settle(Session.Work<Settled> work, Runnable progress) {
    progress.run();
    Settled settled = call("settling overdue confirmations", work);
    tell(settled);
    return settled;
  }

  private void tell(Settled settled) {
    told(settled.confirmed());
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

  private Settled settle(Connection connection, ChosenRows.Choice<UUID> choice)
      throws SQLException {
    List<Late> late =
        choice.of(
            dialect.overdue(choice.besides()).query(connection, this::late),
            Late::id,
            ConfirmationDialect.IDS_MAX);
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
  public List<Unconfirmed> byDestination() {
    return call(
        "counting unconfirmed messages",
        connection ->
            dialect
                .byDestination(ConfirmationDesk.COUNT_MAX)
                .query(connection, dialect.unconfirmed()));
  }

  @Override
  public int forgetReceipts() {
    return forgetReceipts(() -> {});
  }

  @Override
  public int forgetReceipts(Runnable progress) {
    forgetAll(
        "forgetting what was sent again", progress, dialect::oldResent, dialect::forgetResent);
    return forgetAll(
        "forgetting receipts", progress, dialect::oldReceipts, dialect::forgetReceipts);
  }

  /** Some hundred at a time. */
  private int forgetAll(
      String what, Runnable progress, IntFunction<Sql> find, Function<List<UUID>, Sql> forget) {
    int all = 0;
    int some;
    do {
      some =
          new ChosenRows<>(old)
                  .<Integer>run(
                      work -> {
                        progress.run();
                        return call(what, work);
                      },
                      (connection, choice) -> {
                        List<UUID> ids =
                            choice.of(
                                find.apply(choice.besides()).query(connection, dialect.id()),
                                id -> id,
                                ConfirmationDialect.IDS_MAX);
                        return ids.isEmpty() ? 0 : forget.apply(ids).update(connection);
                      })
                  .stream()
                  .mapToInt(Integer::intValue)
                  .sum();
      all += some;
    } while (some > 0);
    return all;
  }

  @Override
  public Optional<String> fault() {
    return overdue.fault().or(receipts::fault).or(old::fault);
  }

  private <T> T call(String what, Session.Work<T> work) {
    try (Session session = database.session(SessionRole.WRITE)) {
      return session.transaction(what, work);
    }
  }
}
