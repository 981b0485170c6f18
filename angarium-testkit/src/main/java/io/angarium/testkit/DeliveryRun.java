package io.angarium.testkit;

import io.angarium.testkit.Redelivery.Failing;
import io.angarium.testkit.Redelivery.Listener;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One run of a {@link Redelivery}. Thread-safe; runs once. */
final class DeliveryRun<T> {
  private static final int FAILURES_MAX = 100;
  private static final long PAUSE_NANOS = 1_000_000;

  private final List<T> messages;
  private final Deque<T> waiting;
  private final long seed;
  private final @Nullable FailurePoint point;
  private final @Nullable Failing<T> failing;
  private final Listener<T> listener;
  private final Set<T> begun = new HashSet<>();
  private final Map<T, Integer> failures = new HashMap<>();
  private int succeeded;
  private int failed;

  DeliveryRun(
      List<T> messages,
      Collection<T> deliveries,
      long seed,
      @Nullable FailurePoint point,
      @Nullable Failing<T> failing,
      Listener<T> listener) {
    this.messages = messages;
    this.waiting = new ArrayDeque<>(deliveries);
    this.seed = seed;
    this.point = point;
    this.failing = failing;
    this.listener = listener;
  }

  Deliveries<T> run(int threads) {
    if (point != null) {
      point.beginRun();
    }
    if (threads == 1) {
      deliverAll();
    } else {
      deliverAll(threads);
    }
    requireFailures();
    return new Deliveries<>(messages, succeeded, failed, seed);
  }

  /**
   * A test that plans failures and has none proves nothing. With several threads a repeat may have
   * overtaken each first delivery; then it has passed the point.
   */
  private void requireFailures() {
    if (point != null && failed == 0 && !point.passed() && !messages.isEmpty()) {
      throw new AssertionError(
          "No delivery failed, though each message was to fail once: the listener does not pass the"
              + " failure point, or not on its own thread");
    }
  }

  private void deliverAll(int threads) {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> ends = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        ends.add(pool.submit(() -> deliverAll()));
      }
      for (Future<?> end : ends) {
        end.get();
      }
    } catch (ExecutionException e) {
      Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
      throw new AssertionError(cause.getMessage(), cause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("Interrupted while messages were delivered", e);
    } finally {
      pool.shutdownNow();
    }
  }

  private void deliverAll() {
    for (T next = next(); next != null; next = next()) {
      deliver(next, first(next));
    }
  }

  private synchronized @Nullable T next() {
    return waiting.poll();
  }

  private synchronized boolean first(T message) {
    return begun.add(message);
  }

  private void deliver(T message, boolean first) {
    Exception failure = attempt(message, first);
    if (failure != null || (first && failing != null)) {
      failed(message, failure);
    } else {
      succeeded();
    }
  }

  private @Nullable Exception attempt(T message, boolean first) {
    if (point != null) {
      point.beginDelivery(first);
    }
    try {
      if (first && failing != null) {
        failing.deliver(message, listener);
      } else {
        listener.receive(message);
      }
      return null;
    } catch (Exception e) {
      return e;
    } finally {
      if (point != null) {
        point.endDelivery();
      }
    }
  }

  private synchronized void succeeded() {
    succeeded++;
  }

  /** It comes again, behind the others. */
  private void failed(T message, @Nullable Exception reason) {
    synchronized (this) {
      failed++;
      int times = failures.merge(message, 1, Integer::sum);
      if (times >= FAILURES_MAX) {
        throw new AssertionError(
            "Failed " + times + " times (seed " + seed + "): " + message + ": " + reason, reason);
      }
      waiting.add(message);
    }
    LockSupport.parkNanos(PAUSE_NANOS);
  }
}
