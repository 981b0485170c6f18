package io.angarium.handler;

import io.angarium.MessageId;
import io.angarium.TimeSource;
import io.angarium.inbox.Inbox;
import io.angarium.inbox.InboxKey;
import io.angarium.intake.StoredMessage;
import io.angarium.internal.DurationText;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Failed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One handler with threads of its own and the messages that wait for them. Thread-safe.
 *
 * @param <C> what gives access to a transaction
 */
final class HandlerLane<C> {
  private static final Logger LOG = LoggerFactory.getLogger(HandlerLane.class);
  private static final Duration KEPT_IDLE = Duration.ofSeconds(10);
  private static final String CONSUMER_PREFIX = "handler:";

  /** Ready before it is needed, when perhaps nothing can be made any more. */
  private static final SendResult BROKEN =
      new Failed("the handler ended in a way that could not be told", null);

  private final String name;
  private final OutboxHandler<? super C> handler;
  private final Inbox<C> inbox;
  private final HandlerConfig config;
  private final TimeSource time;
  private final HandlerDiagnosis diagnosis;
  private final Map<MessageId, Turn<C>> busy = new ConcurrentHashMap<>();
  private final ThreadPoolExecutor threads;

  /** An attempt whose turn comes when a thread is free; compared by identity. */
  private static final class Turn<C> implements Runnable {
    final HandlerLane<C> lane;
    final HandlerAttempt attempt;
    volatile long begunNanos;

    Turn(HandlerLane<C> lane, HandlerAttempt attempt) {
      this.lane = lane;
      this.attempt = attempt;
    }

    @Override
    public void run() {
      lane.run(this);
    }
  }

  HandlerLane(
      String name,
      OutboxHandler<? super C> handler,
      Inbox<C> inbox,
      HandlerConfig config,
      TimeSource time) {
    this.name = name;
    this.handler = handler;
    this.inbox = inbox;
    this.config = config;
    this.time = time;
    this.diagnosis = new HandlerDiagnosis(name);
    this.threads = threads(name, config);
  }

  private static ThreadPoolExecutor threads(String name, HandlerConfig config) {
    AtomicInteger last = new AtomicInteger();
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            config.threads(),
            config.threads(),
            KEPT_IDLE.toMillis(),
            TimeUnit.MILLISECONDS,
            new LinkedBlockingQueue<>(config.waiting()),
            work -> {
              Thread thread =
                  new Thread(work, "angarium-handler-" + name + "-" + last.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  /** Lets a message wait for its turn, or gives its result. */
  void offer(HandlerAttempt attempt) {
    if (busy.containsKey(attempt.message().id())) { // its inbox would bind a second thread
      attempt.decide(diagnosis.busy());
      return;
    }
    try {
      threads.execute(new Turn<>(this, attempt));
    } catch (RejectedExecutionException e) {
      attempt.decide(threads.isShutdown() ? HandlerDiagnosis.CLOSED : diagnosis.full(config));
    } catch (OutOfMemoryError e) { // no thread could be started
      attempt.decide(diagnosis.noThread(e));
    }
  }

  private void run(Turn<C> turn) {
    MessageId id = turn.attempt.message().id();
    SendResult result = BROKEN;
    turn.begunNanos = time.nanoTime();
    busy.put(id, turn);
    try {
      result = process(turn.attempt.message());
    } finally {
      busy.remove(id, turn);
      turn.attempt.decide(result);
    }
  }

  private SendResult process(StoredMessage message) {
    Run<C> run = new Run<>(handler, message);
    try {
      inbox.process(InboxKey.of(CONSUMER_PREFIX + name, message.id()), run);
      return SendResult.ACKNOWLEDGED;
    } catch (Throwable e) { // each message has a result, and the thread goes on
      if (e instanceof Error) {
        LOG.error("Handler {} ended with an error on message {}.", name, message, e);
      } else {
        LOG.debug("Handler {} did not process message {}", name, message, e);
      }
      return diagnosis.of(run, e);
    }
  }

  /** Gives up on those that have waited too long for their turn, or are not done in time. */
  void expire() {
    long now = time.nanoTime();
    while (threads.getQueue().peek() instanceof Turn<?> oldest
        && now - oldest.attempt.heldNanos() >= config.hold().toNanos()) {
      if (threads.remove(oldest)) {
        oldest.attempt.decide(diagnosis.tooLate(config));
      }
    }
    for (Turn<C> turn : busy.values()) {
      boolean late = now - turn.begunNanos >= config.timeout().toNanos();
      if (late && turn.attempt.decide(diagnosis.tooSlow(config))) {
        LOG.warn(
            "Handler {} has not ended after {} on message {}; its thread is bound until it ends.",
            name,
            DurationText.of(config.timeout()),
            turn.attempt.message());
      }
    }
  }

  /** Takes nothing more; those that wait for their turn never begin. */
  void stop() {
    threads.shutdown();
    List<Runnable> never = new ArrayList<>();
    threads.getQueue().drainTo(never);
    for (Runnable each : never) {
      if (each instanceof Turn<?> turn) {
        turn.attempt.decide(HandlerDiagnosis.CLOSED_BEFORE);
      }
    }
  }

  /** The messages at which its handler is now. */
  Stream<StoredMessage> running() {
    return busy.values().stream().map(turn -> turn.attempt.message());
  }

  /** Waits until what was begun has ended; false if it takes longer. */
  boolean awaitEnd(long nanos) throws InterruptedException {
    return threads.awaitTermination(nanos, TimeUnit.NANOSECONDS);
  }
}
