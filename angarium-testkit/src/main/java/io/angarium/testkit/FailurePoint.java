package io.angarium.testkit;

/**
 * A place in the middle of a listener where a test lets it fail: whatever the listener calls there,
 * a stub for example, calls {@link #pass()}. Fails only while {@link Redelivery#failingAt} says so,
 * on the thread of the delivery. Thread-safe.
 */
public final class FailurePoint {
  /** What listeners see of it. Nobody catches it but who catches everything. */
  public static final class PlannedFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PlannedFailure() {
      super("Planned by a test: the listener fails in the middle");
    }
  }

  private final ThreadLocal<Boolean> armed = ThreadLocal.withInitial(() -> false);

  /** Creates one that lets everybody pass. */
  public FailurePoint() {}

  /**
   * Goes on, or does not.
   *
   * @throws PlannedFailure if the running delivery is to fail here
   */
  public void pass() {
    if (armed.get()) {
      throw new PlannedFailure();
    }
  }

  void arm(boolean failing) {
    armed.set(failing);
  }
}
