package io.angarium.benchmarks.raw;

import io.angarium.benchmarks.arm.Arm;
import io.angarium.benchmarks.tck.InboxArmTck;
import io.angarium.testservers.Thorough;

@Thorough
class RawInboxArmTest implements InboxArmTck {
  @Override
  public Arm.Opener opener() {
    return RawInboxArm::new;
  }
}
