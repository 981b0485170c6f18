package io.angarium.console.internal.access;

import io.angarium.console.internal.problem.Problem;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Bounds how much the console asks of databases at a time: each question holds a connection that
 * the application needs as well. Thread-safe.
 */
public final class Permits {
  /** Questions at a time. */
  public static final int QUESTIONS_MAX = 2;

  /** Requests of one operator at a time. */
  static final int OF_OPERATOR_MAX = 8;

  private static final Duration PAUSE = Duration.ofSeconds(2);

  private final Semaphore questions = new Semaphore(QUESTIONS_MAX);
  private final Map<String, Integer> running = new HashMap<>();

  /**
   * Runs a question; waits for two seconds if too many are running.
   *
   * @throws Problem if too many are still running then
   */
  public <T> T ask(Supplier<T> question) {
    if (!acquired()) {
      throw Problem.busy(
          "%d questions to the database have been running for 2s (expected: fewer); try again in 2s"
              .formatted(QUESTIONS_MAX),
          PAUSE);
    }
    try {
      return question.get();
    } finally {
      questions.release();
    }
  }

  private boolean acquired() {
    try {
      return questions.tryAcquire(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /**
   * Begins a request of an operator.
   *
   * @throws Problem if too many of them are running
   */
  public synchronized void begin(String operator) {
    int now = running.getOrDefault(operator, 0);
    if (now >= OF_OPERATOR_MAX) {
      throw Problem.busy(
          "%d requests of '%s' are running (expected: at most %d at a time)"
              .formatted(now, operator, OF_OPERATOR_MAX),
          PAUSE);
    }
    running.put(operator, now + 1);
  }

  /** Ends it. */
  public synchronized void end(String operator) {
    int now = running.getOrDefault(operator, 0);
    if (now <= 1) {
      running.remove(operator);
    } else {
      running.put(operator, now - 1);
    }
  }
}
