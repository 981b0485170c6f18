package io.angarium.kafka.intake;

import io.angarium.StoreException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Partitions with a record that cannot be stored now. Each one rests for the pause before it is
 * read again; the others go on. One thread, but for {@link #trouble}.
 */
final class HeldPartitions {
  private static final Logger LOG = LoggerFactory.getLogger(HeldPartitions.class);

  private static final String AGAIN = "Half messages from Kafka are taken again";

  private final Duration pause;
  private final Map<TopicPartition, Held> held = new HashMap<>();
  private volatile @Nullable String trouble;

  private record Held(StoreException reason, long sinceNanos) {}

  HeldPartitions(Duration pause) {
    this.pause = pause;
  }

  boolean isEmpty() {
    return held.isEmpty();
  }

  /** Returns the partitions whose pause is over. */
  Set<TopicPartition> due(long nowNanos) {
    Set<TopicPartition> due = new HashSet<>();
    held.forEach(
        (partition, since) -> {
          if (nowNanos - since.sinceNanos() >= pause.toNanos()) {
            due.add(partition);
          }
        });
    return due;
  }

  /**
   * Notes how a read ended. Logs the first partition that has to wait, and when none does any more.
   *
   * @param read the partitions of its records
   * @param waiting the ones that cannot go on, with the reason
   */
  void note(
      Collection<TopicPartition> read, Map<TopicPartition, StoreException> waiting, long nowNanos) {
    boolean before = !held.isEmpty();
    held.keySet().removeAll(read);
    waiting.forEach((partition, reason) -> held.put(partition, new Held(reason, nowNanos)));
    trouble = words();
    if (before && held.isEmpty()) {
      LOG.info(AGAIN);
    } else if (!before && !held.isEmpty()) {
      LOG.warn(
          "Half messages from Kafka cannot be stored now; they wait in {}",
          TopicsInLog.some(names(waiting.keySet())),
          waiting.values().iterator().next());
    }
  }

  /** Forgets the others: another node reads them by now, or their records are gone. */
  void retain(Predicate<TopicPartition> waiting) {
    if (held.keySet().removeIf(waiting.negate())) {
      trouble = words();
      if (held.isEmpty()) {
        LOG.info(AGAIN);
      }
    }
  }

  void clear() {
    retain(partition -> false);
  }

  /** Which partitions wait and why; empty if none does. Thread-safe. */
  Optional<String> trouble() {
    return Optional.ofNullable(trouble);
  }

  private @Nullable String words() {
    return held.entrySet().stream()
        .findFirst()
        .map(
            first ->
                "Half messages wait in "
                    + TopicsInLog.some(names(held.keySet()))
                    + ", as the database does not take them: "
                    + first.getValue().reason())
        .orElse(null);
  }

  private static Set<String> names(Set<TopicPartition> partitions) {
    Set<String> names = new TreeSet<>();
    partitions.forEach(each -> names.add(each.toString()));
    return names;
  }
}
