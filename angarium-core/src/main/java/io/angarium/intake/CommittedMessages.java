package io.angarium.intake;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction wrote, as far as a relay can act on it at once. Immutable.
 *
 * @param keyedPartitions where keyed messages went: the owner reads them there, in order
 * @param keyless the rows of keyless messages that have committed for sure, which can be sent as
 *     they are
 * @param keylessToRead where keyless messages went that may be gone, e.g. with a savepoint: who
 *     sends them reads them first
 * @param delayed true if delayed messages were written: one may be due before the next poll
 * @param source which outbox it was written to, see {@code OutboxStore.source}; null if the store
 *     cannot tell
 */
public record CommittedMessages(
    Set<Integer> keyedPartitions,
    List<StoredMessage> keyless,
    Set<Position> keylessToRead,
    boolean delayed,
    @Nullable UUID source) {
  /** Nothing to act on. */
  public static final CommittedMessages NOTHING = new CommittedMessages(Set.of(), List.of());

  /**
   * Copies the collections.
   *
   * @throws IllegalArgumentException if a partition is one of keyless messages, or a row or a
   *     position one of a message with a key: handed over, it would be sent past the earlier ones
   *     of its key
   */
  public CommittedMessages {
    keyedPartitions = Set.copyOf(keyedPartitions);
    keyless = List.copyOf(keyless);
    keylessToRead = Set.copyOf(keylessToRead);
    for (int partition : keyedPartitions) {
      require(Partitioning.isKeyed(partition), "partition " + partition, "one of keyed messages");
    }
    for (StoredMessage row : keyless) {
      require(!Partitioning.isKeyed(row.position().partition()), row.toString(), "a keyless row");
    }
    for (Position position : keylessToRead) {
      require(!Partitioning.isKeyed(position.partition()), position.toString(), "a keyless row");
    }
  }

  /** What has committed for sure, in an outbox that has no source. */
  public CommittedMessages(Set<Integer> keyedPartitions, List<StoredMessage> keyless) {
    this(keyedPartitions, keyless, Set.of(), false, null);
  }

  /** Without delayed messages. */
  public CommittedMessages(
      Set<Integer> keyedPartitions,
      List<StoredMessage> keyless,
      Set<Position> keylessToRead,
      @Nullable UUID source) {
    this(keyedPartitions, keyless, keylessToRead, false, source);
  }

  /** The same with delayed messages, if there were some. */
  public CommittedMessages delayed(boolean some) {
    return new CommittedMessages(keyedPartitions, keyless, keylessToRead, some, source);
  }

  private static void require(boolean met, String value, String expected) {
    if (!met) {
      throw new IllegalArgumentException(value + " (expected: " + expected + ")");
    }
  }

  /**
   * Creates one from rows whose place is known, keyed or not.
   *
   * @param source which outbox holds them; null if the store cannot tell
   */
  public static CommittedMessages of(List<StoredMessage> rows, @Nullable UUID source) {
    Set<Integer> keyedPartitions = new HashSet<>();
    List<StoredMessage> keyless = new ArrayList<>();
    for (StoredMessage row : rows) {
      if (Partitioning.isKeyed(row.position().partition())) {
        keyedPartitions.add(row.position().partition());
      } else {
        keyless.add(row);
      }
    }
    return new CommittedMessages(keyedPartitions, keyless, Set.of(), source);
  }

  /** True if there is nothing to act on. */
  public boolean isEmpty() {
    return keyedPartitions.isEmpty() && keyless.isEmpty() && keylessToRead.isEmpty() && !delayed;
  }
}
