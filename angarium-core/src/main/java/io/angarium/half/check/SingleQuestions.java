package io.angarium.half.check;

import io.angarium.half.CheckAnswer;
import io.angarium.half.HalfKey;
import io.angarium.internal.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Asks for single half messages beside the rounds of check-backs, for persons. Thread-safe. */
final class SingleQuestions implements CheckBackTrial {
  /** So many persons may wait for an answer at a time. */
  static final int UNDER_WAY_MAX = 4;

  private final Askers askers;
  private final Duration timeout;
  private final Semaphore places = new Semaphore(UNDER_WAY_MAX);

  SingleQuestions(Askers askers, Duration timeout) {
    this.askers = askers;
    this.timeout = timeout;
  }

  @Override
  public CheckAnswer tryOut(HalfKey key, @Nullable String address) {
    if (!places.tryAcquire()) {
      return unreachable(
          UNDER_WAY_MAX + " persons wait for an answer here already; ask again in a moment");
    }
    CompletableFuture<List<CheckAnswer>> asked;
    try {
      asked = askers.of(key.business(), address).ask(List.of(key)).toCompletableFuture();
    } catch (RuntimeException | LinkageError e) {
      places.release();
      return Question.checked(null, e, 1).get(0);
    }
    // an answer that is late holds its place until it comes
    return answer(asked.whenComplete((answers, failure) -> places.release()));
  }

  private CheckAnswer answer(CompletableFuture<List<CheckAnswer>> asked) {
    try {
      return Question.checked(asked.get(timeout.toNanos(), TimeUnit.NANOSECONDS), null, 1).get(0);
    } catch (ExecutionException e) {
      return Question.checked(null, e.getCause(), 1).get(0);
    } catch (TimeoutException e) {
      return unreachable("no answer within " + DurationText.of(timeout));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return unreachable("the wait for the answer was interrupted");
    }
  }

  private static CheckAnswer unreachable(String reason) {
    return CheckAnswer.unreachable(1, reason).get(0);
  }
}
