package io.angarium.spring.autoconfigure.internal.mapping;

import java.util.concurrent.ThreadLocalRandom;

/** The randomness that is wired into everything else. */
public final class Dice {
  private Dice() {}

  /** Any 64-bit number. Thread-safe. */
  public static long roll() {
    return ThreadLocalRandom.current().nextLong();
  }
}
