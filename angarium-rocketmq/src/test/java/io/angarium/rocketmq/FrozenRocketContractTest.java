package io.angarium.rocketmq;

import io.angarium.rocketmq.RocketTransportFixture.Outage;
import io.angarium.testkit.tck.OutageOrderTck;
import io.angarium.testkit.tck.OutageTck;
import io.angarium.testkit.tck.TransportFixture;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;

/** The parts of the contract in which the broker is away, with one that only does not answer. */
@OnOneJdk
@RequiresServer(Server.ROCKETMQ)
class FrozenRocketContractTest implements OutageTck, OutageOrderTck {
  private final TransportFixture fixture = RocketTransportFixture.impatient(Outage.FROZEN);

  @Override
  public TransportFixture fixture() {
    return fixture;
  }
}
