package io.angarium.testkit.fake;

import io.angarium.testkit.tck.TransportFixture;
import io.angarium.testkit.tck.TransportTck;
import io.angarium.transport.KeyOrder;

class ChainedFakeTransportTest implements TransportTck {
  private final TransportFixture fixture =
      new FakeTransportFixture(KeyOrder.CHAINED, FakeTransportFixture.LATER);

  @Override
  public TransportFixture fixture() {
    return fixture;
  }
}
