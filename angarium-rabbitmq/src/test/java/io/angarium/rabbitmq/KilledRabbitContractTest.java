package io.angarium.rabbitmq;

import io.angarium.rabbitmq.RabbitTransportFixture.Outage;
import io.angarium.testkit.OutageOrderTck;
import io.angarium.testkit.OutageTck;
import io.angarium.testkit.TransportFixture;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;

/** The parts of the contract in which the broker is away, with one that was killed. */
@OnOneJdk
@RequiresServer(Server.RABBITMQ)
class KilledRabbitContractTest implements OutageTck, OutageOrderTck {
  private final TransportFixture fixture = new RabbitTransportFixture(Outage.KILLED, "quorum");

  @Override
  public TransportFixture fixture() {
    return fixture;
  }
}
