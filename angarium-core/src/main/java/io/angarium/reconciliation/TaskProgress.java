package io.angarium.reconciliation;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How far a task that runs on one of several nodes has come, and whose turn it is. All methods
 * block, commit before they return, and throw {@link io.angarium.StoreException} if the database
 * cannot be reached or refuses. Thread-safe.
 */
public interface TaskProgress {
  /**
   * A turn of a task.
   *
   * @param token tells it from others; of no meaning besides
   * @param doneUntil null if the task was never done
   */
  record Turn(long token, @Nullable Instant doneUntil) {}

  /**
   * Takes the turn, for a while.
   *
   * @param task 1..100 characters
   * @return null if another node has it
   */
  @Nullable Turn begin(String task, Duration lease);

  /**
   * Notes how far it is done, and goes on with the turn.
   *
   * @return false if the turn was lost meanwhile; nothing was noted then
   */
  boolean proceed(String task, Turn turn, Instant doneUntil, Duration lease);

  /** Gives the turn back, if it still is this one. */
  void end(String task, Turn turn);
}
