package io.angarium.relay.internal.settings;

import io.angarium.Destination;
import io.angarium.TimeSource;
import io.angarium.relay.settings.DestinationPolicy;
import io.angarium.relay.settings.RelayConfig;
import io.angarium.relay.settings.RelayListener;
import io.angarium.store.OutboxStore;
import io.angarium.store.Tripwire;
import java.util.function.Function;

/** What every part of a relay works with. Immutable. */
public record RelayContext(
    OutboxStore store,
    RelayConfig config,
    Function<Destination, DestinationPolicy> policies,
    RelayListener listener,
    TimeSource time,
    Tripwire tripwire) {}
