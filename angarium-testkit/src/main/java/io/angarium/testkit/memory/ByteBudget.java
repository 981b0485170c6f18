package io.angarium.testkit.memory;

import io.angarium.intake.StoredMessage;
import java.util.List;

/** What is left of a limit in bytes; the first row of all fits always. Not thread-safe. */
final class ByteBudget {
  private long left;
  private boolean used;

  ByteBudget(long bytes) {
    this.left = bytes;
  }

  /** The first rows that fit. */
  List<StoredMessage> firstOf(List<StoredMessage> rows) {
    int fitting = 0;
    for (StoredMessage row : rows) {
      int bytes = row.message().payload().length;
      if (used && bytes > left) {
        break;
      }
      used = true;
      left -= bytes;
      fitting++;
    }
    return rows.subList(0, fitting);
  }
}
