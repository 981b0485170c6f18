package io.angarium.benchmarks.angarium;

import io.angarium.benchmarks.arm.Arm;
import io.angarium.benchmarks.tck.InboxArmTck;

class InboxArmTest implements InboxArmTck {
  @Override
  public Arm.Opener opener() {
    return InboxArm::new;
  }
}
