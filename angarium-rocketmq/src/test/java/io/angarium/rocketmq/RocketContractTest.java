package io.angarium.rocketmq;

import io.angarium.rocketmq.RocketTransportFixture.Outage;
import io.angarium.testkit.tck.OutageOrderTck;
import io.angarium.testkit.tck.OutageTck;
import io.angarium.testkit.tck.TransportFixture;
import io.angarium.testkit.tck.TransportTck;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;

@RequiresServer(Server.ROCKETMQ)
class RocketContractTest implements TransportTck {
  private static final Set<Class<?>> OUTAGES = Set.of(OutageTck.class, OutageOrderTck.class);

  private TransportFixture fixture;

  @BeforeEach
  void openFixture(TestInfo test) {
    boolean outage = OUTAGES.contains(test.getTestMethod().orElseThrow().getDeclaringClass());
    fixture =
        outage
            ? RocketTransportFixture.impatient(Outage.REFUSES)
            : RocketTransportFixture.patient();
  }

  @Override
  public TransportFixture fixture() {
    return fixture;
  }
}
