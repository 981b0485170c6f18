package io.angarium.testkit;

import io.angarium.transport.KeyOrder;

class PipelinedFakeTransportTest implements TransportTck {
  private final TransportFixture fixture =
      new FakeTransportFixture(KeyOrder.PIPELINED, FakeTransportFixture.LATER);

  @Override
  public TransportFixture fixture() {
    return fixture;
  }
}
