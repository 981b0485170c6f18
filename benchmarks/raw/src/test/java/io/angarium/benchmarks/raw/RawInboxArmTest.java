package io.angarium.benchmarks.raw;

import io.angarium.benchmarks.arm.Arm;
import io.angarium.benchmarks.tck.InboxArmTck;

class RawInboxArmTest implements InboxArmTck {
  @Override
  public Arm.Opener opener() {
    return RawInboxArm::new;
  }
}
