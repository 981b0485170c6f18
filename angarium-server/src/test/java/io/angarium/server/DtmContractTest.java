package io.angarium.server;

import io.angarium.testkit.tck.TransportFixture;
import io.angarium.testkit.tck.TransportTck;

/** The contract of transports, with messages each of which is followed by another step. */
class DtmContractTest implements TransportTck {
  private final TransportFixture fixture = new DtmTransportFixture();

  @Override
  public TransportFixture fixture() {
    return fixture;
  }
}
