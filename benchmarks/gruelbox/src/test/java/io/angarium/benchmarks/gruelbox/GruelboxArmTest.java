package io.angarium.benchmarks.gruelbox;

import io.angarium.benchmarks.arm.Arm;
import io.angarium.benchmarks.arm.DatabaseKind;
import io.angarium.benchmarks.tck.ArmTck;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.Thorough;
import java.util.Map;

@RequiresServer(Server.KAFKA)
@Thorough
class GruelboxArmTest implements ArmTck {
  @Override
  public Arm.Opener opener() {
    return GruelboxArm::new;
  }

  @Override
  public boolean keepsOrder(DatabaseKind database) {
    return false;
  }

  /** So that a message that a worker left out is soon sent. */
  @Override
  public Map<String, String> options() {
    return Map.of("attempt", "1");
  }
}
