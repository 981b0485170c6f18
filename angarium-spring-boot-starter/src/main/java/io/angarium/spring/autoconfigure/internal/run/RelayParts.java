package io.angarium.spring.autoconfigure.internal.run;

import io.angarium.Destination;
import io.angarium.TimeSource;
import io.angarium.pause.PauseStore;
import io.angarium.relay.Relay;
import io.angarium.relay.settings.DestinationPolicy;
import io.angarium.relay.settings.RelayConfig;
import io.angarium.relay.settings.RelayListener;
import io.angarium.store.OutboxStore;
import io.angarium.store.lease.LeaseStore;
import io.angarium.transport.Transport;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a relay is made of. Immutable.
 *
 * @param pauses asked for each new relay: the pauses of the database; empty if it has no tables for
 *     them
 * @param watchers told of every new relay
 */
public record RelayParts(
    OutboxStore store,
    LeaseStore leases,
    RelayConfig config,
    List<Transport> transports,
    @Nullable String defaultTransport,
    List<RelayListener> listeners,
    Function<Destination, DestinationPolicy> policies,
    TimeSource time,
    Supplier<Optional<PauseStore>> pauses,
    List<Consumer<Relay>> watchers) {

  /**
   * A new relay, not started.
   *
   * @throws io.angarium.ConfigurationException if the transports are none, or not as expected
   */
  public Relay relay() {
    Relay.Builder builder =
        Relay.builder(store, leases)
            .config(config)
            .defaultTransport(defaultTransport)
            .policies(policies)
            .time(time);
    transports.forEach(builder::transport);
    listeners.forEach(builder::listener);
    pauses.get().ifPresent(builder::pauses);
    Relay relay = builder.build();
    watchers.forEach(watcher -> watcher.accept(relay));
    return relay;
  }
}
