package io.angarium.rocketmq;

import io.angarium.rocketmq.RocketTransportFixture.Outage;
import io.angarium.testkit.tck.OutageOrderTck;
import io.angarium.testkit.tck.OutageTck;
import io.angarium.testkit.tck.TransportFixture;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.Thorough;
import org.junit.jupiter.api.Test;

/**
 * The parts of the contract in which the broker is away, with one that was killed. It starts again
 * and again: in every build, a frozen one takes its place where two callers share a transport.
 */
@OnOneJdk
@RequiresServer(Server.ROCKETMQ)
class KilledRocketContractTest implements OutageTck, OutageOrderTck {
  private final TransportFixture fixture = RocketTransportFixture.impatient(Outage.KILLED);

  @Override
  public TransportFixture fixture() {
    return fixture;
  }

  @Test
  @Thorough
  @Override
  public void messagesOfAnotherCallerWithoutAKeyDoNotBreakTheOrder() {
    OutageOrderTck.super.messagesOfAnotherCallerWithoutAKeyDoNotBreakTheOrder();
  }

  @Test
  @Thorough
  @Override
  public void messagesOfAnotherRelayWithAKeyDoNotBreakTheOrder() {
    OutageOrderTck.super.messagesOfAnotherRelayWithAKeyDoNotBreakTheOrder();
  }

  @Test
  @Thorough
  @Override
  public void eachOfTwoRelaysOnOneTransportKeepsItsOrder() {
    OutageOrderTck.super.eachOfTwoRelaysOnOneTransportKeepsItsOrder();
  }
}
