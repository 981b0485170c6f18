package io.angarium.board;

import static java.util.Comparator.comparingLong;

import io.angarium.Destination;
import io.angarium.intake.StoredMessage;
import io.angarium.relay.settings.RelayListener;
import io.angarium.relay.settings.Route;
import io.angarium.transport.SendResult;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts what becomes of the messages of each destination. One per relay, as its listener. Does not
 * block. A message costs a look-up and an addition, and allocates nothing. Counts of destinations
 * beyond {@value #COUNTED_MAX} are kept together. Thread-safe.
 */
public final class SendCounts implements RelayListener {
  /** The most destinations that are counted apart. */
  public static final int COUNTED_MAX = 1_000;

  private static final int FAILED = DelayBuckets.COUNT;
  private static final int REFUSED = FAILED + 1;
  private static final int UNAVAILABLE = REFUSED + 1;
  private static final int DEAD = UNAVAILABLE + 1;
  private static final int SLOTS = DEAD + 1;

  private final Map<Destination, AtomicLongArray> counters = new ConcurrentHashMap<>();
  private final AtomicLongArray others = new AtomicLongArray(SLOTS);

  /** What {@link #take} has given of each counter. Guarded by this, as are the next two. */
  private final Map<Destination, Throughput> taken = new HashMap<>();

  private Throughput othersTaken = Throughput.NONE;
  private Throughput forgotten = Throughput.NONE;

  /** Counts nothing yet. */
  public SendCounts() {}

  @Override
  public void sent(StoredMessage message, Route route, Duration age) {
    counter(message).incrementAndGet(DelayBuckets.bucket(age.toMillis()));
  }

  @Override
  public void attempted(StoredMessage message, Route route, SendResult result) {
    if (result instanceof SendResult.Failed) {
      counter(message).incrementAndGet(FAILED);
    } else if (result instanceof SendResult.Refused) {
      counter(message).incrementAndGet(REFUSED);
    } else if (result instanceof SendResult.Unavailable) {
      counter(message).incrementAndGet(UNAVAILABLE);
    }
  }

  @Override
  public void dead(StoredMessage message, String reason) {
    counter(message).incrementAndGet(DEAD);
  }

  private AtomicLongArray counter(StoredMessage message) {
    Destination destination = message.message().destination();
    AtomicLongArray known = counters.get(destination);
    return known == null ? added(destination) : known;
  }

  private AtomicLongArray added(Destination destination) {
    return counters.size() >= COUNTED_MAX
        ? others
        : counters.computeIfAbsent(destination, each -> new AtomicLongArray(SLOTS));
  }

  private static Throughput read(AtomicLongArray counter) {
    long[] delays = new long[DelayBuckets.COUNT];
    for (int i = 0; i < delays.length; i++) {
      delays[i] = counter.get(i);
    }
    return new Throughput(
        counter.get(FAILED),
        counter.get(REFUSED),
        counter.get(UNAVAILABLE),
        counter.get(DEAD),
        DelayBuckets.of(delays));
  }

  /** How many destinations are counted apart now. */
  int size() {
    return counters.size();
  }

  /** Everything that was counted, of all destinations. */
  public synchronized Throughput total() {
    Throughput total = forgotten.plus(read(others));
    for (AtomicLongArray counter : counters.values()) {
      total = total.plus(read(counter));
    }
    return total;
  }

  /**
   * Takes what was counted since the last call.
   *
   * @return by destination in its text form, those with most first; all beyond {@link
   *     MinuteOfDestination#DESTINATIONS_MAX} as {@link MinuteOfDestination#OTHER}; nothing for
   *     destinations without counts
   */
  public synchronized Map<String, Throughput> take() {
    Throughput othersNow = read(others);
    Throughput other = othersNow.minus(othersTaken);
    othersTaken = othersNow;
    Map<Destination, Throughput> changes = changes();
    List<Map.Entry<Destination, Throughput>> most =
        changes.entrySet().stream()
            .sorted(
                comparingLong((Map.Entry<Destination, Throughput> each) -> each.getValue().total())
                    .reversed())
            .toList();
    Map<String, Throughput> given = new LinkedHashMap<>();
    for (Map.Entry<Destination, Throughput> each : most) {
      if (given.size() < MinuteOfDestination.DESTINATIONS_MAX) {
        given.put(each.getKey().toString(), each.getValue());
      } else {
        other = other.plus(each.getValue());
      }
    }
    if (other.total() > 0) {
      given.put(MinuteOfDestination.OTHER, other);
    }
    return given;
  }

  /** What changed; where it gets crowded, forgets destinations without a change. */
  private Map<Destination, Throughput> changes() {
    boolean crowded = counters.size() >= COUNTED_MAX / 2;
    Map<Destination, Throughput> changes = new HashMap<>();
    counters.forEach(
        (destination, counter) -> {
          Throughput now = read(counter);
          Throughput change = now.minus(taken.getOrDefault(destination, Throughput.NONE));
          if (change.total() > 0) {
            changes.put(destination, change);
            taken.put(destination, now);
          } else if (crowded) {
            counters.remove(destination);
            taken.remove(destination);
            forgotten = forgotten.plus(now);
          }
        });
    return changes;
  }
}
