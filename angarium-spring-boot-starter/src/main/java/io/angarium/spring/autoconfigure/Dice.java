package io.angarium.spring.autoconfigure;

import java.util.concurrent.ThreadLocalRandom;

/** The randomness that is wired into everything else. */
final class Dice {
  private Dice() {}

  /** Any 64-bit number. Thread-safe. */
  static long roll() {
    return ThreadLocalRandom.current().nextLong();
  }
}
