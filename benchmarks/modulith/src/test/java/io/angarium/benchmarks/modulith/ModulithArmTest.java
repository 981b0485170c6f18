package io.angarium.benchmarks.modulith;

import io.angarium.benchmarks.arm.Arm;
import io.angarium.benchmarks.arm.DatabaseKind;
import io.angarium.benchmarks.tck.ArmTck;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.Thorough;

@RequiresServer(Server.KAFKA)
@Thorough
class ModulithArmTest implements ArmTck {
  @Override
  public Arm.Opener opener() {
    return ModulithArm::new;
  }

  @Override
  public boolean keepsOrder(DatabaseKind database) {
    return false;
  }
}
