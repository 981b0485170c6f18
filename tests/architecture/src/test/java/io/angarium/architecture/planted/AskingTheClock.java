package io.angarium.architecture.planted;

import java.time.Instant;
import java.util.function.LongSupplier;

final class AskingTheClock {
  private AskingTheClock() {}

  static final class ByCall {
    static Instant time() {
      return Instant.now();
    }
  }

  static final class ByReference {
    static LongSupplier time() {
      return System::nanoTime;
    }
  }
}
