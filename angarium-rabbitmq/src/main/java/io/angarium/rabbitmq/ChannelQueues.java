package io.angarium.rabbitmq;

import io.angarium.transport.SendResult;
import io.angarium.transport.internal.DeferredResults;
import io.angarium.transport.internal.UngivenResults;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Where every message is between its handing over and its result: held back for its exchange,
 * waiting in a lane, or published and unconfirmed. Does no I/O. Thread-safe: guards all of it by
 * one lock, and gives results when it is released.
 *
 * <p>When the broker closes a channel it does not say for which message. All that were on it go
 * again, one at a time, through a careful lane; the one for which the channel breaks once more is
 * the one. A message larger than any before goes that way at once: brokers have a limit that cannot
 * be asked for.
 */
final class ChannelQueues {
  /** Far below what a broker takes unless it is told otherwise. */
  private static final int PROVEN_BYTES_FIRST = 64 << 10;

  /** What is published next, on which channel. */
  record Batch(Link link, List<RabbitAttempt> attempts) {}

  private final RabbitConfig config;
  private final RabbitDiagnosis diagnosis;
  private final ReentrantLock lock = new ReentrantLock();

  private final UngivenResults<RabbitAttempt> ungiven = new UngivenResults<>(RabbitAttempt::give);
  private final List<ChannelQueue> lanes = new ArrayList<>();
  private final ChannelQueue careful = new ChannelQueue(1);
  private final Exchanges exchanges = new Exchanges();
  private @Nullable RabbitSession session;

  /** Why there is no session; null while there is one, or none was tried yet. */
  private @Nullable SendResult down;

  /** Payloads up to this size did not break a channel yet. */
  private int provenBytes = PROVEN_BYTES_FIRST;

  private @Nullable SendResult closed;
  private int turn;

  ChannelQueues(RabbitConfig config, RabbitDiagnosis diagnosis) {
    this.config = config;
    this.diagnosis = diagnosis;
    for (int i = 0; i < config.channels(); i++) {
      lanes.add(new ChannelQueue(config.window()));
    }
    lanes.add(careful);
  }

  private void locked(Consumer<DeferredResults<RabbitAttempt>> work) {
    ask(
        outcomes -> {
          work.accept(outcomes);
          return true;
        });
  }

  private boolean ask(Predicate<DeferredResults<RabbitAttempt>> work) {
    DeferredResults<RabbitAttempt> outcomes = ungiven.deferred();
    boolean answer;
    lock.lock();
    try {
      answer = work.test(outcomes);
    } finally {
      lock.unlock();
    }
    outcomes.deliver();
    return answer;
  }

  // ---- in

  /** Takes messages in; true if an exchange must be looked up, or nothing can be published. */
  boolean offer(List<RabbitAttempt> attempts) {
    return ask(
        outcomes -> {
          boolean held = false;
          for (RabbitAttempt attempt : attempts) {
            held |= route(attempt, outcomes);
          }
          return held || session == null;
        });
  }

  /** Gives a message its place; true if it is held back for its exchange. */
  private boolean route(RabbitAttempt attempt, DeferredResults<RabbitAttempt> outcomes) {
    RabbitSession open = session;
    String blocked = open == null ? null : open.blockedBecause();
    if (closed != null) {
      outcomes.add(attempt, closed);
    } else if (blocked != null) {
      outcomes.add(attempt, diagnosis.blocked(blocked));
    } else {
      RabbitExchange exchange = exchanges.get(attempt.address.exchange());
      if (!exchange.known) {
        exchange.held.add(attempt);
        return true;
      }
      lane(attempt, exchange).waiting.add(attempt);
    }
    return false;
  }

  /** Messages of a key go the same way, for as long as none of them is suspect. */
  private ChannelQueue lane(RabbitAttempt attempt, RabbitExchange exchange) {
    if (attempt.suspect || exchange.forbidden || attempt.payloadBytes() > provenBytes) {
      return careful;
    }
    String key = attempt.message.message().key();
    int number = key == null ? turn++ : key.hashCode();
    return lanes.get(Math.floorMod(number, config.channels()));
  }

  /** The next messages to publish; null if there are none, or they cannot be published now. */
  @Nullable Batch next(long nowNanos) {
    Batch[] found = new Batch[1];
    locked(
        outcomes -> {
          RabbitSession open = session;
          if (open != null && open.blockedBecause() == null) {
            found[0] = nextOfALane(nowNanos, outcomes);
          }
        });
    return found[0];
  }

  private @Nullable Batch nextOfALane(long nowNanos, DeferredResults<RabbitAttempt> outcomes) {
    for (int i = 0; i < lanes.size(); i++) {
      ChannelQueue lane = lanes.get(Math.floorMod(++turn, lanes.size()));
      // Else a result could come too late.
      List<RabbitAttempt> next =
          lane.next(nowNanos, attempt -> expired(attempt, nowNanos, outcomes));
      Link link = lane.link;
      if (!next.isEmpty() && link != null) {
        return new Batch(link, next);
      }
    }
    return null;
  }

  // ---- answers of the broker

  void acknowledged(Link link, long tag, boolean multiple) {
    locked(
        outcomes ->
            link.confirmed(tag, multiple)
                .forEach(attempt -> outcomes.add(attempt, stored(link, attempt))));
  }

  private SendResult stored(Link link, RabbitAttempt attempt) {
    Link.Return returned = link.takeReturn(attempt);
    if (link.lane.isCareful()) {
      exchanges.get(attempt.address.exchange()).forbidden = false;
      provenBytes = Math.max(provenBytes, attempt.payloadBytes());
    }
    return returned == null ? SendResult.ACKNOWLEDGED : diagnosis.unroutable(attempt, returned);
  }

  void nacked(Link link, long tag, boolean multiple) {
    locked(
        outcomes ->
            link.confirmed(tag, multiple)
                .forEach(attempt -> outcomes.add(attempt, diagnosis.nacked(attempt))));
  }

  /** The broker gives a message back; its confirm follows. */
  void returned(Link link, String messageId, Link.Return reason) {
    lock.lock();
    try {
      link.returned(messageId, reason);
    } finally {
      lock.unlock();
    }
  }

  /** A channel broke, though not its connection: for one of the messages on it. */
  void broke(Link link, Throwable cause, long nowNanos) {
    locked(
        outcomes -> {
          if (isOpen(link)) {
            link.lane.link = null;
            boolean otherwise = link.givenUp() > 0; // one that has its result already
            List<RabbitAttempt> attempts = link.takeAll();
            boolean certain = attempts.size() == 1 && !otherwise;
            if (certain && link.lane.isCareful()) {
              convict(attempts.get(0), cause, nowNanos, outcomes);
            } else {
              attempts.forEach(attempt -> attempt.perhapsStored |= !certain);
              attempts.forEach(attempt -> suspect(attempt, nowNanos, outcomes));
            }
          }
        });
  }

  @SuppressWarnings("ReferenceEquality") // a link is equal to itself only
  private static boolean isOpen(Link link) {
    return link.lane.link == link;
  }

  private void suspect(
      RabbitAttempt attempt, long nowNanos, DeferredResults<RabbitAttempt> outcomes) {
    attempt.suspect = true;
    attempt.waitingNanos = nowNanos;
    exchanges.get(attempt.address.exchange()).forget();
    if (isOverdue(attempt, nowNanos)) {
      outcomes.add(attempt, diagnosis.unconfirmed(attempt));
    } else {
      route(attempt, outcomes);
    }
  }

  private void convict(
      RabbitAttempt attempt,
      Throwable cause,
      long nowNanos,
      DeferredResults<RabbitAttempt> outcomes) {
    int code = RabbitDiagnosis.code(cause);
    if (code == RabbitDiagnosis.NOT_FOUND) {
      suspect(attempt, nowNanos, outcomes); // found missing when it is looked up
      return;
    }
    if (code == RabbitDiagnosis.ACCESS_REFUSED) {
      exchanges.get(attempt.address.exchange()).forbidden = true;
    } else if (code == RabbitDiagnosis.PRECONDITION_FAILED) {
      int larger = Math.max(PROVEN_BYTES_FIRST, attempt.payloadBytes() - 1);
      provenBytes = Math.min(provenBytes, larger);
    }
    SendResult result =
        cause instanceof IllegalArgumentException illegal
            ? diagnosis.notEncoded(attempt, illegal)
            : diagnosis.closedFor(attempt, cause);
    outcomes.add(attempt, result);
  }

  // ---- the connection

  /** The session that is open; null if there is none. */
  @Nullable RabbitSession session() {
    lock.lock();
    try {
      return session;
    } finally {
      lock.unlock();
    }
  }

  /** Begins a session; false if the transport was closed meanwhile. */
  boolean connected(RabbitSession begun) {
    lock.lock();
    try {
      if (closed == null) {
        session = begun;
        down = null;
      }
      return closed == null;
    } finally {
      lock.unlock();
    }
  }

  /** There is no connection: what waits for one need not wait longer. */
  void notConnected(SendResult result) {
    locked(
        outcomes -> {
          down = result;
          takeWaiting().forEach(attempt -> outcomes.add(attempt, result));
        });
  }

  /** A session ended: what was published on it may be stored or not. */
  void ended(RabbitSession over, @Nullable Throwable cause) {
    SendResult result = diagnosis.lost(cause);
    locked(
        outcomes -> {
          for (ChannelQueue lane : lanes) {
            Link link = lane.link;
            if (link != null && isOf(over, link)) {
              lane.link = null;
              link.takeAll().forEach(attempt -> outcomes.add(attempt, result));
            }
          }
          if (isCurrent(over)) {
            session = null;
            down = result;
            exchanges.forEach(exchange -> exchange.missing = false);
          }
        });
  }

  @SuppressWarnings("ReferenceEquality") // a session is equal to itself only
  private static boolean isOf(RabbitSession session, Link link) {
    return link.session == session;
  }

  @SuppressWarnings("ReferenceEquality") // a session is equal to itself only
  private boolean isCurrent(RabbitSession asked) {
    return session == asked;
  }

  /** The lanes of a session that have no channel. */
  List<ChannelQueue> withoutLink(RabbitSession open) {
    lock.lock();
    try {
      return isCurrent(open)
          ? lanes.stream().filter(lane -> lane.link == null).toList()
          : List.of();
    } finally {
      lock.unlock();
    }
  }

  /** A lane has a channel; false if its session is over, or the channel is closed already. */
  boolean opened(Link link) {
    lock.lock();
    try {
      boolean current = isCurrent(link.session) && link.isUsable();
      if (current) {
        link.lane.link = link;
      }
      return current;
    } finally {
      lock.unlock();
    }
  }

  // ---- exchanges

  /** Returns the names of the exchanges that messages are held back for. */
  List<String> wantedExchanges() {
    lock.lock();
    try {
      return exchanges.wanted();
    } finally {
      lock.unlock();
    }
  }

  /** The broker said whether an exchange exists. */
  void lookedUp(String name, boolean exists, long nowNanos) {
    locked(
        outcomes -> {
          RabbitExchange exchange = exchanges.get(name);
          exchange.known = exists;
          exchange.missing = !exists;
          if (exists) {
            for (RabbitAttempt attempt : exchange.takeHeld()) {
              attempt.waitingNanos = nowNanos;
              route(attempt, outcomes);
            }
          }
        });
  }

  /** The broker did not say whether an exchange exists: what it said earlier may be over. */
  void notLookedUp(String name) {
    lock.lock();
    try {
      exchanges.get(name).missing = false;
    } finally {
      lock.unlock();
    }
  }

  // ---- time

  /**
   * Gives up what waited, or was without a confirm, for too long.
   *
   * @return true if the broker has been silent all the time, or owes answers beyond measure: the
   *     connection is of no use
   */
  boolean expire(long nowNanos) {
    return ask(
        outcomes -> {
          boolean useless = false;
          for (ChannelQueue lane : lanes) {
            Link link = lane.link;
            if (link != null) {
              useless |= expireUnconfirmed(link, nowNanos, outcomes);
            }
            lane.waiting.removeIf(attempt -> expired(attempt, nowNanos, outcomes));
          }
          exchanges.forEach(exchange -> expireHeld(exchange, nowNanos, outcomes));
          dropBlocked(outcomes);
          return useless;
        });
  }

  private boolean expireUnconfirmed(
      Link link, long nowNanos, DeferredResults<RabbitAttempt> outcomes) {
    boolean silent = false;
    boolean blocked = link.session.blockedBecause() != null;
    boolean unwritten = false;
    for (RabbitAttempt attempt : link.giveUp(attempt -> isUnanswered(attempt, nowNanos))) {
      // Of a connection that does not move at all, the watch has made an end by then.
      outcomes.add(
          attempt,
          attempt.isBeingWrittenFor(config.confirmTimeout(), nowNanos) && !blocked
              ? diagnosis.writtenTooSlowly(attempt, wholeMax())
              : diagnosis.unconfirmed(attempt));
      silent |= !blocked && link.session.isSilentSince(attempt.awaitingNanos());
      unwritten |= !attempt.isWritten(); // and must not be stored after its result
    }
    return silent || unwritten || link.givenUp() > config.window();
  }

  /** Waits for the broker alone only when it is written; and the whole must end in time. */
  private boolean isUnanswered(RabbitAttempt attempt, long nowNanos) {
    boolean late = nowNanos - attempt.offeredNanos > wholeMax().toNanos();
    long confirmMax = config.confirmTimeout().toNanos();
    return late || (attempt.isWritten() && nowNanos - attempt.awaitingNanos() > confirmMax);
  }

  private Duration wholeMax() {
    return config.holdMax().plus(config.confirmTimeout().multipliedBy(3).dividedBy(2));
  }

  /** Gives up one that waits and is overdue; an older one may stand behind a younger. */
  private boolean expired(
      RabbitAttempt attempt, long nowNanos, DeferredResults<RabbitAttempt> outcomes) {
    boolean overdue = isOverdue(attempt, nowNanos);
    if (overdue) {
      outcomes.add(attempt, diagnosis.waitedTooLong(down));
    }
    return overdue;
  }

  private void expireHeld(
      RabbitExchange exchange, long nowNanos, DeferredResults<RabbitAttempt> outcomes) {
    while (!exchange.held.isEmpty() && isOverdue(exchange.held.getFirst(), nowNanos)) {
      RabbitAttempt attempt = exchange.held.remove();
      boolean missing = exchange.missing && session != null;
      outcomes.add(
          attempt, missing ? diagnosis.missingExchange(attempt) : diagnosis.waitedTooLong(down));
    }
  }

  /** One that was published once has waited before, and the whole must end in time. */
  private boolean isOverdue(RabbitAttempt attempt, long nowNanos) {
    long holdMax = config.holdMax().toNanos();
    return nowNanos - attempt.waitingNanos > holdMax
        || nowNanos - attempt.offeredNanos > holdMax + config.confirmTimeout().toNanos() / 2;
  }

  private void dropBlocked(DeferredResults<RabbitAttempt> outcomes) {
    String blocked = session == null ? null : session.blockedBecause();
    if (blocked != null) {
      SendResult result = diagnosis.blocked(blocked);
      takeWaiting().forEach(attempt -> outcomes.add(attempt, result));
    }
  }

  private List<RabbitAttempt> takeWaiting() {
    List<RabbitAttempt> all = new ArrayList<>();
    for (ChannelQueue lane : lanes) {
      all.addAll(lane.waiting);
      lane.waiting.clear();
    }
    all.addAll(exchanges.takeHeld());
    return all;
  }

  /** True if everything has its result. */
  boolean isIdle() {
    lock.lock();
    try {
      return ungiven.areNone()
          && lanes.stream().allMatch(ChannelQueue::isIdle)
          && !exchanges.isHolding();
    } finally {
      lock.unlock();
    }
  }

  /** Ends it: all that has no result yet has this one, and so has all that comes later. */
  void close(SendResult missing, SendResult later) {
    locked(
        outcomes -> {
          closed = later;
          List<RabbitAttempt> all = takeWaiting();
          for (ChannelQueue lane : lanes) {
            if (lane.link != null) {
              all.addAll(lane.link.takeAll());
            }
          }
          all.forEach(attempt -> outcomes.add(attempt, missing));
        });
  }
}
