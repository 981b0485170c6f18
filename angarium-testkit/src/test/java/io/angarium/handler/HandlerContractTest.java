package io.angarium.handler;

import io.angarium.testkit.TransportFixture;
import io.angarium.testkit.TransportTck;

class HandlerContractTest implements TransportTck {
  private final TransportFixture fixture = new HandlerTransportFixture(HandlerConfig.DEFAULTS);

  @Override
  public TransportFixture fixture() {
    return fixture;
  }
}
