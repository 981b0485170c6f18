package io.angarium.handler;

import io.angarium.ConfigFaults;
import io.angarium.TimeSource;
import io.angarium.inbox.Inbox;
import io.angarium.intake.StoredMessage;
import io.angarium.internal.DurationText;
import io.angarium.transport.KeyOrder;
import io.angarium.transport.SendResult;
import io.angarium.transport.Transport;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives messages to handlers of this application, for users without a broker: {@code handler:name}
 * goes to the {@link OutboxHandler} of that name. Each message is processed through the {@link
 * Inbox}, so what its handler writes in the transaction happens once, however often the message
 * comes.
 *
 * <p>What becomes of a message:
 *
 * <ul>
 *   <li>Acknowledged: the handler returned and the transaction committed, now or before
 *   <li>Refused: the handler threw {@link RefusedByHandlerException}
 *   <li>Failed: the handler threw anything else, or the commit failed after it had returned; it has
 *       not ended in time, or another delivery of the message is open; there is no handler of that
 *       name here
 *   <li>Unavailable: the database failed before the handler was called; no thread of the handler
 *       was free in time, or too many messages wait for it already
 * </ul>
 *
 * <p>A message that failed because its handler took too long may still commit. It comes again, and
 * is then acknowledged if it has. One message of a key is under way at a time. Each handler has
 * threads and waiting messages of its own, so one that is slow or hangs does not hold up the
 * others. {@link #send} never blocks. Thread-safe.
 *
 * @param <C> what gives access to a transaction, e.g. a JDBC connection
 */
public final class HandlerTransport<C> implements Transport {
  private static final Logger LOG = LoggerFactory.getLogger(HandlerTransport.class);
  private static final Pattern NAME =
      Pattern.compile("[a-z0-9][a-z0-9.-]{0," + (OutboxHandler.NAME_LENGTH_MAX - 1) + "}");
  private static final Duration UPKEEP = Duration.ofMillis(100);
  private static final Duration RESULT_MARGIN = Duration.ofSeconds(1);
  private static final Duration CLOSE_MAX = Duration.ofSeconds(5);

  /** Further names without a handler are not logged. */
  private static final int UNKNOWN_LOGGED_MAX = 100;

  private final HandlerConfig config;
  private final TimeSource time;
  private final Map<String, HandlerLane<C>> lanes;
  private final Set<HandlerAttempt> open = ConcurrentHashMap.newKeySet();
  private final Set<String> unknown = ConcurrentHashMap.newKeySet();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition idle = lock.newCondition();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final ScheduledThreadPoolExecutor timer;

  private HandlerTransport(
      Map<String, HandlerLane<C>> lanes, HandlerConfig config, TimeSource time) {
    this.lanes = lanes;
    this.config = config;
    this.time = time;
    this.timer = new ScheduledThreadPoolExecutor(1, HandlerTransport::timerThread);
  }

  /**
   * Creates the transport. Its threads are started when messages come.
   *
   * @param inbox where it is noted which messages were processed, and whose transactions handlers
   *     run in
   * @param handlers at least one; each name once
   * @throws io.angarium.ConfigurationException listing all names that are wrong
   */
  public static <C> HandlerTransport<C> open(
      Inbox<C> inbox,
      Collection<? extends OutboxHandler<? super C>> handlers,
      HandlerConfig config) {
    return open(inbox, handlers, config, TimeSource.SYSTEM);
  }

  static <C> HandlerTransport<C> open(
      Inbox<C> inbox,
      Collection<? extends OutboxHandler<? super C>> handlers,
      HandlerConfig config,
      TimeSource time) {
    Map<String, HandlerLane<C>> lanes = new LinkedHashMap<>();
    byName(handlers)
        .forEach(
            (name, handler) ->
                lanes.put(name, new HandlerLane<>(name, handler, inbox, config, time)));
    HandlerTransport<C> transport = new HandlerTransport<>(lanes, config, time);
    Future<?> unused =
        transport.timer.scheduleWithFixedDelay(
            transport::upkeep, UPKEEP.toMillis(), UPKEEP.toMillis(), TimeUnit.MILLISECONDS);
    LOG.info(
        "Handler transport opened: handlers {}, {} threads each, timeout {}",
        lanes.keySet(),
        config.threads(),
        DurationText.of(config.timeout()));
    return transport;
  }

  private static <H extends OutboxHandler<?>> Map<String, H> byName(
      Collection<? extends H> handlers) {
    ConfigFaults faults = new ConfigFaults();
    faults.require(!handlers.isEmpty(), "handler", "none", "at least one handler");
    Map<String, H> byName = new LinkedHashMap<>();
    for (H handler : handlers) {
      String name = handler.name();
      String type = " of " + handler.getClass().getName();
      faults
          .require(
              name != null && NAME.matcher(name).matches(),
              "handler",
              "'" + name + "'" + type,
              HandlerDiagnosis.NAME_FORM)
          .require(
              byName.put(name, handler) == null,
              "handler",
              "'" + name + "'" + type,
              "each name once");
    }
    faults.throwIfAny();
    return byName;
  }

  private static Thread timerThread(Runnable work) {
    Thread thread = new Thread(work, "angarium-handlers-timer");
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public String name() {
    return "handler";
  }

  @Override
  public Optional<String> addressFault(String address) {
    return NAME.matcher(address).matches()
        ? Optional.empty()
        : Optional.of(HandlerDiagnosis.noName(address));
  }

  @Override
  public KeyOrder keyOrder() {
    return KeyOrder.CHAINED;
  }

  @Override
  public Duration resultMax() {
    return config.hold().plus(config.timeout()).plus(RESULT_MARGIN);
  }

  @Override
  public Duration blockingMax() {
    return Duration.ZERO;
  }

  @Override
  public void send(List<StoredMessage> messages, BiConsumer<StoredMessage, SendResult> results) {
    for (StoredMessage message : messages) {
      send(message, results);
    }
  }

  private void send(StoredMessage message, BiConsumer<StoredMessage, SendResult> results) {
    HandlerAttempt attempt = new HandlerAttempt(message, results, time.nanoTime(), this::decided);
    open.add(attempt);
    String address = message.message().destination().address();
    HandlerLane<C> lane = lanes.get(address);
    if (lane == null) {
      SendResult.Failed result = HandlerDiagnosis.unknown(address, lanes.keySet());
      if (unknown.size() < UNKNOWN_LOGGED_MAX && unknown.add(address)) {
        LOG.warn("Message {} waits and is retried: {}", message.id(), result.reason());
      }
      attempt.decide(result);
    } else {
      lane.offer(attempt);
    }
  }

  private void decided(HandlerAttempt attempt) {
    open.remove(attempt);
    if (open.isEmpty()) {
      lock.lock();
      try {
        idle.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  private void upkeep() {
    try {
      lanes.values().forEach(HandlerLane::expire);
    } catch (Throwable e) { // the outermost loop: must go on
      LOG.error("The upkeep of the handler transport failed; it is run again", e);
    }
  }

  // ---- end

  @Override
  public void flush(Duration timeout) {
    lock.lock();
    try {
      long left = timeout.toNanos();
      while (!open.isEmpty() && left > 0) {
        left = idle.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Lets no further handler begin and waits a few seconds for those that run; they are not
   * interrupted. Results still missing are given as Failed. To process what waits call {@link
   * #flush} first. May be called twice.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    lanes.values().forEach(HandlerLane::stop);
    if (!ended()) {
      LOG.warn(
          "The handler transport stops while handlers still run; they may commit yet: {}",
          lanes.values().stream().flatMap(HandlerLane::running).toList());
    }
    timer.shutdownNow();
    open.forEach(attempt -> attempt.decide(HandlerDiagnosis.CLOSED_MEANWHILE));
    LOG.info("Handler transport closed");
  }

  private boolean ended() {
    long begunNanos = time.nanoTime();
    boolean ended = true;
    try {
      for (HandlerLane<C> lane : lanes.values()) {
        long left = CLOSE_MAX.toNanos() - (time.nanoTime() - begunNanos);
        ended &= lane.awaitEnd(Math.max(0, left));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
    return ended;
  }
}
