package io.angarium.confirmation;

import io.angarium.TimeSource;
import io.angarium.background.BackgroundWork;
import io.angarium.background.internal.RepeatingTask;
import io.angarium.confirmation.Confirmations.Overdue;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that looks for messages whose confirmation is overdue, see {@link
 * Confirmations#settleOverdue}. Every node may have one. Thread-safe.
 */
public final class ConfirmationWatch implements BackgroundWork, AutoCloseable {
  private static final Duration FORGETTING = Duration.ofHours(1);
  private static final Logger LOG = LoggerFactory.getLogger(ConfirmationWatch.class);

  private final Confirmations confirmations;
  private final TimeSource time;
  private final RepeatingTask rounds;
  private long forgetAtNanos;

  /** Looks when it is told to, until {@link #start} gives it a thread. */
  ConfirmationWatch(Confirmations confirmations, Duration interval, TimeSource time) {
    this.confirmations = confirmations;
    this.time = time;
    this.rounds =
        new RepeatingTask(
            "angarium-confirmation", "The search for overdue confirmations", interval, this::look);
    this.forgetAtNanos = time.nanoTime();
  }

  /** Starts the thread, a daemon. */
  public static ConfirmationWatch start(Confirmations confirmations, ConfirmationConfig config) {
    ConfirmationWatch watch =
        new ConfirmationWatch(confirmations, config.interval(), TimeSource.SYSTEM);
    watch.rounds.start(config.interval());
    return watch;
  }

  /** Does what is due. */
  void look() {
    Overdue overdue = confirmations.settleOverdue(rounds::progressed);
    if (overdue.resent() > 0) {
      LOG.warn("{} messages are sent again, as no consumer confirmed them", overdue.resent());
    }
    forget();
  }

  private void forget() {
    if (time.nanoTime() - forgetAtNanos >= 0) {
      int forgotten = confirmations.forgetReceipts(rounds::progressed);
      LOG.debug("{} receipts forgotten", forgotten);
      forgetAtNanos = time.nanoTime() + FORGETTING.toNanos();
    }
  }

  /**
   * Why overdue confirmations are not settled, for a health check: the last two rounds failed, one
   * does not end, or the database refuses to note what became of single messages.
   *
   * @return empty if all are settled
   */
  @Override
  public Optional<String> fault() {
    return rounds.fault().or(confirmations::fault);
  }

  /** Ends the thread; waits five seconds at most. May be called twice. */
  @Override
  public void close() {
    rounds.close();
  }
}
