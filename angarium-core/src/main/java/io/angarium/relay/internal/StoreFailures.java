package io.angarium.relay.internal;

import io.angarium.TimeSource;
import io.angarium.relay.settings.RelayListener;
import io.angarium.relay.status.RelayStatus.StoreFailure;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Remembers the last failure of the database and counts the ones of some minutes. Thread-safe. */
public final class StoreFailures implements RelayListener {
  private static final long MINUTE_NANOS = Duration.ofMinutes(1).toNanos();

  private final TimeSource time;
  private final long startNanos;
  private final int[] counts = new int[StoreFailure.RECENT_MINUTES];
  private long minute;
  private @Nullable String task;
  private String text = "";
  private Instant at = Instant.EPOCH;

  public StoreFailures(TimeSource time) {
    this.time = time;
    this.startNanos = time.nanoTime();
  }

  @Override
  public synchronized void storeFailed(String tried, RuntimeException cause) {
    forget();
    counts[(int) (minute % counts.length)]++;
    task = tried;
    text = String.valueOf(cause.getMessage());
    at = time.instant();
  }

  /** The last one; null if there was none. */
  synchronized @Nullable StoreFailure last() {
    if (task == null) {
      return null;
    }
    forget();
    int recent = 0;
    for (int count : counts) {
      recent += count;
    }
    return new StoreFailure(task, text, at, recent);
  }

  /** Empties the minutes that have begun since. */
  private void forget() {
    long now = (time.nanoTime() - startNanos) / MINUTE_NANOS;
    long from = Math.max(minute + 1, now - counts.length + 1);
    for (long begun = from; begun <= now; begun++) {
      counts[(int) (begun % counts.length)] = 0;
    }
    minute = Math.max(minute, now);
  }
}
