package io.angarium.jdbc.internal.inbox;

import io.angarium.inbox.InboxKey;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/** The numbers of the consumers in a batch, each computed once. Not thread-safe. */
public final class InboxNumbers {
  private final Map<String, Long> numbers = new HashMap<>();
  private final Map<Long, String> consumers = new HashMap<>();

  public InboxNumbers(Collection<InboxKey> keys) {
    for (InboxKey key : keys) {
      numbers.computeIfAbsent(
          key.consumer(),
          consumer -> {
            long number = key.consumerNumber();
            consumers.put(number, consumer);
            return number;
          });
    }
  }

  Long of(InboxKey key) {
    return Objects.requireNonNull(numbers.get(key.consumer()));
  }

  /**
   * Keys without repeats, in the order of the table's index: in it a batch takes its locks, also
   * where a lock is on more than one key, as on MySQL those on the gap below a row that is there.
   */
  public List<InboxKey> ascending(Collection<InboxKey> keys) {
    return keys.stream()
        .distinct()
        .sorted(Comparator.comparing(this::of).thenComparing(InboxKey::id, InboxNumbers::compare))
        .toList();
  }

  /** Byte by byte, without signs, as every database does. */
  private static int compare(UUID a, UUID b) {
    int high = Long.compareUnsigned(a.getMostSignificantBits(), b.getMostSignificantBits());
    return high == 0
        ? Long.compareUnsigned(a.getLeastSignificantBits(), b.getLeastSignificantBits())
        : high;
  }

  /**
   * The key that a row stands for.
   *
   * @throws SQLException if the consumer is none of those asked for
   */
  InboxKey key(long consumer, UUID id) throws SQLException {
    String name = consumers.get(consumer);
    if (name == null) {
      throw new SQLException("The driver returned consumer " + consumer + ", which nobody noted");
    }
    return new InboxKey(name, id);
  }
}
