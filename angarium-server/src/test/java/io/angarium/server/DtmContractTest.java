package io.angarium.server;

import io.angarium.testkit.TransportFixture;
import io.angarium.testkit.TransportTck;

/** The contract of transports, with messages each of which is followed by another step. */
class DtmContractTest implements TransportTck {
  private final TransportFixture fixture = new DtmTransportFixture();

  @Override
  public TransportFixture fixture() {
    return fixture;
  }
}
