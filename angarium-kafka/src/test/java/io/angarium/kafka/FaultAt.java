package io.angarium.kafka;

import java.util.function.IntConsumer;

/** Makes one fault when enough messages were acknowledged. */
final class FaultAt implements IntConsumer {
  private final int count;
  private final Runnable fault;
  private boolean made;

  FaultAt(int count, Runnable fault) {
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
