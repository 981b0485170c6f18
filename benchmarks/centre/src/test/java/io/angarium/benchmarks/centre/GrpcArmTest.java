package io.angarium.benchmarks.centre;

import io.angarium.benchmarks.arm.Arm;
import io.angarium.benchmarks.arm.BrokerKind;
import io.angarium.benchmarks.tck.HalfArmTck;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.Thorough;
import java.util.Map;

@RequiresServer(Server.KAFKA)
@Thorough
class GrpcArmTest implements HalfArmTck {
  @Override
  public Arm.Opener opener() {
    return GrpcArm::open;
  }

  @Override
  public BrokerKind broker() {
    return BrokerKind.KAFKA;
  }

  /** So that nothing is sent twice, however busy the machine is. */
  @Override
  public Map<String, String> options() {
    return Map.of("delivery-timeout", "60s");
  }
}
