package io.angarium.store;

/**
 * How much a read may bring, so that it fits into memory whatever the size of the messages.
 * Immutable.
 *
 * @param rows most rows, at least 1; whether in all or of each span, the method says
 * @param bytes most bytes of payloads in all, at least 0; more only if a single row alone has more,
 *     as at least one row always comes if there is one
 */
public record ReadLimit(int rows, long bytes) {
  /** Checks the ranges. */
  public ReadLimit {
    if (rows < 1 || bytes < 0) {
      throw new IllegalArgumentException(
          "rows: " + rows + ", bytes: " + bytes + " (expected: at least 1 row and 0 bytes)");
    }
  }

  /** So many rows of any size, for tests and small tables. */
  public static ReadLimit rows(int rows) {
    return new ReadLimit(rows, Long.MAX_VALUE);
  }
}
