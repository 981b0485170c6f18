package io.angarium.relay.internal.flight;

import io.angarium.Destination;
import io.angarium.relay.settings.RelayConfig;
import io.angarium.transport.Transport;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The parts of the window that each of several transports may have, so that one whose broker is
 * silent cannot take all of it from the others. A transport alone has no share: it has the window.
 * Not thread-safe: one thread at a time.
 *
 * <p>Reads stop for a share that is full, as for a full window; a broker that works soon makes room
 * again. One that does not is waited for no longer: reads go on, what they find for it is held
 * back, and read again once half of its share is free.
 */
public final class TransportQuotas {
  private final Transports transports;
  private final Map<Transport, TransportQuota> byTransport = new HashMap<>();
  private @Nullable Destination lastDestination;
  private @Nullable TransportQuota lastShare;

  public TransportQuotas(Transports transports, RelayConfig.Window window) {
    this.transports = transports;
    int count = transports.all().size();
    if (count > 1) {
      int records = Math.max(1, window.recordsMax() / count);
      long bytes = Math.max(1, window.bytesMax() / count);
      transports.all().forEach(each -> byTransport.put(each, new TransportQuota(records, bytes)));
    }
  }

  /** The share that messages of a destination count for; null for none. */
  @SuppressWarnings("ReferenceEquality") // only saves two looks into maps
  @Nullable TransportQuota of(Destination destination) {
    if (byTransport.isEmpty()) {
      return null;
    }
    if (destination != lastDestination) {
      lastShare = byTransport.get(transports.of(destination));
      lastDestination = destination;
    }
    return lastShare;
  }

  /** True if a destination's share is full. */
  public boolean isFull(Destination destination) {
    TransportQuota share = of(destination);
    return share != null && share.isFull();
  }

  /** True if a destination's share is full; then it is remembered as held back. */
  public boolean holdsBack(Destination destination) {
    TransportQuota share = of(destination);
    if (share == null || !share.isFull()) {
      return false;
    }
    share.hold(destination);
    return true;
  }

  /** True if messages of a destination were held back and are not to be read again yet. */
  public boolean holds(Destination destination) {
    TransportQuota share = of(destination);
    return share != null && share.holds(destination);
  }

  /**
   * Messages of a size that may be read for all shares that are waited for; 0 if one of them is
   * nearly full.
   */
  public int free(long bytesEach, long nowNanos) {
    int free = Integer.MAX_VALUE;
    for (TransportQuota share : byTransport.values()) {
      free = Math.min(free, share.free(bytesEach, nowNanos));
    }
    return free;
  }

  /** Destinations that were held back and are to be read again; they are forgotten here. */
  public Collection<Destination> takeResumed() {
    if (byTransport.isEmpty()) {
      return List.of();
    }
    List<Destination> resumed = new ArrayList<>();
    byTransport.values().forEach(share -> share.resume(resumed));
    return resumed;
  }
}
