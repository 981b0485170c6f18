package io.angarium.spring.autoconfigure.internal.run;

import io.angarium.board.NodeTeller;
import io.angarium.relay.Relay;
import io.angarium.spring.operate.RelayLifecycle;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * Tells the node board what the relay does, from its start until it has stopped. What it cannot
 * tell does not concern the health of the application. Thread-safe.
 */
public final class NodeTellerLifecycle implements SmartLifecycle, Consumer<Relay> {
  private final Function<Relay, NodeTeller> tellers;
  private @Nullable NodeTeller running;

  /**
   * Creates a lifecycle; starts nothing.
   *
   * @param tellers makes one for each relay
   */
  public NodeTellerLifecycle(Function<Relay, NodeTeller> tellers) {
    this.tellers = tellers;
  }

  /** A relay begins. */
  @Override
  public synchronized void accept(Relay relay) {
    stop();
    NodeTeller teller = tellers.apply(relay);
    teller.start();
    running = teller;
  }

  /** Does nothing: it starts with the relay. */
  @Override
  public void start() {}

  @Override
  public synchronized void stop() {
    NodeTeller teller = running;
    if (teller != null) {
      teller.close();
      running = null;
    }
  }

  @Override
  public synchronized boolean isRunning() {
    return running != null;
  }

  /** Stops after the relay. */
  @Override
  public int getPhase() {
    return RelayLifecycle.PHASE - 1;
  }
}
