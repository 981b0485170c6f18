package io.angarium.architecture.planted;

import java.security.SecureRandom;
import java.util.UUID;

final class ThrowingDice {
  private ThrowingDice() {}

  static final class ByCall {
    static UUID id() {
      return UUID.randomUUID();
    }
  }

  static final class ByConstructor {
    static long number() {
      return new SecureRandom().nextLong();
    }
  }
}
