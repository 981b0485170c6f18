package io.angarium.benchmarks.naive;

import io.angarium.benchmarks.arm.Arm;
import io.angarium.benchmarks.tck.HalfArmTck;

class NaiveArmTest implements HalfArmTck {
  @Override
  public Arm.Opener opener() {
    return NaiveArm::new;
  }
}
