package io.angarium.operation;

import io.angarium.StoreException;
import io.angarium.TimeSource;
import io.angarium.background.BackgroundWork;
import io.angarium.background.internal.RepeatingTask;
import io.angarium.operation.Operation.State;
import io.angarium.operation.OperationStore.Turn;
import io.angarium.store.WriteRefusedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the operations of a database that no other node carries out, at the pace of each. Two
 * nodes share them; when one is gone, another goes on where it was. Thread-safe.
 */
public final class OperationRunner implements BackgroundWork, AutoCloseable {
  /** The time between two looks for operations. */
  public static final Duration PAUSE = Duration.ofSeconds(5);

  /** Another node takes the operations of one that has not gone on for so long. */
  public static final Duration LEASE = Duration.ofSeconds(30);

  private static final Logger LOG = LoggerFactory.getLogger(OperationRunner.class);

  private final OperationStore store;
  private final String node;
  private final TimeSource time;
  private final RepeatingTask task;

  // changed by the thread of the rounds alone, but for the close
  private final Map<UUID, Held> held = new ConcurrentHashMap<>();
  private @Nullable Long takenNanos;

  /** An operation in this node's hands. Not thread-safe. */
  private static final class Held {
    final Turn turn;
    long dueNanos;
    int rate = 1;
    long reached = -1;

    /** So many messages are tried one by one, as the database refuses them together. */
    int singles;

    Held(Turn turn, long dueNanos) {
      this.turn = turn;
      this.dueNanos = dueNanos;
    }

    int messagesMax() {
      return singles > 0 ? 1 : Math.min(OperationStore.STEP_MAX, rate);
    }
  }

  /**
   * Creates it; nothing runs before {@link #start}.
   *
   * @param node as persons know it
   */
  public OperationRunner(OperationStore store, String node, TimeSource time) {
    this.store = store;
    this.node = node;
    this.time = time;
    this.task =
        new RepeatingTask("angarium-operations", "The work on operations", PAUSE, this::round);
  }

  /** Starts its thread. */
  public void start() {
    task.start(PAUSE);
  }

  /**
   * Takes operations, and goes on with those that are due, on the caller's thread. For tests; not
   * to be mixed with {@link #start}. Blocks.
   *
   * @return how long until the next operation in its hands is due; empty if it has none
   */
  public Optional<Duration> runOnce() {
    takeIfDue();
    @Nullable StoreException failure = null;
    for (Held each : List.copyOf(held.values())) {
      if (each.dueNanos - time.nanoTime() <= 0) {
        try {
          step(each);
        } catch (StoreException e) { // the others go on
          each.dueNanos = time.nanoTime() + PAUSE.toNanos();
          failure = failure == null ? e : failure;
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
    return held.values().stream()
        .map(each -> Duration.ofNanos(Math.max(0, each.dueNanos - time.nanoTime())))
        .min(Duration::compareTo);
  }

  private void round() throws InterruptedException {
    Optional<Duration> next = runOnce();
    while (next.isPresent() && !task.isClosed()) {
      task.worked();
      if (!task.rest(next.get().compareTo(PAUSE) < 0 ? next.get() : PAUSE)) {
        next = runOnce();
      }
    }
  }

  private void takeIfDue() {
    Long last = takenNanos;
    if (last != null && time.nanoTime() - last < PAUSE.toNanos()) {
      return;
    }
    takenNanos = time.nanoTime();
    for (Turn turn : store.take(node, LEASE)) {
      held.put(turn.operation(), new Held(turn, time.nanoTime()));
      LOG.info("Operation {} goes on at this node", turn.operation());
    }
  }

  private void step(Held each) {
    int messagesMax = each.messagesMax();
    Optional<Operation> after;
    try {
      after = store.step(each.turn, messagesMax, LEASE, null);
    } catch (WriteRefusedException e) {
      if (messagesMax > 1) {
        LOG.debug("Messages of operation {} are tried one by one", each.turn.operation(), e);
        each.singles = messagesMax;
        return;
      }
      after = store.step(each.turn, 1, LEASE, String.valueOf(e.getMessage()));
    }
    each.singles = Math.max(0, each.singles - 1);
    if (after.isEmpty()) {
      held.remove(each.turn.operation());
      LOG.info("Operation {} is no longer this node's", each.turn.operation());
    } else {
      stepped(each, after.get());
    }
  }

  private void stepped(Held each, Operation after) {
    if (after.state() != State.RUNNING) {
      held.remove(each.turn.operation());
      LOG.info(
          "Operation {} is {}: {} messages done, {} changed by others meanwhile, {} refused",
          each.turn.operation(),
          after.state(),
          after.counts().done(),
          after.counts().notFound(),
          after.counts().refused());
      return;
    }
    each.rate = after.plan().rate();
    long reached = after.counts().reached();
    long some = each.reached < 0 ? Math.min(1, reached) : reached - each.reached;
    each.reached = reached;
    each.dueNanos = time.nanoTime() + some * Duration.ofSeconds(1).toNanos() / each.rate;
  }

  /** Why operations do not go on, for a health check; empty if they do. */
  @Override
  public Optional<String> fault() {
    return task.fault();
  }

  /**
   * Ends the thread after the step that runs, and lets another node go on at once. Waits five
   * seconds at most. May be called twice.
   */
  @Override
  public void close() {
    task.close();
    List<Held> left = new ArrayList<>(held.values());
    held.clear();
    for (Held each : left) {
      try {
        store.release(each.turn);
      } catch (StoreException e) {
        LOG.debug("Operation {} goes on elsewhere when its lease has ended", each.turn, e);
      }
    }
  }
}
