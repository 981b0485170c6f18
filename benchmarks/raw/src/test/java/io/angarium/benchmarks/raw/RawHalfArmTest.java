package io.angarium.benchmarks.raw;

import io.angarium.benchmarks.arm.Arm;
import io.angarium.benchmarks.tck.HalfArmTck;
import io.angarium.testservers.Thorough;

@Thorough
class RawHalfArmTest implements HalfArmTck {
  @Override
  public Arm.Opener opener() {
    return RawHalfArm::new;
  }
}
