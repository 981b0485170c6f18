package io.angarium.jdbc;

import io.angarium.StoreException;
import io.angarium.half.CallKind;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfListener;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.intake.CommittedMessages;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.dialect.MessageRows;
import io.angarium.jdbc.internal.half.AcceptedCall;
import io.angarium.jdbc.internal.half.CallsAtOnce;
import io.angarium.jdbc.internal.half.ContendedTransaction;
import io.angarium.jdbc.internal.half.HalfDialect;
import io.angarium.jdbc.internal.half.HalfGroups;
import io.angarium.jdbc.internal.half.HalfTransaction;
import io.angarium.jdbc.internal.half.PostgresCommitDialect;
import io.angarium.jdbc.internal.session.OpenDatabase;
import io.angarium.jdbc.internal.session.Session;
import io.angarium.jdbc.internal.session.SessionPool;
import io.angarium.jdbc.internal.session.Source;
import io.angarium.jdbc.internal.sql.SessionRole;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Half messages in the database of an outbox: a commit writes the message into the outbox and notes
 * the outcome in one transaction, and hands the message over to the relay of this process. Calls
 * that are made at the same time share transactions. A transaction has at most 500 calls or 4 MiB
 * of payload and headers; more calls take several transactions in turn. On PostgreSQL prepares go
 * in one statement without a transaction around it, and so do commits. Calls that the statement
 * leaves alone, such as repeats, go in a transaction after it, and succeed or fail without the
 * others. A call that waits for a key for 3 s (H2: as long as the database is told to) fails. Keeps
 * three connections until it is closed. Thread-safe.
 */
public final class JdbcHalfMessages implements HalfMessages, AutoCloseable {
  /** So that one group is gathered while the other commits. */
  static final int SESSIONS = 2;

  private final Source source;
  private final Dialect server;
  private final HalfDialect dialect;
  private final MessageRows rows;
  private final MessageIntake intake;
  private final Handover handover;
  private final HalfListener listener;
  private final List<Session> sessions;
  private final Session asking;
  private final SessionPool.Kept kept;
  private final HalfGroups groups;

  JdbcHalfMessages(
      OpenDatabase database,
      MessageIntake intake,
      Handover handover,
      HalfListener listener,
      int sessions) {
    this.source = database.source();
    this.server = database.dialect();
    this.dialect = new HalfDialect(server);
    this.rows = new MessageRows(server);
    this.intake = intake;
    this.handover = handover;
    this.listener = listener;
    this.kept = database.sessions().keep("half messages", sessions + 1);
    this.sessions =
        Stream.generate(() -> database.session(SessionRole.WRITE_TOGETHER))
            .limit(sessions)
            .toList();
    this.asking = database.session(SessionRole.WRITE_TOGETHER);
    this.groups =
        new HalfGroups(
            this.sessions, new Work(), server.sessions()::isLockTimeout, dialect.commits() != null);
  }

  @Override
  public List<HalfAnswer> callAll(List<HalfCall> calls) {
    List<AcceptedCall> accepted =
        calls.stream().map(call -> AcceptedCall.of(call, intake, handover)).toList();
    List<HalfAnswer> answers = new ArrayList<>(calls.size());
    for (List<AcceptedCall> part : parts(accepted)) {
      answers.addAll(groups.run(part));
    }
    return answers;
  }

  /** Splits calls into as few transactions as the statements allow. */
  private static List<List<AcceptedCall>> parts(List<AcceptedCall> calls) {
    List<List<AcceptedCall>> parts = new ArrayList<>();
    int start = 0;
    long bytes = 0;
    for (int i = 0; i < calls.size(); i++) {
      long length = calls.get(i).bytes();
      if (i > start
          && (i - start >= HalfDialect.KEYS_MAX || bytes + length > HalfGroups.BYTES_MAX)) {
        parts.add(calls.subList(start, i));
        start = i;
        bytes = 0;
      }
      bytes += length;
    }
    if (start < calls.size()) {
      parts.add(calls.subList(start, calls.size()));
    }
    return parts;
  }

  private record Done(
      List<HalfAnswer> answers, CommittedMessages written, Consumer<HalfListener> news) {}

  /** What the sessions are used for. */
  private final class Work implements HalfGroups.Work {
    @Override
    public List<@Nullable HalfAnswer> atOnce(Session session, List<AcceptedCall> calls) {
      PostgresCommitDialect commits = dialect.commits();
      CallKind kind = CallKind.of(calls, AcceptedCall::step);
      if (commits == null
          || kind == CallKind.MIXED
          || calls.stream().anyMatch(AcceptedCall::isDelayedCommit)) {
        return Arrays.asList(new @Nullable HalfAnswer[calls.size()]);
      }
      long startNanos = intake.time().nanoTime();
      CallsAtOnce once = new CallsAtOnce(kind, calls, server, dialect.inserts(), commits, rows);
      try {
        session.call(what(calls), once::run);
      } catch (StoreException e) {
        if (!CallsAtOnce.tookNoEffect(e)) {
          throw e;
        }
      }
      tell(once.written(source.id()), startNanos, once::tell);
      return once.answers();
    }

    @Override
    public List<HalfAnswer> together(
        Session session, List<AcceptedCall> calls, Runnable beforeCommit) {
      long startNanos = intake.time().nanoTime();
      Done done = JdbcHalfMessages.this.together(session, calls, beforeCommit);
      tell(done.written(), startNanos, done.news());
      return done.answers();
    }
  }

  private void tell(CommittedMessages written, long startNanos, Consumer<HalfListener> news) {
    if (!written.isEmpty()) {
      handover.committed(written, Duration.ofNanos(intake.time().nanoTime() - startNanos));
    }
    news.accept(listener);
  }

  private static String what(List<AcceptedCall> calls) {
    return "deciding " + calls.size() + " half messages, the first one " + calls.get(0).key();
  }

  private Done together(Session session, List<AcceptedCall> calls, Runnable beforeCommit) {
    return ContendedTransaction.run(
        session,
        server.sessions(),
        what(calls),
        connection -> {
          HalfTransaction transaction = new HalfTransaction(connection, server, dialect, rows);
          List<HalfAnswer> answers = transaction.run(calls);
          beforeCommit.run();
          return new Done(answers, transaction.written(source.id()), transaction::tell);
        });
  }

  @Override
  public Map<HalfKey, HalfState> states(Collection<HalfKey> keys) {
    Map<UUID, HalfKey> byId = new LinkedHashMap<>();
    Map<HalfKey, HalfState> states = new HashMap<>();
    for (HalfKey key : keys) {
      byId.put(key.id(), key);
      states.put(key, HalfState.UNKNOWN);
    }
    List<UUID> ids = List.copyOf(byId.keySet());
    for (int start = 0; start < ids.size(); start += HalfDialect.KEYS_MAX) {
      List<UUID> some = ids.subList(start, Math.min(start + HalfDialect.KEYS_MAX, ids.size()));
      asking.call(
          "reading half messages",
          connection -> {
            dialect
                .states(some)
                .forEach(
                    connection,
                    row ->
                        states.put(
                            byId.get(server.uuid(row, 1)), HalfDialect.state(row.getString(2))));
            return some.size();
          });
    }
    return states;
  }

  /** How many callers wait for their turn. */
  int waiting() {
    return groups.waiting();
  }

  /** Gives the connections back; calls after it fail. May be called twice. */
  @Override
  public void close() {
    Session.close(Stream.concat(sessions.stream(), Stream.of(asking)).toList());
    kept.close();
  }
}
