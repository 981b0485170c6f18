package io.angarium.relay;

import io.angarium.StoreException;
import io.angarium.relay.internal.RelayThreads;
import io.angarium.relay.internal.SendLoop;
import io.angarium.relay.internal.flight.Transports;
import io.angarium.relay.internal.partition.Leases;
import io.angarium.relay.internal.settings.RelayContext;
import io.angarium.relay.internal.write.DeleteQueue;
import io.angarium.transport.Transport;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops a relay: its threads, what is in flight, and its partitions, which go to other nodes. For
 * one thread.
 */
final class RelayStop {
  private static final Logger LOG = LoggerFactory.getLogger(RelayStop.class);
  private static final int LEAVE_TRIES = 3;

  /** What a stop takes at the longest, if the time-out is shorter: its threads must end. */
  private static final Duration CLOSE_MIN = Duration.ofSeconds(1);

  /** Left of the time-out for giving the partitions back. */
  private static final Duration SPARE = Duration.ofMillis(500);

  private final RelayContext context;
  private final Transports transports;
  private final Leases leases;
  private final DeleteQueue deletes;
  private final SendLoop sendLoop;
  private final RelayThreads threads;

  RelayStop(
      RelayContext context,
      Transports transports,
      Leases leases,
      DeleteQueue deletes,
      SendLoop sendLoop,
      RelayThreads threads) {
    this.context = context;
    this.transports = transports;
    this.leases = leases;
    this.deletes = deletes;
    this.sendLoop = sendLoop;
    this.threads = threads;
  }

  /**
   * Does so. Blocks as {@link Relay#close} says.
   *
   * @param prepared whether it may have partitions
   */
  void stop(boolean prepared) {
    Duration timeout = context.config().closeTimeout();
    long deadlineNanos = context.time().nanoTime() + timeout.toNanos();
    Duration longest = timeout.compareTo(CLOSE_MIN) < 0 ? CLOSE_MIN : timeout;
    long endNanos = context.time().nanoTime() + longest.toNanos();
    boolean ended = threads.stop(context.time(), timeout.dividedBy(2), endNanos);
    sendLoop.handovers().close();
    if (!ended) {
      LOG.warn(
          "Relay {} stops before its threads have ended; others take its partitions when its lease"
              + " ends.",
          context.config().node());
    } else if (prepared && threads.started()) {
      finishInTime(deadlineNanos, endNanos);
    } else if (prepared) {
      finish(deadlineNanos);
    }
  }

  /** Finishes on a thread of its own, because a database that does not answer blocks its caller. */
  private void finishInTime(long deadlineNanos, long endNanos) {
    long spareNanos = Math.min(SPARE.toNanos(), context.config().closeTimeout().toNanos() / 10);
    FutureTask<Void> finish = new FutureTask<>(() -> finish(deadlineNanos - spareNanos), null);
    Thread thread = new Thread(finish, "angarium-stop-" + context.config().node());
    thread.setDaemon(true);
    thread.start();
    try {
      finish.get(remaining(endNanos).toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw thrown(e.getCause());
    } catch (TimeoutException e) {
      notGivenBack("The database has not answered.");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      notGivenBack("The stop was interrupted.");
    }
  }

  private static RuntimeException thrown(@Nullable Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof RuntimeException failure ? failure : new IllegalStateException(cause);
  }

  private void notGivenBack(@Nullable String why) {
    LOG.warn(
        "Relay {} could not give its partitions back; others take them when its lease ends. {}",
        context.config().node(),
        why);
  }

  /** One broken connection is no reason to leave what is known to the next start. */
  private void finish(long deadlineNanos) {
    for (Transport transport : transports.all()) {
      transport.flush(remaining(deadlineNanos));
    }
    for (int tries = 1; ; tries++) {
      try {
        leave(deadlineNanos);
        return;
      } catch (StoreException e) {
        if (tries == LEAVE_TRIES || !threads.await(remaining(deadlineNanos))) {
          notGivenBack(e.getMessage());
          return;
        }
      }
    }
  }

  /** Whatever time is left: what is acknowledged and not deleted would be sent again. */
  private void deleteAll() {
    int deleted;
    do {
      deleted = deletes.run();
    } while (deleted > 0);
    deletes.dropRefused();
  }

  private void leave(long deadlineNanos) {
    do {
      sendLoop.drain();
      deleteAll();
      sendLoop.drain();
    } while (!sendLoop.idle() && threads.await(remaining(deadlineNanos)));
    if (sendLoop.idle()) {
      leases.leave();
    } else {
      LOG.warn(
          "Relay {} stops with messages in flight; others take its partitions when its lease"
              + " ends.",
          context.config().node());
    }
  }

  private Duration remaining(long deadlineNanos) {
    return Duration.ofNanos(Math.max(0, deadlineNanos - context.time().nanoTime()));
  }
}
