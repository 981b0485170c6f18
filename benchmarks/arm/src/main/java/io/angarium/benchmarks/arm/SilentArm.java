package io.angarium.benchmarks.arm;

/** An arm that writes and sends nothing. */
public abstract class SilentArm implements Arm {
  /** Where it writes. */
  protected final BusinessDatabase database;

  /**
   * For what it writes to.
   *
   * @param database closed with the arm
   */
  protected SilentArm(BusinessDatabase database) {
    this.database = database;
  }

  @Override
  public void start() {}

  @Override
  public void stop() {}

  @Override
  public long sent() {
    return 0;
  }

  @Override
  public void close() {
    database.close();
  }
}
