package io.angarium.half;

import io.angarium.store.StoreException;
import java.util.List;

/**
 * The registry of Kafka topics that half messages are taken from, besides those that are
 * configured. Thread-safe. May be implemented outside of Angarium; it is asked by one thread of
 * each intake, again and again.
 */
@FunctionalInterface
public interface IntakeTopics {
  /** The most topics that can be registered. */
  int TOPICS_MAX = 1_000;

  /**
   * All that are registered, each once, also those that are not enabled. Blocks.
   *
   * @throws StoreException if the registry cannot be read, or holds more than {@link #TOPICS_MAX};
   *     what was known stays in force then
   */
  List<IntakeTopic> all();
}
