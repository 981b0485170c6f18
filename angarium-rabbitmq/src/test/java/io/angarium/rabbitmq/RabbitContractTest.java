package io.angarium.rabbitmq;

import io.angarium.rabbitmq.RabbitTransportFixture.Outage;
import io.angarium.testkit.tck.TransportFixture;
import io.angarium.testkit.tck.TransportTck;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;

@RequiresServer(Server.RABBITMQ)
class RabbitContractTest implements TransportTck {
  private final TransportFixture fixture = new RabbitTransportFixture(Outage.REFUSES, "classic");

  @Override
  public TransportFixture fixture() {
    return fixture;
  }
}
