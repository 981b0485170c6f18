package io.angarium.examples.consoledemo.scene;

import io.angarium.relay.settings.RetryPolicy;
import java.time.Duration;
import java.util.Optional;

/**
 * Retries of the shop: few and quick ones while dead letters are made, then patient ones, so that a
 * key stands still for as long as somebody watches it. Thread-safe.
 */
public final class SwitchedRetries implements RetryPolicy {
  private static final Duration QUICK = Duration.ofMillis(200);
  private static final Duration PATIENT_FIRST = Duration.ofSeconds(2);
  private static final int DOUBLINGS_MAX = 4;

  private volatile boolean patient;

  /** Retries for ever from now on, every half minute at last. */
  void becomePatient() {
    patient = true;
  }

  @Override
  public Optional<Duration> pause(int failures) {
    if (failures < 1) {
      throw new IllegalArgumentException("failures: " + failures + " (expected: at least 1)");
    }
    if (patient) {
      int doublings = Math.min(failures - 1, DOUBLINGS_MAX);
      return Optional.of(PATIENT_FIRST.multipliedBy(1L << doublings));
    }
    return failures < BrokerAnswers.COUNT_FAILURES ? Optional.of(QUICK) : Optional.empty();
  }
}
