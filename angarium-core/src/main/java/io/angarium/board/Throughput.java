package io.angarium.board;

/**
 * What became of attempts within some time. Immutable.
 *
 * @param failed attempts that failed and are repeated
 * @param refused attempts of messages that the destination will never take
 * @param unavailable attempts that found the destination down
 * @param dead messages that were given up
 * @param delays of the messages that were sent, from their creation to the acknowledgement
 */
public record Throughput(
    long failed, long refused, long unavailable, long dead, DelayBuckets delays) {
  /** Nothing. */
  public static final Throughput NONE = new Throughput(0, 0, 0, 0, DelayBuckets.NONE);

  /**
   * Checks the counts.
   *
   * @throws IllegalArgumentException if one is negative
   */
  public Throughput {
    if (failed < 0 || refused < 0 || unavailable < 0 || dead < 0) {
      throw new IllegalArgumentException(
          "failed, refused, unavailable, dead: %d, %d, %d, %d (expected: not negative)"
              .formatted(failed, refused, unavailable, dead));
    }
  }

  /** How many messages were acknowledged. */
  public long sent() {
    return delays.total();
  }

  /** Everything that was counted. */
  public long total() {
    return sent() + failed + refused + unavailable + dead;
  }

  /** This and another one. */
  public Throughput plus(Throughput other) {
    return new Throughput(
        failed + other.failed,
        refused + other.refused,
        unavailable + other.unavailable,
        dead + other.dead,
        delays.plus(other.delays));
  }

  /** What is not in an earlier one; nothing where that one had more. */
  public Throughput minus(Throughput earlier) {
    return new Throughput(
        Math.max(0, failed - earlier.failed),
        Math.max(0, refused - earlier.refused),
        Math.max(0, unavailable - earlier.unavailable),
        Math.max(0, dead - earlier.dead),
        delays.minus(earlier.delays));
  }
}
