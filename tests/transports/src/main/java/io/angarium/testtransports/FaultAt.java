package io.angarium.testtransports;

import java.util.function.IntConsumer;

/**
 * Makes one fault when enough messages were acknowledged. Not thread-safe: one thread at a time.
 */
public final class FaultAt implements IntConsumer {
  private final int count;
  private final Runnable fault;
  private boolean made;

  /** With the number of messages, and the fault. */
  public FaultAt(int count, Runnable fault) {
    this.count = count;
    this.fault = fault;
  }

  @Override
  public void accept(int acknowledged) {
    if (!made && acknowledged >= count) {
      made = true;
      fault.run();
    }
  }
}
