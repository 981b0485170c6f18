package io.angarium.rabbitmq;

import io.angarium.rabbitmq.RabbitTransportFixture.Outage;
import io.angarium.testkit.tck.TransportFixture;
import io.angarium.testkit.tck.TransportTck;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;

/** The contract on the replicated queues that production uses. */
@OnOneJdk
@RequiresServer(Server.RABBITMQ)
class QuorumQueueContractTest implements TransportTck {
  private final TransportFixture fixture = new RabbitTransportFixture(Outage.REFUSES, "quorum");

  @Override
  public TransportFixture fixture() {
    return fixture;
  }
}
