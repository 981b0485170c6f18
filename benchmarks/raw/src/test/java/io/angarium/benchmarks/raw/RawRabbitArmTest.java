package io.angarium.benchmarks.raw;

import io.angarium.benchmarks.arm.Arm;
import io.angarium.benchmarks.arm.BrokerKind;
import io.angarium.benchmarks.tck.ArmTck;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.Thorough;

@RequiresServer(Server.RABBITMQ)
@Thorough
class RawRabbitArmTest implements ArmTck {
  @Override
  public Arm.Opener opener() {
    return RawArm::new;
  }

  @Override
  public BrokerKind broker() {
    return BrokerKind.RABBITMQ;
  }
}
