package io.angarium.benchmarks.angarium;

import io.angarium.benchmarks.arm.Arm;
import io.angarium.benchmarks.arm.BrokerKind;
import io.angarium.benchmarks.tck.ArmTck;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.util.Map;

@RequiresServer(Server.KAFKA)
class NodesArmTest implements ArmTck {
  @Override
  public Arm.Opener opener() {
    return AngariumArm::new;
  }

  @Override
  public BrokerKind broker() {
    return BrokerKind.KAFKA;
  }

  @Override
  public Map<String, String> options() {
    return Map.of("relays", "3", "apart", "1");
  }
}
