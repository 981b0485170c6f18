package io.angarium.jdbc;

import static io.angarium.jdbc.settings.SchemaFeature.BOARD;
import static io.angarium.jdbc.settings.SchemaFeature.CONSOLE;
import static io.angarium.jdbc.settings.SchemaFeature.HALF;
import static io.angarium.jdbc.settings.SchemaFeature.MARKER;
import static io.angarium.jdbc.settings.SchemaFeature.OUTBOX;

import io.angarium.ConfigurationException;
import io.angarium.background.BackgroundWork;
import io.angarium.background.internal.RepeatingTask;
import io.angarium.board.NodeBoard;
import io.angarium.internal.DurationText;
import io.angarium.jdbc.internal.schema.FeatureScripts;
import io.angarium.jdbc.settings.SchemaFeature;
import io.angarium.operation.OperationDesk;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cuts again and again what grows, on a thread of its own, which takes a connection while it does.
 * Every node may do it: what one has deleted the others do not find. Thread-safe.
 */
public final class RetentionRounds implements BackgroundWork, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RetentionRounds.class);

  /** Not with everything else that starts. */
  private static final Duration FIRST_MAX = Duration.ofMinutes(1);

  /** What is kept for its own time; null for ever. Its feature may have no tables here. */
  private record Part(
      String name,
      SchemaFeature feature,
      @Nullable Duration kept,
      ToLongFunction<Duration> deletion) {}

  private final Retention retention;
  private final List<Part> parts;
  private final RepeatingTask rounds;
  private final Set<String> skipped = ConcurrentHashMap.newKeySet();

  private RetentionRounds(Retention retention, RetentionConfig config) {
    this.retention = retention;
    this.parts =
        List.of(
            new Part("sent messages", OUTBOX, config.sent(), retention::deleteSent),
            new Part("business keys", OUTBOX, config.businessKeys(), retention::forgetBusinessKeys),
            new Part("markers", MARKER, config.markers(), retention::forgetMarkers),
            new Part("half messages", HALF, config.halfMessages(), retention::forgetHalfMessages),
            new Part("discarded messages", CONSOLE, config.discarded(), retention::forgetDiscarded),
            new Part("minutes", BOARD, NodeBoard.MINUTES_KEPT, retention::forgetMinutes),
            new Part("statuses of nodes", BOARD, NodeBoard.STATUS_KEPT, retention::forgetStatuses),
            new Part("operations", CONSOLE, OperationDesk.KEPT, retention::forgetOperations));
    this.rounds =
        new RepeatingTask(
            "angarium-retention", "The deletion of what is old", config.interval(), this::cut);
    retention.onProgress(rounds::progressed);
  }

  /** Starts them: the first round comes after a minute, or after the interval if that is less. */
  public static RetentionRounds start(Retention retention, RetentionConfig config) {
    RetentionRounds started = new RetentionRounds(retention, config);
    Duration interval = config.interval();
    started.rounds.start(interval.compareTo(FIRST_MAX) < 0 ? interval : FIRST_MAX);
    return started;
  }

  /** What fails does not keep the rest from being cut; the first failure is thrown. */
  void cut() {
    @Nullable RuntimeException failure = null;
    for (Part part : parts) {
      rounds.progressed();
      try {
        cut(part);
      } catch (RuntimeException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (retention.fault().isPresent()) {
      rounds.leftSomething();
    }
    if (failure != null) {
      throw failure;
    }
  }

  private void cut(Part part) {
    Duration kept = part.kept();
    if (kept != null && !rounds.isClosed() && retention.has(part.feature())) {
      try {
        long deleted = part.deletion().applyAsLong(kept);
        String age = DurationText.of(kept);
        LOG.debug("{}: {} deleted that were older than {}", part.name(), deleted, age);
      } catch (ConfigurationException e) {
        skipped(part, e);
      }
    }
  }

  /** A process that uses the feature would not have started with such tables. */
  private void skipped(Part part, ConfigurationException e) {
    if (skipped.add(part.name())) {
      LOG.warn(
          "Old {} are not deleted, as the tables of feature {}, which this process does not use,"
              + " are not as expected: {}",
          part.name(),
          FeatureScripts.title(part.feature()),
          String.join("; ", e.faults()));
    } else {
      LOG.debug("Old {} are not deleted", part.name(), e);
    }
  }

  /**
   * Why something that is old is not deleted, for a health check: the last two rounds failed, one
   * makes no progress, or the database refuses to delete single rows.
   *
   * @return empty if all is deleted
   */
  @Override
  public Optional<String> fault() {
    return rounds.fault().or(retention::fault);
  }

  /** Ends the thread after the round that runs; waits five seconds at most. Twice is once. */
  @Override
  public void close() {
    rounds.close();
  }
}
