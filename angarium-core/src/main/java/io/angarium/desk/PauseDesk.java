package io.angarium.desk;

import io.angarium.StoreException;
import java.time.Duration;
import java.util.List;

/**
 * Where persons pause destinations. Every act commits with its entry in the audit; relays learn of
 * it with their next heartbeat. Implementations must pass the contract suite {@code PauseTck}. All
 * methods block, and throw {@link StoreException} if the database cannot be reached. Thread-safe.
 */
public interface PauseDesk {
  /** The pauses in force, by their ends. */
  List<DestinationPause> pauses();

  /**
   * Begins a pause. One of the same destinations is replaced, e.g. to make it last longer; when
   * that one began stays.
   *
   * @param destinations in their text form; a star stands for any characters
   * @param length how long, {@link DestinationPause#MIN}..{@link DestinationPause#MAX}
   * @throws IllegalArgumentException if the length is out of range, the text is empty or too long,
   *     or there are {@link DestinationPause#PAUSES_MAX} pauses already
   */
  DestinationPause pause(String destinations, Duration length, ActBy by);

  /**
   * Ends a pause: relays send again, few messages at first.
   *
   * @return false if there is none of that number
   */
  boolean resume(long pause, ActBy by);
}
