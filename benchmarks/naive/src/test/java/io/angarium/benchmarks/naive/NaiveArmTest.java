package io.angarium.benchmarks.naive;

import io.angarium.benchmarks.arm.Arm;
import io.angarium.benchmarks.arm.BrokerKind;
import io.angarium.benchmarks.tck.HalfArmTck;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.Thorough;

@RequiresServer(Server.KAFKA)
@Thorough
class NaiveArmTest implements HalfArmTck {
  @Override
  public Arm.Opener opener() {
    return NaiveArm::new;
  }

  @Override
  public BrokerKind broker() {
    return BrokerKind.KAFKA;
  }
}
