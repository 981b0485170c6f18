package io.angarium.reconciliation;

/**
 * Hears what the tasks of an application find: to alert somebody, to write it down, to repair it.
 * Thread-safe.
 */
@FunctionalInterface
public interface ReconciliationListener {
  /**
   * A window was compared; also if both sides agree. Called on the thread of the task, before the
   * window counts as done. Its reports are complete: a window with too many differences comes in
   * shorter ones. If it throws, the window is compared again, and all listeners hear of it again;
   * also after a crash a window may be told of twice.
   *
   * @param task the name of the task
   */
  void compared(String task, Report report);
}
