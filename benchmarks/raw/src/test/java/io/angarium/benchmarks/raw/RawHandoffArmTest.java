package io.angarium.benchmarks.raw;

import io.angarium.benchmarks.arm.Arm;
import io.angarium.benchmarks.arm.BrokerKind;
import io.angarium.benchmarks.tck.ArmTck;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.Thorough;

@RequiresServer(Server.KAFKA)
@Thorough
class RawHandoffArmTest implements ArmTck {
  @Override
  public Arm.Opener opener() {
    return RawHandoffArm::new;
  }

  @Override
  public BrokerKind broker() {
    return BrokerKind.KAFKA;
  }
}
