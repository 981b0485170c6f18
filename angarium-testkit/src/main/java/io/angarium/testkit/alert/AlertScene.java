package io.angarium.testkit.alert;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.alert.Alert;
import io.angarium.alert.AlertKey;
import io.angarium.alert.AlertState;
import io.angarium.alert.AlertStore.Turn;
import io.angarium.alert.Severity;
import io.angarium.alert.Told;
import io.angarium.desk.ActBy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** What tests of alerts have in common. */
public final class AlertScene {
  /** Longer than any test. */
  static final Duration LEASE = Duration.ofMinutes(1);

  /** What is as hostile as a subject can be. */
  static final AlertKey KEY = new AlertKey("circuit-open", "kafka:o'r\"d\\e;rs--😀");

  /** A time that databases store exactly. */
  static final Instant SINCE = Instant.parse("2026-11-29T01:02:03.456789Z");

  /** Somebody. */
  static final ActBy ADA = ActBy.of("ada", "the broker restarts", ActBy.Via.PAGE);

  private static final int SECONDS_MAX = 30;

  private final AlertFixture fixture;

  AlertScene(AlertFixture fixture) {
    this.fixture = fixture;
  }

  /** The turn of node a. */
  Turn turn() {
    return Objects.requireNonNull(fixture.store().begin("a", LEASE));
  }

  static Alert alert(AlertKey key, AlertState state) {
    return alert(key, state, "It's \"open\" 😀");
  }

  static Alert alert(AlertKey key, AlertState state, String text) {
    return new Alert(key, state, Severity.CRITICAL, 1.5, text, 3, SINCE, null, null, null);
  }

  /** Saves the alert of {@link #KEY}. */
  Alert saved(AlertState state) {
    Alert alert = alert(KEY, state);
    assertThat(fixture.store().save(turn(), List.of(alert), List.of())).isTrue();
    return alert;
  }

  static Told told(String channel, Told.What what, @Nullable String failure) {
    return told(KEY, channel, what, failure);
  }

  static Told told(AlertKey key, String channel, Told.What what, @Nullable String failure) {
    return new Told(key, channel, what, 3, Severity.CRITICAL, SINCE, failure);
  }

  /** Runs two calls at the same time. */
  static List<Boolean> together(BooleanSupplier first, BooleanSupplier second) {
    CyclicBarrier start = new CyclicBarrier(2);
    FutureTask<Boolean> other =
        new FutureTask<>(
            () -> {
              start.await(SECONDS_MAX, TimeUnit.SECONDS);
              return second.getAsBoolean();
            });
    new Thread(other, "other-caller").start();
    try {
      start.await(SECONDS_MAX, TimeUnit.SECONDS);
      boolean mine = first.getAsBoolean();
      return List.of(mine, other.get(SECONDS_MAX, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    } catch (ExecutionException | TimeoutException | BrokenBarrierException e) {
      throw new AssertionError("The other call failed", e);
    }
  }
}
