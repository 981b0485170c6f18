package io.angarium.micrometer;

import io.angarium.half.HalfState;
import io.angarium.half.Refusal;
import io.angarium.half.Verdict;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The meters of one business of half messages, all registered at once: a series that starts at zero
 * lets a query see the first increase. Thread-safe.
 */
final class BusinessMeters {
  private final Counter prepared;
  private final Map<HalfState, Timer> decided = new EnumMap<>(HalfState.class);
  private final Map<Refusal, Counter> refused = new EnumMap<>(Refusal.class);
  private final Map<Verdict, Counter> checks = new EnumMap<>(Verdict.class);
  private final Counter givenUp;

  BusinessMeters(Registration meters, String tag) {
    this.prepared = meters.counter(OutboxMeter.HALF_PREPARED, tag);
    for (HalfState state : HalfState.values()) {
      if (state.isFinal()) {
        decided.put(state, meters.timer(OutboxMeter.HALF_DECIDED, tag, text(state)));
      }
    }
    for (Refusal refusal : Refusal.values()) {
      refused.put(refusal, meters.counter(OutboxMeter.HALF_REFUSED, tag, text(refusal)));
    }
    for (Verdict verdict : Verdict.values()) {
      checks.put(verdict, meters.counter(OutboxMeter.HALF_CHECKS, tag, text(verdict)));
    }
    this.givenUp = meters.counter(OutboxMeter.HALF_GIVEN_UP, tag);
  }

  private static String text(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  /** A message is there: stored, or sent at once as its commit came before it. */
  void prepared() {
    prepared.increment();
  }

  void decided(HalfState outcome, Duration age) {
    Timer timer = decided.get(outcome);
    if (timer != null) {
      timer.record(age);
    }
  }

  void refused(Refusal refusal) {
    increment(refused.get(refusal));
  }

  void checked(Verdict verdict) {
    increment(checks.get(verdict));
  }

  private static void increment(@Nullable Counter counter) {
    if (counter != null) {
      counter.increment();
    }
  }

  void givenUp() {
    givenUp.increment();
  }
}
