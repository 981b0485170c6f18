package io.angarium.alert;

import io.angarium.alert.signal.Signals;
import java.time.Duration;
import java.util.List;

/**
 * Notices one kind of trouble. Called by one thread at a time; must not block, as all it looks at
 * has been read.
 */
public interface AlertRule {
  /** Its name, see {@link AlertKey#rule}; the same at all times. */
  String name();

  /** What the alert means and what to do, in a sentence, for the person who is told. */
  String meaning();

  /**
   * How long something must be found without a break until it is told, zero for at once. It counts
   * as over when it was not found for as long, at least for a minute.
   */
  default Duration hold() {
    return Duration.ZERO;
  }

  /**
   * Says what is wrong now.
   *
   * @return one for each subject; empty if nothing is
   */
  List<Finding> look(Signals signals);
}
