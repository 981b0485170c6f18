package io.angarium.testkit.fake;

import io.angarium.testkit.tck.TransportFixture;
import io.angarium.testkit.tck.TransportTck;
import io.angarium.transport.KeyOrder;

public class PipelinedFakeTransportTest implements TransportTck {
  private final TransportFixture fixture =
      new FakeTransportFixture(KeyOrder.PIPELINED, FakeTransportFixture.LATER);

  @Override
  public TransportFixture fixture() {
    return fixture;
  }
}
