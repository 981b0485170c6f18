package io.angarium.simulation;

import io.angarium.intake.Position;
import java.util.Collection;
import java.util.function.Supplier;

/** What the simulation does around a call of a node to its database. */
interface Hooks {
  /**
   * Makes the call, perhaps with a crash, an error, a pause, or other nodes acting before or after.
   */
  <T> T around(String call, Supplier<T> work);

  /** Makes a call without an answer. */
  default void around(String call, Runnable work) {
    around(
        call,
        () -> {
          work.run();
          return true;
        });
  }

  /**
   * Rows are about to be deleted.
   *
   * @return run once they are
   */
  default Runnable deleting(Collection<Position> positions) {
    return () -> {};
  }
}
