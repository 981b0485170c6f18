package io.angarium.rocketmq.transaction;

import io.angarium.half.Marker;
import io.angarium.half.Verdict;
import io.angarium.half.local.LocalTransactions;
import io.angarium.half.local.LocalWork;
import io.angarium.half.local.MarkerTakenException;
import io.angarium.half.local.OutcomeUnknownException;
import org.apache.rocketmq.client.producer.LocalTransactionState;
import org.jspecify.annotations.Nullable;

/** One local transaction between its half message and the end of it. One thread at a time. */
final class LocalRun<C, T extends @Nullable Object, X extends Exception> {
  private final LocalTransactions<C> local;
  private final Marker marker;
  private final LocalWork<C, T, X> work;
  private boolean begun;
  private @Nullable T result;
  private @Nullable Throwable failure;

  LocalRun(LocalTransactions<C> local, Marker marker, LocalWork<C, T, X> work) {
    this.local = local;
    this.marker = marker;
    this.work = work;
  }

  /** Runs it, and says what the broker is to be told. Never throws. */
  LocalTransactionState execute() {
    begun = true;
    try {
      result = local.run(marker, work);
      return LocalTransactionState.COMMIT_MESSAGE;
    } catch (MarkerTakenException e) {
      failure = e;
      return e.verdict() == Verdict.ROLLED_BACK
          ? LocalTransactionState.ROLLBACK_MESSAGE
          : LocalTransactionState.UNKNOW;
    } catch (Exception e) {
      failure = e;
      return e instanceof OutcomeUnknownException
          ? LocalTransactionState.UNKNOW
          : LocalTransactionState.ROLLBACK_MESSAGE;
    } catch (Throwable e) { // may come from anywhere, also after the commit: let the marker tell
      failure = e;
      return LocalTransactionState.UNKNOW;
    }
  }

  /** False if the half message was not stored. */
  boolean begun() {
    return begun;
  }

  /** The result of the work, or what it threw. */
  @SuppressWarnings({
    "unchecked",
    "NullAway"
  }) // an Error, unchecked, or of type X; null by the work
  T result() throws X {
    if (failure instanceof Error error) {
      throw error;
    } else if (failure != null) {
      throw (X) failure;
    }
    return result;
  }
}
