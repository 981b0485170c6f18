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

  private enum Delivery {
    NONE,
    SUCCEEDING,
    FAILING
  }

  private final ThreadLocal<Delivery> running = ThreadLocal.withInitial(() -> Delivery.NONE);
  private volatile boolean passed;

  /** Creates one that lets everybody pass. */
  public FailurePoint() {}

  /**
   * Goes on, or does not.
   *
   * @throws PlannedFailure if the running delivery is to fail here
   */
  public void pass() {
    switch (running.get()) {
      case NONE -> {}
      case SUCCEEDING -> passed = true;
      case FAILING -> throw new PlannedFailure();
    }
  }

  void beginRun() {
    passed = false;
  }

  /** A delivery begins on this thread. */
  void beginDelivery(boolean failing) {
    running.set(failing ? Delivery.FAILING : Delivery.SUCCEEDING);
  }

  /** The delivery on this thread has ended. */
  void endDelivery() {
    running.remove();
  }

  /** Whether a delivery of this run passed that was not to fail. */
  boolean passed() {
    return passed;
  }
}
