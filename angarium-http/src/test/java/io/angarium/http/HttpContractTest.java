package io.angarium.http;

import io.angarium.http.HttpTransportFixture.Outage;
import io.angarium.testkit.tck.TransportFixture;
import io.angarium.testkit.tck.TransportTck;

class HttpContractTest implements TransportTck {
  private final TransportFixture fixture = new HttpTransportFixture(Outage.REFUSES);

  @Override
  public TransportFixture fixture() {
    return fixture;
  }
}
