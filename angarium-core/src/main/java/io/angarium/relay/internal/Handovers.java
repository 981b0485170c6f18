package io.angarium.relay.internal;

import io.angarium.intake.CommittedMessages;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.relay.internal.flight.InFlightWindow;
import io.angarium.relay.internal.send.Sender;
import io.angarium.relay.internal.settings.RelayContext;
import io.angarium.store.ReadLimit;
import io.angarium.store.ReadRows;
import io.angarium.store.SequenceRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keyless messages straight from their transactions, as rows that are sent as they are, or as
 * positions that are read first. What is too late or too much is dropped silently: the owner of its
 * partition takes it after the grace. Any thread may add; one at a time does the rest.
 */
public final class Handovers {
  private static final Logger LOG = LoggerFactory.getLogger(Handovers.class);
  private static final int PER_ROUND = 2_000;

  private final RelayContext context;
  private final InFlightWindow inFlight;
  private final Sender sender;
  private final Queue<Row> rows = new ConcurrentLinkedQueue<>();
  private final Queue<Place> places = new ConcurrentLinkedQueue<>();
  private final AtomicInteger count = new AtomicInteger();
  private final AtomicLong bytes = new AtomicLong();
  private final int countMax;
  private final long bytesMax;
  private final long nanosMax;
  private volatile boolean closed;
  private volatile boolean warned;

  /** What was written before it may have the position of another message. */
  private long startedOverNanos;

  /**
   * A row.
   *
   * @param untilNanos from when on it is left to the owner of its partition, which takes it after
   *     the grace, counted from a moment that lies no earlier than the insert
   */
  private record Row(StoredMessage row, long untilNanos) {}

  /** Where a row was written that may be gone. */
  private record Place(Position position, long untilNanos) {}

  Handovers(RelayContext context, InFlightWindow inFlight, Sender sender) {
    this.context = context;
    this.inFlight = inFlight;
    this.sender = sender;
    this.countMax = Math.max(1, context.config().window().recordsMax() / 4);
    this.bytesMax = context.config().window().bytesMax() / 4;
    this.nanosMax = context.config().polling().grace().dividedBy(2).toNanos();
    this.startedOverNanos = context.time().nanoTime() - nanosMax;
  }

  /**
   * Returns whether rows are of the outbox that is relayed here. A position of another one may be
   * that of another message here, which would be deleted unsent. Thread-safe.
   */
  public boolean accepts(CommittedMessages written) {
    UUID own = context.store().source();
    if (Objects.equals(own, written.source())) {
      return true;
    }
    if (!warned) {
      warned = true;
      LOG.warn(
          "Relay {} was handed messages of outbox {} (expected: {}) and leaves them to the relay of"
              + " that outbox: give each outbox the hand-over of its own relay",
          context.config().node(),
          shown(written.source()),
          shown(own));
    }
    return false;
  }

  private static String shown(@Nullable UUID source) {
    return source == null ? "without a source" : source.toString();
  }

  /** Takes a committed row. Thread-safe. */
  public void add(StoredMessage row, Duration sinceWritten) {
    int length = row.message().payload().length;
    boolean fits = bytes.addAndGet(length) <= bytesMax;
    if (count.incrementAndGet() > countMax || !fits || closed) {
      forget(length);
      return;
    }
    rows.add(new Row(row, untilNanos(sinceWritten)));
  }

  /** Takes the position of a row that may be gone. Thread-safe. */
  public void add(Position position, Duration sinceWritten) {
    if (count.incrementAndGet() > countMax || closed) {
      forget(0);
      return;
    }
    places.add(new Place(position, untilNanos(sinceWritten)));
  }

  private long untilNanos(Duration sinceWritten) {
    return context.time().nanoTime() + nanosMax - sinceWritten.toNanos();
  }

  private void forget(int length) {
    count.decrementAndGet();
    bytes.addAndGet(-length);
  }

  /** Takes no more. Thread-safe. */
  public void close() {
    closed = true;
  }

  boolean isEmpty() {
    return rows.isEmpty() && places.isEmpty();
  }

  /** Forgets what was handed over: from now on a position may be that of another message. */
  void startOver() {
    startedOverNanos = context.time().nanoTime();
  }

  /**
   * Hands on what needs no read.
   *
   * @return true if there may be more
   */
  boolean takeRows() {
    for (int taken = 0; taken < PER_ROUND; taken++) {
      Row next = rows.poll();
      if (next == null) {
        return false;
      }
      int length = next.row().message().payload().length;
      forget(length);
      if (isInTime(next.untilNanos())) {
        offer(next.row());
      }
    }
    return true;
  }

  /**
   * Reads rows that may be gone, and hands on those that are there. Blocks for one read.
   *
   * @return true if there may be more
   */
  boolean readPlaces() {
    Map<Position, Long> untilNanos = new HashMap<>();
    boolean more = takePlaces(untilNanos);
    if (!untilNanos.isEmpty()) {
      ReadLimit limit = new ReadLimit(PER_ROUND, bytesMax);
      ReadRows read = context.store().read(spans(untilNanos.keySet()), limit);
      for (StoredMessage row : read.rows()) {
        Long until = untilNanos.get(row.position());
        if (until != null && isInTime(until)) { // the read may have taken long
          offer(row);
        }
      }
    }
    return more;
  }

  private boolean takePlaces(Map<Position, Long> wanted) {
    for (int taken = 0; taken < PER_ROUND; taken++) {
      Place next = places.poll();
      if (next == null) {
        return false;
      }
      forget(0);
      if (isInTime(next.untilNanos())) {
        wanted.put(next.position(), next.untilNanos());
      }
    }
    return true;
  }

  /** One for each partition; others may have rows between. */
  private static List<SequenceRange> spans(Set<Position> wanted) {
    Map<Integer, SequenceRange> spans = new HashMap<>();
    for (Position position : wanted) {
      long sequence = position.sequence();
      spans.merge(
          position.partition(),
          new SequenceRange(position.partition(), sequence - 1, sequence),
          (one, other) ->
              new SequenceRange(
                  one.partition(),
                  Math.min(one.after(), other.after()),
                  Math.max(one.upTo(), other.upTo())));
    }
    return new ArrayList<>(spans.values());
  }

  private boolean isInTime(long untilNanos) {
    boolean ofThisEra = untilNanos - nanosMax - startedOverNanos > 0;
    return ofThisEra && context.time().nanoTime() - untilNanos < 0;
  }

  private void offer(StoredMessage row) {
    if (inFlight.free(row.message().payload().length) > 0) {
      sender.offerHandover(row);
    }
  }
}
