package io.angarium.half.intake;

import io.angarium.StoreException;
import java.util.List;

/**
 * The registry of Kafka topics that half messages are taken from, besides those that are
 * configured. Thread-safe. May be implemented outside of Angarium; it is asked by one thread of
 * each intake, again and again.
 */
@FunctionalInterface
public interface IntakeTopics {
  /**
   * The most topics that can be registered. Kafka writes the topics of all members of a group into
   * one record, 1 MB at most as it comes: a group that does not fit never becomes stable.
   */
  int TOPICS_MAX = 1_000;

  /**
   * All that are registered, each once, also those that are not enabled. Blocks.
   *
   * <p>Those behind the first {@link #TOPICS_MAX} are passed over and told, so the oldest stand
   * first; to say that there are too many, one more is enough.
   *
   * @throws StoreException if the registry cannot be read; what was known stays in force then
   */
  List<IntakeTopic> all();
}
