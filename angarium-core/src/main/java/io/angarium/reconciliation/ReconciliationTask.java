package io.angarium.reconciliation;

import io.angarium.ConfigurationException;
import io.angarium.TimeSource;
import io.angarium.background.BackgroundWork;
import io.angarium.background.internal.RepeatingTask;
import io.angarium.internal.DurationText;
import io.angarium.reconciliation.TaskProgress.Turn;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares one window after the other, without a gap, on a thread of its own; of several nodes one
 * at a time. Begins with the last window that is over when it runs for the first time. Thread-safe.
 */
public final class ReconciliationTask implements BackgroundWork, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReconciliationTask.class);

  private final Reconciliation reconciliation;
  private final ReconciliationConfig config;
  private final TaskProgress progress;
  private final Consumer<Report> listener;
  private final TimeSource time;
  private final RepeatingTask rounds;

  private ReconciliationTask(
      Reconciliation reconciliation,
      ReconciliationConfig config,
      TaskProgress progress,
      Consumer<Report> listener,
      TimeSource time) {
    this.reconciliation = reconciliation;
    this.config = config;
    this.progress = progress;
    this.listener = listener;
    this.time = time;
    this.rounds =
        new RepeatingTask(
            "angarium-reconciliation-" + config.task(),
            "The reconciliation of " + reconciliation.name(),
            config.interval(),
            this::look);
  }

  /**
   * Starts the thread, a daemon.
   *
   * @param listener given every report before its window counts as done, e.g. to send missing
   *     messages again or to alert somebody; if it throws, the window is compared again. Its
   *     reports are complete: a window with too many differences comes in shorter ones. After a
   *     crash, or if it takes longer than the lease, a window may be reported twice
   * @throws ConfigurationException if a side forgets sooner than windows are left out, see {@link
   *     Reconciliation#check}
   */
  public static ReconciliationTask start(
      Reconciliation reconciliation,
      ReconciliationConfig config,
      TaskProgress progress,
      Consumer<Report> listener) {
    reconciliation.check(config);
    ReconciliationTask task =
        new ReconciliationTask(reconciliation, config, progress, listener, TimeSource.SYSTEM);
    task.rounds.start(config.interval());
    return task;
  }

  /**
   * Starts the thread like {@link #start(Reconciliation, ReconciliationConfig, TaskProgress,
   * Consumer)}, and keeps every report before the listener is given it.
   *
   * @param shelf where reports are kept; if it throws, the window is compared again
   */
  public static ReconciliationTask start(
      Reconciliation reconciliation,
      ReconciliationConfig config,
      TaskProgress progress,
      ReportShelf shelf,
      Consumer<Report> listener) {
    String destination = reconciliation.produced().destination().orElse(null);
    return start(
        reconciliation,
        config,
        progress,
        report -> {
          shelf.keep(config.task(), destination, report);
          listener.accept(report);
        });
  }

  private void look() {
    Turn turn = progress.begin(config.task(), config.lease());
    if (turn != null) {
      try {
        compareAll(turn);
      } finally {
        progress.end(config.task(), turn);
      }
    }
  }

  private void compareAll(Turn turn) {
    Window next = next(begin(turn.doneUntil()));
    while (next != null && !rounds.isClosed() && compare(turn, next)) {
      next = next(next.to());
    }
  }

  /** Where the next window begins. */
  private Instant begin(@Nullable Instant doneUntil) {
    Instant now = time.instant();
    Instant oldest = now.minus(config.ageMax());
    if (doneUntil == null) {
      return now.minus(config.delay()).minus(config.window());
    }
    if (doneUntil.isBefore(oldest)) {
      LOG.error(
          "Reconciliation of {} leaves out {} to {}, as it is too old to be compared",
          reconciliation.name(),
          doneUntil,
          oldest);
      return oldest;
    }
    return doneUntil;
  }

  /** Null if it is not over for long enough. */
  private @Nullable Window next(Instant from) {
    Instant to = from.plus(config.window());
    return to.isAfter(time.instant().minus(config.delay())) ? null : new Window(from, to);
  }

  /**
   * Compares a window and notes it; in halves if it has more differences than a report holds. The
   * beginning is noted first, so that a first window which fails is the same one the next time.
   *
   * @return false if another node has the turn
   */
  private boolean compare(Turn turn, Window window) {
    rounds.progressed();
    if (!isMine(turn, window.from())) {
      return false;
    }
    Report report = reconciliation.compare(window, rounds::progressed);
    if (!isMine(turn, window.from())) {
      LOG.warn(
          "Reconciliation of {} took longer than its lease of {} and is made again; raise it",
          reconciliation.name(),
          DurationText.of(config.lease()));
      return false;
    }
    if (!report.complete()) {
      return window.halves().stream().allMatch(half -> !rounds.isClosed() && compare(turn, half));
    }
    tell(report);
    listener.accept(report);
    return isMine(turn, window.to());
  }

  private boolean isMine(Turn turn, Instant doneUntil) {
    return progress.proceed(config.task(), turn, doneUntil, config.lease());
  }

  private void tell(Report report) {
    if (report.agrees()) {
      LOG.debug("Reconciliation of {}: {}", reconciliation.name(), report);
    } else {
      LOG.error("Reconciliation of {} found differences: {}", reconciliation.name(), report);
    }
  }

  /**
   * Why windows are not compared, for a health check: the last two rounds failed, or one has made
   * no progress for a minute.
   *
   * @return empty if they are
   */
  @Override
  public Optional<String> fault() {
    return rounds.fault();
  }

  /** Ends the thread; waits five seconds at most. May be called twice. */
  @Override
  public void close() {
    rounds.close();
  }
}
