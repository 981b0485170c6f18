package io.angarium.jdbc.internal.half;

import io.angarium.StoreException;
import io.angarium.half.CallKind;
import io.angarium.half.HalfAnswer;
import io.angarium.half.internal.remote.GroupTurns;
import io.angarium.jdbc.internal.session.Session;
import io.angarium.store.WriteRefusedException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Lets calls that are made at the same time share transactions, by {@link GroupTurns} with a
 * session for each turn. Thread-safe.
 */
public final class HalfGroups {
  /**
   * Payloads and headers of one transaction: a quarter of the packet that MariaDB takes by default.
   */
  public static final long BYTES_MAX = 4 << 20;

  /** SQLState of PostgreSQL for too many connections, also where a pool waited for one in vain. */
  private static final String TOO_MANY_CONNECTIONS = "53300";

  /** After so many lost connections in a row the database is taken to be away. */
  private static final int LOST_MAX = 2;

  private static final String NOT_TRIED =
      "Not tried, as the calls before it lost their connections; nothing took effect, repeat it";

  private static final String REST_NOT_TRIED =
      "Some took effect, and the others were not tried, as the calls before them lost their"
          + " connections; repeat all, which does no harm";

  /** What is done with a session. */
  public interface Work {
    /**
     * Makes those calls that one statement can make, without a transaction around it.
     *
     * @return an answer to each; null to one that took no effect
     * @throws StoreException if a row was waited for in vain, or what took effect is unknown
     */
    List<@Nullable HalfAnswer> atOnce(Session session, List<AcceptedCall> calls);

    /**
     * Makes calls in one transaction, all or none of them.
     *
     * @param beforeCommit run when only the commit is left; from then on the outcome of a failure
     *     is unknown
     */
    List<HalfAnswer> together(Session session, List<AcceptedCall> calls, Runnable beforeCommit);
  }

  private static final class Waiting extends GroupTurns.Member<AcceptedCall, Session> {
    final @Nullable HalfAnswer[] answers;

    @Nullable StoreException failure;

    Waiting(List<AcceptedCall> calls) {
      super(calls, AcceptedCall::step, AcceptedCall::bytes);
      this.answers = new HalfAnswer[calls.size()];
    }

    /** What it is told if nobody tries what is left. */
    StoreException notTried() {
      return new StoreException(open().size() == calls().size() ? NOT_TRIED : REST_NOT_TRIED, null);
    }

    @Nullable StoreException firstOf(Map<UUID, StoreException> failures) {
      return open().stream()
          .map(call -> failures.get(call.id()))
          .filter(Objects::nonNull)
          .findFirst()
          .orElse(null);
    }

    boolean isOpen() {
      return Arrays.asList(answers).contains(null);
    }

    /** Returns the calls without an answer so far. */
    List<AcceptedCall> open() {
      List<AcceptedCall> open = new ArrayList<>();
      for (int i = 0; i < answers.length; i++) {
        if (answers[i] == null) {
          open.add(calls().get(i));
        }
      }
      return open;
    }

    /** Takes answers to those without one, in their order, as many as there are; null for none. */
    void answer(Iterator<? extends @Nullable HalfAnswer> given) {
      for (int i = 0; i < answers.length; i++) {
        if (answers[i] == null) {
          answers[i] = given.next();
        }
      }
    }

    List<HalfAnswer> answers() {
      StoreException failed = failure;
      if (failed instanceof WriteRefusedException) {
        throw new WriteRefusedException("" + failed.getMessage(), failed);
      }
      if (failed != null || isOpen()) {
        throw new StoreException(
            failed == null ? "The caller that led gave up" : "" + failed.getMessage(), failed);
      }
      return Arrays.stream(answers).map(Objects::requireNonNull).toList();
    }
  }

  private final Work work;
  private final Predicate<SQLException> lockTimeout;
  private final boolean byKind;
  private final GroupTurns<Session, Waiting> turns;

  /**
   * @param byKind whether calls of one kind cost less without calls of the other kinds
   */
  public HalfGroups(
      Collection<Session> sessions,
      Work work,
      Predicate<SQLException> lockTimeout,
      boolean byKind) {
    this.work = work;
    this.lockTimeout = lockTimeout;
    this.byKind = byKind;
    this.turns = new GroupTurns<>(sessions, HalfDialect.KEYS_MAX, BYTES_MAX, this::goTogether);
  }

  /**
   * Makes calls together with the calls of other callers, and waits for the answers.
   *
   * @param calls at most {@link HalfDialect#KEYS_MAX}
   * @throws StoreException if the database cannot be reached or refuses
   */
  public List<HalfAnswer> run(List<AcceptedCall> calls) {
    Waiting own = new Waiting(calls);
    turns.run(own, this::lead);
    return own.answers();
  }

  /**
   * With its interrupt put off, if one is pending: that would break the connection, and with it the
   * calls of others. One that comes meanwhile is not kept out.
   */
  private void lead(Session session, List<Waiting> group) {
    boolean interrupted = Thread.interrupted();
    try {
      runGroup(session, group);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** A transaction takes whatever there is; a statement what is like it. */
  private boolean goTogether(Waiting own, Waiting next) {
    return !byKind || own.kind() == CallKind.MIXED || own.kind() == next.kind();
  }

  private void runGroup(Session session, List<Waiting> group) {
    try {
      takeAnswers(group, calls -> work.atOnce(session, calls));
    } catch (StoreException e) {
      if (group.size() > 1 && isLockTimeout(e)) {
        runEach(session, group, 0);
      } else {
        group.forEach(member -> member.failure = e);
      }
      return;
    }
    List<Waiting> open = new ArrayList<>();
    for (Waiting member : group) {
      if (member.isOpen()) {
        open.add(member);
      } else {
        member.wake();
      }
    }
    if (!open.isEmpty()) {
      runInTransaction(session, open);
    }
  }

  private void runInTransaction(Session session, List<Waiting> group) {
    AtomicBoolean committing = new AtomicBoolean();
    try {
      runTogether(session, group, () -> committing.set(true));
    } catch (StoreException e) {
      if (group.size() == 1 || committing.get()) {
        group.forEach(member -> member.failure = e);
      } else {
        runEach(session, group, isLost(e) ? 1 : 0);
      }
    }
  }

  private void runTogether(Session session, List<Waiting> group, Runnable beforeCommit) {
    takeAnswers(group, calls -> work.together(session, calls, beforeCommit));
  }

  private static void takeAnswers(
      List<Waiting> group,
      Function<List<AcceptedCall>, ? extends List<? extends @Nullable HalfAnswer>> work) {
    List<AcceptedCall> calls = group.stream().flatMap(member -> member.open().stream()).toList();
    Iterator<? extends @Nullable HalfAnswer> answers = work.apply(calls).iterator();
    group.forEach(member -> member.answer(answers));
  }

  /** What is open took no effect yet. What the database refuses is to fail its own caller only. */
  private void runEach(Session session, List<Waiting> group, int lostBefore) {
    int lost = lostBefore;
    Map<UUID, StoreException> held = new HashMap<>();
    for (Waiting member : group) {
      member.failure = member.firstOf(held);
      if (lost >= LOST_MAX) {
        member.failure = member.notTried();
      } else if (member.failure == null) {
        try {
          runTogether(session, List.of(member), () -> {});
          lost = 0;
        } catch (StoreException e) {
          member.failure = e;
          lost = isLost(e) ? lost + 1 : 0;
          if (member.calls().size() == 1 && isLockTimeout(e)) {
            held.put(member.calls().get(0).id(), e); // others would wait for it as long
          }
        }
      }
      member.wake();
    }
  }

  private boolean isLockTimeout(StoreException e) {
    return e.getCause() instanceof SQLException cause && lockTimeout.test(cause);
  }

  private static boolean isLost(StoreException e) {
    return e.getCause() instanceof SQLException cause
        && cause.getSQLState() != null
        && (cause.getSQLState().startsWith("08")
            || cause.getSQLState().equals(TOO_MANY_CONNECTIONS));
  }

  /** How many callers wait for their turn. */
  public int waiting() {
    return turns.waiting();
  }
}
