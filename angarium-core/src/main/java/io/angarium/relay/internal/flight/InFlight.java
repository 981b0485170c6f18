package io.angarium.relay.internal.flight;

import io.angarium.Destination;
import io.angarium.intake.StoredMessage;
import io.angarium.relay.settings.Route;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A message between its read and the end of its row: sent, waiting its turn, or acknowledged and
 * not yet deleted. Not thread-safe: one thread at a time.
 */
public final class InFlight {
  public final StoredMessage row;

  // Of the row, taken while it is at hand: when its result comes, it has long left the caches of
  // the processor, and each of its parts would be fetched from memory.
  public final Destination destination;
  private final int bytes;
  private final long writtenMicros;

  public final Source source;
  public final Route route;

  /** The key it is in flight under; null while it waits, or without a key. */
  public @Nullable KeyState key;

  /** What it counts for; null if there is only one transport. */
  public @Nullable TransportQuota share;

  /** True if it is sent to a transport that this node lacks, which says nothing of the node. */
  public boolean withoutTransport;

  /** True once its result was taken; a transport that gives a second one is ignored. */
  public boolean resolved;

  /** True once its position may be that of another message: it was read in an earlier era. */
  public boolean disowned;

  /** True once the broker has it, until its row leaves the parked list. */
  public boolean unsettled;

  /** True if it is not handed over, because the broker acknowledged it in an earlier era. */
  public boolean sentBefore;

  /** Where the row is and who may write it. */
  public enum Source {
    /** In the outbox; read by the owner of its partition. */
    OUTBOX,
    /** In the outbox; handed over by its own transaction, perhaps in another owner's partition. */
    HANDOVER,
    /** In the parked list; sent again. */
    PARKED
  }

  public InFlight(StoredMessage row, Source source, Route route) {
    this.row = row;
    this.destination = row.message().destination();
    this.bytes = row.message().payload().length;
    this.writtenMicros = micros(row.createdAt());
    this.source = source;
    this.route = route;
  }

  int bytes() {
    return bytes;
  }

  /** How long ago it was written, to the microsecond; nothing if the clocks disagree. */
  public Duration age(Instant now) {
    return Duration.of(Math.max(0, micros(now) - writtenMicros), ChronoUnit.MICROS);
  }

  // to the end of year 9999, and not wrong after that
  private static long micros(Instant time) {
    return TimeUnit.SECONDS.toMicros(time.getEpochSecond())
        + TimeUnit.NANOSECONDS.toMicros(time.getNano());
  }
}
