package io.angarium.kafka;

import io.angarium.kafka.KafkaTransportFixture.Outage;
import io.angarium.testkit.TransportFixture;
import io.angarium.testkit.TransportTck;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;

@RequiresServer(Server.KAFKA)
class KafkaContractTest implements TransportTck {
  private final TransportFixture fixture = new KafkaTransportFixture(Outage.REFUSES);

  @Override
  public TransportFixture fixture() {
    return fixture;
  }
}
