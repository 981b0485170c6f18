package io.angarium.benchmarks.angarium;

import io.angarium.Handover;
import io.angarium.benchmarks.arm.ArmSettings;
import io.angarium.benchmarks.arm.Variant;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.JdbcLeaseStore;
import io.angarium.jdbc.JdbcOutboxStore;
import io.angarium.relay.Relay;
import io.angarium.relay.RelayConfig;
import io.angarium.relay.RelayListener;
import io.angarium.transport.Transport;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** The relays of an arm that run. Not thread-safe. */
final class Relays implements AutoCloseable {
  /** None: nothing is sent. */
  static final Relays NONE = new Relays(Handover.NONE, new ArrayDeque<>());

  private final Handover handover;
  private final Deque<AutoCloseable> open;

  private Relays(Handover handover, Deque<AutoCloseable> open) {
    this.handover = handover;
    this.open = open;
  }

  /**
   * @param transport stays open when the relays are closed
   */
  static Relays start(
      JdbcDatabase database, Transport transport, ArmSettings settings, RelayListener listener) {
    Deque<AutoCloseable> open = new ArrayDeque<>();
    Handover first = Handover.NONE;
    for (int i = 0; i < settings.number("relays", 1); i++) {
      JdbcOutboxStore store = database.store();
      JdbcLeaseStore leases = database.leases();
      Relay relay =
          Relay.builder(store, leases)
              .transport(transport)
              .config(config("node-" + i, settings.variant()))
              .listener(listener)
              .build();
      open.push(store);
      open.push(leases);
      open.push(relay);
      relay.start();
      first = i == 0 ? relay : first;
    }
    return new Relays(first, open);
  }

  private static RelayConfig config(String node, Variant variant) {
    RelayConfig defaults = RelayConfig.defaults(node);
    if (variant == Variant.DEFAULTS) {
      return defaults;
    }
    return new RelayConfig(
        node,
        defaults.partitioning(),
        defaults.leasing(),
        defaults.polling(),
        new RelayConfig.Window(50_000, 64L << 20, 10_000, 2_500, Duration.ofMillis(10)),
        defaults.closeTimeout());
  }

  /** Where transactions of this JVM hand over what they committed. */
  Handover handover() {
    return handover;
  }

  @Override
  public void close() {
    for (; !open.isEmpty(); open.pop()) {
      try {
        open.element().close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
