package io.angarium.benchmarks.angarium;

import io.angarium.benchmarks.arm.ArmSettings;
import io.angarium.benchmarks.arm.Variant;
import io.angarium.intake.CommittedMessages;
import io.angarium.intake.Handover;
import io.angarium.intake.Partitioning;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.JdbcLeaseStore;
import io.angarium.jdbc.JdbcOutboxStore;
import io.angarium.relay.Relay;
import io.angarium.relay.settings.RelayConfig;
import io.angarium.relay.settings.RelayListener;
import io.angarium.transport.Transport;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;

/** The relays of an arm that run. Not thread-safe. */
final class Relays implements AutoCloseable {
  /** None: nothing is sent. */
  static final Relays NONE = new Relays(List.of(Handover.NONE), new ArrayDeque<>());

  private final List<Handover> handovers;
  private final Deque<AutoCloseable> open;

  private Relays(List<Handover> handovers, Deque<AutoCloseable> open) {
    this.handovers = handovers;
    this.open = open;
  }

  /**
   * @param transport stays open when the relays are closed
   */
  static Relays start(
      JdbcDatabase database, Transport transport, ArmSettings settings, RelayListener listener) {
    Deque<AutoCloseable> open = new ArrayDeque<>();
    List<Handover> relays = new ArrayList<>();
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
      relays.add(relay);
    }
    boolean apart = settings.number("apart", 0) > 0;
    return new Relays(apart ? relays : List.of(new AllRelays(relays)), open);
  }

  /** Tells each relay: what others committed is found by a poll otherwise, which is left out. */
  private record AllRelays(List<Handover> relays) implements Handover {
    @Override
    public void committed(CommittedMessages written, Duration sinceWritten) {
      CommittedMessages keyed =
          new CommittedMessages(written.keyedPartitions(), List.of(), Set.of(), written.source());
      for (int i = 0; i < relays.size(); i++) {
        relays.get(i).committed(i == 0 ? written : keyed, sinceWritten);
      }
    }

    @Override
    public int keylessPartition(Partitioning partitioning, long random) {
      return relays.get(0).keylessPartition(partitioning, random);
    }
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

  /** Where transactions of this JVM hand over what they committed; several if they take turns. */
  List<Handover> handovers() {
    return handovers;
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
