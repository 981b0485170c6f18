package io.angarium.server.kafka;

import io.angarium.kafka.intake.KafkaHalfIntake;
import io.angarium.spring.operate.RelayLifecycle;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/** Takes half messages from Kafka while the server runs, if it shall. Thread-safe. */
public final class KafkaIntakeLifecycle implements SmartLifecycle {
  private final boolean wanted;
  private final Supplier<KafkaHalfIntake> intakes;
  private @Nullable KafkaHalfIntake running;

  public KafkaIntakeLifecycle(boolean wanted, Supplier<KafkaHalfIntake> intakes) {
    this.wanted = wanted;
    this.intakes = intakes;
  }

  @Override
  public synchronized void start() {
    if (wanted && running == null) {
      running = intakes.get();
    }
  }

  @Override
  public synchronized void stop() {
    KafkaHalfIntake intake = running;
    if (intake != null) {
      intake.close();
      running = null;
    }
  }

  /** Records that were taken since it was started. */
  public synchronized long recordsTaken() {
    return running == null ? 0 : running.recordsTaken();
  }

  /** Records since then that are dead letters. */
  public synchronized long recordsRefused() {
    return running == null ? 0 : running.recordsRefused();
  }

  /** Records that are still to be read; NaN while none are. */
  public synchronized double lag() {
    return running == null ? Double.NaN : running.lag();
  }

  /** Why nothing is taken now, though it runs; empty while all is well. */
  public synchronized Optional<String> trouble() {
    return running == null ? Optional.empty() : running.trouble();
  }

  @Override
  public synchronized boolean isRunning() {
    return running != null;
  }

  /** Before the relay stops. */
  @Override
  public int getPhase() {
    return RelayLifecycle.PHASE + 1;
  }
}
