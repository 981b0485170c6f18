package io.angarium.rabbitmq;

import io.angarium.rabbitmq.RabbitTransportFixture.Outage;
import io.angarium.testkit.tck.OutageOrderTck;
import io.angarium.testkit.tck.OutageTck;
import io.angarium.testkit.tck.TransportFixture;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;

/** The parts of the contract in which the broker is away, with one that only does not answer. */
@OnOneJdk
@RequiresServer(Server.RABBITMQ)
class FrozenRabbitContractTest implements OutageTck, OutageOrderTck {
  private final TransportFixture fixture = new RabbitTransportFixture(Outage.FROZEN, "quorum");

  @Override
  public TransportFixture fixture() {
    return fixture;
  }
}
