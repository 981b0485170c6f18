package io.angarium.relay.internal.send;

import io.angarium.Destination;
import io.angarium.relay.internal.flight.Transports;
import io.angarium.relay.settings.DestinationPolicy;
import io.angarium.transport.KeyOrder;
import io.angarium.transport.Transport;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The destinations to which messages of a key go one by one, found out once for each. Not
 * thread-safe: one thread at a time.
 */
final class ChainedDestinations {
  /** So many answers are remembered; then it begins anew. */
  static final int KEPT_MAX = 10_000;

  private final Function<Destination, DestinationPolicy> policies;
  private final Transports transports;
  private final Map<Destination, Boolean> chained = new HashMap<>();

  /** Neighbours mostly have the same destination. */
  private @Nullable Destination last;

  private boolean lastChained;

  ChainedDestinations(Function<Destination, DestinationPolicy> policies, Transports transports) {
    this.policies = policies;
    this.transports = transports;
  }

  @SuppressWarnings("ReferenceEquality") // only saves a look into the map
  boolean contains(Destination destination) {
    if (destination == last) {
      return lastChained;
    }
    lastChained = isChained(destination);
    last = destination;
    return lastChained;
  }

  private boolean isChained(Destination destination) {
    Boolean known = chained.get(destination);
    if (known != null) {
      return known;
    }
    if (chained.size() >= KEPT_MAX) {
      chained.clear();
    }
    boolean decided = decide(destination);
    chained.put(destination, decided);
    return decided;
  }

  private boolean decide(Destination destination) {
    Transport transport = transports.of(destination);
    return transport == null
        || transport.keyOrder() == KeyOrder.CHAINED
        || policies.apply(destination).onDead() == DestinationPolicy.OnDead.BLOCK_KEY;
  }

  /** Answers remembered. */
  int size() {
    return chained.size();
  }
}
