package io.angarium.testkit;

import io.angarium.transport.KeyOrder;

class ImmediateFakeTransportTest implements TransportTck {
  private final TransportFixture fixture =
      new FakeTransportFixture(KeyOrder.PIPELINED, Runnable::run);

  @Override
  public TransportFixture fixture() {
    return fixture;
  }
}
