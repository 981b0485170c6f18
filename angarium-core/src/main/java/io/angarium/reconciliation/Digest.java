package io.angarium.reconciliation;

import io.angarium.internal.Sha256Names;

/**
 * How many keys there are, and a number that depends on all of them but not on their order: two
 * sides with equal digests have the same keys. Immutable.
 *
 * @param count repeats included
 * @param checksum the sum, modulo 2^64, of the first 64 bits of the SHA-256 of each key in UTF-8;
 *     other languages can compute it
 */
public record Digest(long count, long checksum) {
  /** The digest of no keys. */
  public static final Digest NONE = new Digest(0, 0);

  /** This one with another key. */
  public Digest plus(String key) {
    return new Digest(count + 1, checksum + Sha256Names.first64(key));
  }

  /** This one with all keys of another. */
  public Digest plus(Digest other) {
    return new Digest(count + other.count, checksum + other.checksum);
  }
}
