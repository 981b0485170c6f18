package io.angarium.kafka;

import io.angarium.kafka.KafkaTransportFixture.Outage;
import io.angarium.testkit.tck.OutageOrderTck;
import io.angarium.testkit.tck.OutageTck;
import io.angarium.testkit.tck.TransportFixture;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;

/** The parts of the contract in which the broker is away, with one that only does not answer. */
@OnOneJdk
@RequiresServer(Server.KAFKA)
class FrozenKafkaContractTest implements OutageTck, OutageOrderTck {
  private final TransportFixture fixture = KafkaTransportFixture.impatient(Outage.FROZEN);

  @Override
  public TransportFixture fixture() {
    return fixture;
  }
}
