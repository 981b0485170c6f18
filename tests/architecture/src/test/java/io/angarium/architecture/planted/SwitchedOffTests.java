package io.angarium.architecture.planted;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

final class SwitchedOffTests {
  private SwitchedOffTests() {}

  @Disabled
  static final class WholeClass {}

  static final class Condition {
    @EnabledIfEnvironmentVariable(named = "X", matches = "1")
    void method() {}
  }

  static final class JupiterAssumption {
    static void method() {
      Assumptions.assumeTrue(false);
    }
  }

  static final class AssertjAssumption {
    static void method() {
      org.assertj.core.api.Assumptions.assumeThat(1).isEqualTo(2);
    }
  }
}
