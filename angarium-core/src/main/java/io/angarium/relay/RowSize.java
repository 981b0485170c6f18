package io.angarium.relay;

/**
 * Guesses the size of the next rows from those seen, on the careful side, so that a read does not
 * bring more bytes than the window holds. Not thread-safe: one thread at a time.
 */
final class RowSize {
  private static final long FIRST_GUESS = 1 << 20;
  private static final int DECAY_ROWS = 32;

  private long expected = FIRST_GUESS;
  private long largest;
  private int seen;

  void saw(int bytes) {
    largest = Math.max(largest, bytes);
    expected = Math.max(expected, largest);
    if (++seen == DECAY_ROWS) {
      expected = Math.max(largest, expected / 2);
      largest = 0;
      seen = 0;
    }
  }

  /** Guesses as carefully as at first. */
  void startOver() {
    expected = FIRST_GUESS;
    seen = 0;
  }

  /** Bytes to reckon with for each row, at least 1. */
  long expected() {
    return Math.max(1, expected);
  }
}
