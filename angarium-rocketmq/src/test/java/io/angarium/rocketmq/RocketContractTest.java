package io.angarium.rocketmq;

import io.angarium.rocketmq.RocketTransportFixture.Outage;
import io.angarium.testkit.TransportFixture;
import io.angarium.testkit.TransportTck;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;

@RequiresServer(Server.ROCKETMQ)
class RocketContractTest implements TransportTck {
  private final TransportFixture fixture = new RocketTransportFixture(Outage.REFUSES);

  @Override
  public TransportFixture fixture() {
    return fixture;
  }
}
