package io.angarium.http;

import io.angarium.http.HttpTransportFixture.Outage;
import io.angarium.testkit.tck.OutageOrderTck;
import io.angarium.testkit.tck.OutageTck;
import io.angarium.testkit.tck.TransportFixture;
import io.angarium.testservers.OnOneJdk;

/** The parts of the contract in which the receiver is away, with one that only does not answer. */
@OnOneJdk
class FrozenHttpContractTest implements OutageTck, OutageOrderTck {
  private final TransportFixture fixture = new HttpTransportFixture(Outage.FROZEN);

  @Override
  public TransportFixture fixture() {
    return fixture;
  }
}
