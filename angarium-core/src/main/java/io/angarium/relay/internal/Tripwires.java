package io.angarium.relay.internal;

import io.angarium.TimeSource;
import io.angarium.relay.settings.RelayListener;
import io.angarium.store.Invariant;
import io.angarium.store.Tripwire;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs broken invariants, each kind once in an hour, and tells the listener of all. Thread-safe.
 */
public final class Tripwires implements Tripwire {
  private static final Logger LOG = LoggerFactory.getLogger(Tripwires.class);
  private static final long QUIET_NANOS = Duration.ofHours(1).toNanos();

  private final RelayListener listener;
  private final TimeSource time;
  private final Map<Invariant, Long> logged = new EnumMap<>(Invariant.class);

  public Tripwires(RelayListener listener, TimeSource time) {
    this.listener = listener;
    this.time = time;
  }

  @Override
  public void broken(Invariant which, String detail) {
    if (isFirst(which)) {
      LOG.error("Invariant {} is broken: {}", which.tag(), detail);
    } else {
      LOG.debug("Invariant {} is broken again: {}", which.tag(), detail);
    }
    listener.invariantBroken(which, detail);
  }

  private synchronized boolean isFirst(Invariant which) {
    long now = time.nanoTime();
    Long last = logged.get(which);
    if (last != null && now - last < QUIET_NANOS) {
      return false;
    }
    logged.put(which, now);
    return true;
  }
}
