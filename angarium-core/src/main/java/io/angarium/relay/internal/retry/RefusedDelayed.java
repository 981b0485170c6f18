package io.angarium.relay.internal.retry;

import io.angarium.relay.internal.settings.RelayContext;
import io.angarium.store.WriteRefusedException;
import io.angarium.store.lease.Lease;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Partitions whose delayed messages the database refuses to move into the outbox. They are tried
 * again after a pause, so that everything else goes on. Thread-safe.
 */
final class RefusedDelayed {
  private static final Logger LOG = LoggerFactory.getLogger(RefusedDelayed.class);
  private static final long PAUSE_NANOS = Duration.ofSeconds(30).toNanos();

  private final RelayContext context;
  private final Map<Lease, Long> retryAtNanos = new ConcurrentHashMap<>();

  RefusedDelayed(RelayContext context) {
    this.context = context;
  }

  void refused(Lease lease, WriteRefusedException cause) {
    context.listener().storeFailed("move delayed messages", cause);
    if (retryAtNanos.put(lease, context.time().nanoTime() + PAUSE_NANOS) == null) {
      LOG.error(
          "The database refuses to move delayed messages of partition {} into the outbox: {} They"
              + " wait, all else goes on. Mend what the error names; it is tried again within a"
              + " minute.",
          lease.partition(),
          cause.getMessage());
    }
  }

  void taken(Lease lease) {
    retryAtNanos.remove(lease);
  }

  /** Forgets partitions that others own now. */
  void keep(Collection<Lease> owned) {
    retryAtNanos.keySet().retainAll(owned);
  }

  /** True while a partition is not to be tried. */
  boolean rests(Lease lease) {
    Long at = retryAtNanos.get(lease);
    return at != null && context.time().nanoTime() - at < 0;
  }

  boolean isEmpty() {
    return retryAtNanos.isEmpty();
  }
}
