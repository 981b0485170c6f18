package io.angarium.benchmarks.angarium;

import io.angarium.benchmarks.arm.Arm;
import io.angarium.benchmarks.tck.InboxArmTck;
import io.angarium.testservers.Thorough;

@Thorough
class InboxArmTest implements InboxArmTck {
  @Override
  public Arm.Opener opener() {
    return InboxArm::new;
  }
}
