package io.angarium.examples.consoledemo.scene;

import io.angarium.Destination;
import io.angarium.TimeSource;
import io.angarium.board.NodeBoard;
import io.angarium.board.NodeTeller;
import io.angarium.board.SendCounts;
import io.angarium.board.UnreachableProducers;
import io.angarium.intake.Handover;
import io.angarium.intake.Partitioning;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.JdbcLeaseStore;
import io.angarium.jdbc.JdbcOutboxStore;
import io.angarium.operation.OperationRunner;
import io.angarium.relay.Relay;
import io.angarium.relay.settings.CircuitState;
import io.angarium.relay.settings.CircuitTiming;
import io.angarium.relay.settings.DestinationPolicy;
import io.angarium.relay.settings.DestinationPolicy.OnDead;
import io.angarium.relay.settings.RelayConfig;
import java.time.Duration;
import java.util.Map;

/** One node of the shop: a relay with its stores. Thread-safe. */
public final class ShopNode implements AutoCloseable {
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);
  private static final String VERSION = "0.2.0";

  private final JdbcOutboxStore store;
  private final JdbcLeaseStore leases;
  private final Relay relay;
  private final NodeTeller teller;
  private final OperationRunner operations;

  private ShopNode(
      JdbcOutboxStore store,
      JdbcLeaseStore leases,
      Relay relay,
      NodeTeller teller,
      OperationRunner operations) {
    this.store = store;
    this.leases = leases;
    this.relay = relay;
    this.teller = teller;
    this.operations = operations;
  }

  /**
   * Starts a relay of this name, which tells the board what it does, and carries out operations.
   */
  public static ShopNode start(
      JdbcDatabase database,
      NodeBoard board,
      String name,
      BrokerAnswers answers,
      SwitchedRetries retries) {
    SendCounts counts = new SendCounts();
    JdbcOutboxStore store = database.store();
    JdbcLeaseStore leases = database.leases();
    DestinationPolicy goesOn = policy(retries, OnDead.SKIP);
    DestinationPolicy blocks = policy(retries, OnDead.BLOCK_KEY);
    Destination invoices = Destination.parse(Trade.INVOICES);
    Relay relay =
        Relay.builder(store, leases)
            .config(
                new RelayConfig(
                    name,
                    Partitioning.DEFAULTS,
                    RelayConfig.Leasing.DEFAULTS,
                    RelayConfig.Polling.DEFAULTS,
                    RelayConfig.Window.DEFAULTS,
                    CLOSE_TIMEOUT))
            .transport(new DemoTransport("kafka", answers))
            .transport(new DemoTransport("rabbitmq", answers))
            .transport(new DemoTransport("http", answers))
            .pauses(database.pauseStore())
            .listener(counts)
            .policies(destination -> destination.equals(invoices) ? blocks : goesOn)
            .build();
    relay.start();
    NodeTeller teller =
        new NodeTeller(
            board,
            relay::status,
            counts,
            new UnreachableProducers(TimeSource.SYSTEM),
            new NodeTeller.Node("shop", name + ".example.com", VERSION),
            TimeSource.SYSTEM);
    teller.start();
    OperationRunner operations =
        new OperationRunner(database.operationStore(), name, TimeSource.SYSTEM);
    operations.start();
    return new ShopNode(store, leases, relay, teller, operations);
  }

  private static DestinationPolicy policy(SwitchedRetries retries, OnDead onDead) {
    return new DestinationPolicy(retries, onDead, CircuitTiming.DEFAULTS);
  }

  /** Where committed messages are handed to this node. */
  public Handover handover() {
    return relay;
  }

  /** The circuits of the destinations that it sends to. */
  Map<Destination, CircuitState> circuits() {
    return relay.circuits();
  }

  @Override
  public void close() {
    operations.close();
    relay.close();
    teller.close();
    leases.close();
    store.close();
  }
}
