package io.angarium.benchmarks.raw;

import io.angarium.benchmarks.arm.Arm;
import io.angarium.benchmarks.arm.BusinessDatabase;

/** An arm that writes and sends nothing. */
abstract class SilentArm implements Arm {
  final BusinessDatabase database;

  /**
   * @param database closed with the arm
   */
  SilentArm(BusinessDatabase database) {
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
