package io.angarium.reconciliation;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One side of a comparison, e.g. the messages that were produced, those that an inbox has
 * processed, or the rows of a business table. Implemented by applications for sides of their own:
 * orders against stock movements, or a consumer in another service that tells its digests over
 * HTTP. Thread-safe.
 */
public interface ReconciledSide {
  /** For logs and reports, e.g. {@code orders}. */
  String name();

  /**
   * Gives every key of a window, in any order, repeats included. Blocks. Both sides must put a key
   * into the same window: go by a time that both have, such as that of the order, not by that of
   * the insert.
   *
   * @throws RuntimeException if they cannot be read; the comparison fails and is made again later
   */
  void keys(Window window, Consumer<String> each);

  /**
   * How long it remembers a key at least; empty if for ever, or if that is not known. Windows that
   * began longer ago are not compared, see {@link Reconciliation#check}.
   */
  default Optional<Duration> retention() {
    return Optional.empty();
  }

  /**
   * The destination of the messages that it has, if a report can have missing ones sent again;
   * empty for any other side.
   */
  default Optional<String> destination() {
    return Optional.empty();
  }

  /**
   * The digest of the keys of a window. Blocks. Called far more often than {@link #keys}, which it
   * calls unless it is overridden.
   */
  default Digest digest(Window window) {
    Digest[] sum = {Digest.NONE};
    keys(window, key -> sum[0] = sum[0].plus(key));
    return sum[0];
  }
}
