package io.angarium.jdbc.internal.desk;

import io.angarium.StoreException;

/** Checks that a move between tables takes exactly what it has copied. */
final class CopiedRows {
  private CopiedRows() {}

  /**
   * Compares the rows of both statements; a transaction that throws is rolled back.
   *
   * @throws StoreException if they differ
   */
  static void require(String what, int copied, int deleted) {
    if (copied != deleted) {
      throw new StoreException(
          "%s: %d rows were copied and %d deleted, as somebody changed them at once; nothing was done. Try again."
              .formatted(what, copied, deleted),
          null);
    }
  }
}
