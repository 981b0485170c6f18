package io.angarium.benchmarks.angarium;

import io.angarium.benchmarks.arm.Arm;
import io.angarium.benchmarks.tck.HalfArmTck;
import io.angarium.testservers.Thorough;

@Thorough
class HalfArmTest implements HalfArmTck {
  @Override
  public Arm.Opener opener() {
    return HalfArm::new;
  }
}
