package io.angarium.server.dtm;

import java.util.HexFormat;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Ids for messages of dtm: 128 random bits. Thread-safe if its randomness is. */
final class DtmGids implements Supplier<String> {
  private final RandomGenerator random;

  DtmGids(RandomGenerator random) {
    this.random = random;
  }

  @Override
  public String get() {
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(random.nextLong()) + hex.toHexDigits(random.nextLong());
  }
}
