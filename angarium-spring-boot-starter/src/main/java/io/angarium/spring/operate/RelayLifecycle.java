package io.angarium.spring.operate;

import io.angarium.intake.CommittedMessages;
import io.angarium.intake.Handover;
import io.angarium.intake.Partitioning;
import io.angarium.relay.Relay;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * Starts the relay before the web server takes requests, and stops it after the last request and
 * before the data source closes, so that messages of the last requests are still sent. A context
 * that starts again gets a new relay. Thread-safe.
 */
public final class RelayLifecycle implements SmartLifecycle, Handover {
  /** Below the phases in which web servers stop. */
  public static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 4096;

  private final Supplier<Relay> relays;
  private volatile @Nullable Relay running;

  /**
   * Creates a lifecycle; starts nothing.
   *
   * @param relays makes a new relay for each start
   */
  public RelayLifecycle(Supplier<Relay> relays) {
    this.relays = relays;
  }

  @Override
  public synchronized void start() {
    if (running == null) {
      Relay relay = relays.get();
      relay.start();
      running = relay;
    }
  }

  /** Blocks until the relay has drained, at most its close timeout. */
  @Override
  public synchronized void stop() {
    Relay relay = running;
    if (relay != null) {
      relay.close();
      running = null;
    }
  }

  @Override
  public boolean isRunning() {
    return running != null;
  }

  @Override
  public int getPhase() {
    return PHASE;
  }

  /** The relay that runs now; empty before the start and after the stop. */
  public Optional<Relay> relay() {
    return Optional.ofNullable(running);
  }

  @Override
  public void committed(CommittedMessages written, Duration sinceWritten) {
    current().committed(written, sinceWritten);
  }

  @Override
  public int keylessPartition(Partitioning partitioning, long random) {
    return current().keylessPartition(partitioning, random);
  }

  private Handover current() {
    Relay relay = running;
    return relay == null ? Handover.NONE : relay;
  }
}
