package io.angarium.jdbc;

import io.angarium.TimeSource;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfListener;
import io.angarium.half.HalfState;
import io.angarium.half.HalfStep;
import io.angarium.half.Verdict;
import io.angarium.half.decide.HalfBacklog;
import io.angarium.half.decide.HalfDetails;
import io.angarium.half.decide.HalfMessageDesk;
import io.angarium.half.decide.OperatorDecision;
import io.angarium.half.internal.remote.PrintableExcerpt;
import io.angarium.intake.CommittedMessages;
import io.angarium.intake.Handover;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.dialect.MessageRows;
import io.angarium.jdbc.internal.half.AcceptedCall;
import io.angarium.jdbc.internal.half.CheckDialect;
import io.angarium.jdbc.internal.half.ContendedTransaction;
import io.angarium.jdbc.internal.half.DeskDialect;
import io.angarium.jdbc.internal.half.HalfDialect;
import io.angarium.jdbc.internal.half.HalfTransaction;
import io.angarium.jdbc.internal.session.OpenDatabase;
import io.angarium.jdbc.internal.session.Session;
import io.angarium.jdbc.internal.sql.SessionRole;
import io.angarium.jdbc.internal.sql.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The desk for the half messages of one database. What a person commits is handed over to the relay
 * of this process. Takes a connection for each call. Thread-safe.
 */
public final class JdbcHalfMessageDesk implements HalfMessageDesk {
  private static final Logger LOG = LoggerFactory.getLogger(JdbcHalfMessageDesk.class);

  private final OpenDatabase database;
  private final Dialect server;
  private final Handover handover;
  private final HalfListener listener;
  private final TimeSource time;
  private final DeskDialect dialect;
  private final CheckDialect checks;

  JdbcHalfMessageDesk(OpenDatabase database, Handover handover, HalfListener listener) {
    this.database = database;
    this.server = database.dialect();
    this.handover = handover;
    this.listener = listener;
    this.time = database.time();
    this.dialect = new DeskDialect(server);
    this.checks = new CheckDialect(server);
  }

  @Override
  public List<HalfDetails> unresolved(long after, int limit) {
    HalfMessageDesk.requirePage(Duration.ZERO, limit);
    return read(
        "reading unresolved half messages", dialect.unresolved(after, limit), this::details);
  }

  @Override
  public List<HalfDetails> undecided(Duration olderThan, long after, int limit) {
    HalfMessageDesk.requirePage(olderThan, limit);
    return read(
        "reading undecided half messages",
        dialect.undecided(olderThan, after, limit),
        this::details);
  }

  @Override
  public Optional<HalfDetails> find(HalfKey key) {
    return read("reading the half message " + key, dialect.find(key), this::details).stream()
        .findFirst();
  }

  @Override
  public List<OperatorDecision> acts(HalfKey key) {
    return read("reading acts on the half message " + key, dialect.acts(key), this::act);
  }

  @Override
  public HalfBacklog backlog() {
    return read(
            "counting half messages",
            dialect.backlog(),
            row -> new HalfBacklog(row.getLong(1), row.getLong(2), row.getLong(3)))
        .get(0);
  }

  private <T> List<T> read(String what, Sql sql, Sql.RowReader<T> reader) {
    try (Session session = database.session(SessionRole.WRITE)) {
      return session.call(what, connection -> sql.query(connection, reader));
    }
  }

  private HalfDetails details(ResultSet row) throws SQLException {
    boolean listed = row.getObject(9) != null;
    return new HalfDetails(
        row.getLong(1),
        new HalfKey(row.getString(2), row.getString(3)),
        HalfDialect.state(row.getString(4)),
        row.getString(5),
        row.getString(6),
        server.instant(row, 7),
        instant(row, 8),
        listed ? check(row) : null);
  }

  private HalfDetails.Check check(ResultSet row) throws SQLException {
    String verdict = row.getString(12);
    return new HalfDetails.Check(
        row.getInt(10),
        row.getInt(11),
        verdict == null
            ? null
            : Verdict.valueOf(verdict.toUpperCase(Locale.ROOT).replace(' ', '_')),
        row.getString(13),
        instant(row, 14),
        instant(row, 15));
  }

  private @Nullable Instant instant(ResultSet row, int column) throws SQLException {
    return row.getObject(column) == null ? null : server.instant(row, column);
  }

  private OperatorDecision act(ResultSet row) throws SQLException {
    return new OperatorDecision(
        server.instant(row, 1),
        row.getString(2),
        DeskDialect.step(row.getString(3)),
        row.getString(4),
        HalfDialect.state(row.getString(5)),
        HalfDialect.state(row.getString(6)));
  }

  private record Done(HalfAnswer answer, HalfTransaction transaction) {}

  @Override
  public HalfState act(HalfKey key, HalfStep step, String by, String reason) {
    HalfMessageDesk.require(step, by, reason);
    long startNanos = time.nanoTime();
    Done done;
    try (Session session = database.session(SessionRole.WRITE_TOGETHER)) {
      done =
          ContendedTransaction.run(
              session,
              server.sessions(),
              "deciding the half message " + key,
              connection -> act(connection, key, step, by, reason));
    }
    CommittedMessages written = done.transaction().written(database.source().id());
    if (!written.isEmpty()) {
      handover.committed(written, Duration.ofNanos(time.nanoTime() - startNanos));
    }
    done.transaction().tell(listener);
    HalfState state = done.answer().accepted();
    LOG.info(
        "Half message {} is {} after {} by {}: {}",
        key,
        state,
        step,
        PrintableExcerpt.of(by),
        PrintableExcerpt.of(reason));
    return state;
  }

  private Done act(Connection connection, HalfKey key, HalfStep step, String by, String reason)
      throws SQLException {
    HalfTransaction transaction =
        new HalfTransaction(connection, server, new HalfDialect(server), new MessageRows(server));
    HalfAnswer answer = transaction.run(List.of(AcceptedCall.of(key, step))).get(0);
    if (answer.refusal() == null) {
      HalfTransaction.Before before = transaction.before(key.id());
      OperatorDecision act =
          new OperatorDecision(time.instant(), by, step, reason, before.state(), answer.state());
      dialect.note(key, act).update(connection);
      if (step == HalfStep.RESUME) {
        resume(connection, before.number());
      }
    }
    return new Done(answer, transaction);
  }

  private void resume(Connection connection, long number) throws SQLException {
    if (dialect.resume(number).update(connection) == 0) {
      checks.enter(connection, List.of(number));
    }
  }
}
