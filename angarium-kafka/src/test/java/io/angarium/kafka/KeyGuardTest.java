package io.angarium.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.TimeSource;
import io.angarium.intake.StoredMessage;
import io.angarium.transport.SendResult.Unavailable;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KeyGuardTest {
  private final KeyGuard guard = new KeyGuard();
  private final StoredMessage first = message("k");
  private final StoredMessage second = message("k");
  private final StoredMessage third = message("k");
  private long number;

  @Test
  void nothingIsBlockedBeforeAFailure() {
    assertThat(guard.blocks(this, first)).isFalse();
  }

  @Test
  void aLaterMessageOfAFailedKeyIsBlocked() {
    guard.failed(attempt(first));

    assertThat(guard.blocks(this, second)).isTrue();
  }

  @Test
  void otherKeysAndKeylessMessagesPass() {
    guard.failed(attempt(first));
    guard.failed(attempt(message(null)));

    assertThat(guard.blocks(this, message("other"))).isFalse();
    assertThat(guard.blocks(this, message(null))).isFalse();
  }

  @Test
  void failedMessagesPassAgainInTheirOrderOnly() {
    KafkaAttempt earlier = attempt(first);
    KafkaAttempt later = attempt(second);
    guard.failed(later);
    guard.failed(earlier);

    assertThat(guard.blocks(this, second)).isTrue();
    assertThat(guard.blocks(this, first)).isFalse();
    assertThat(guard.blocks(this, third)).isTrue();
    assertThat(guard.blocks(this, second)).isFalse();
    assertThat(guard.blocks(this, third)).isFalse();
  }

  @Test
  void isForgottenWhenACallEndsAfterTheResultWasGiven() {
    KafkaAttempt attempt = attempt(first);
    guard.failed(attempt);
    guard.callEnded(this, List.of(third));
    assertThat(guard.blocks(this, second)).as("result not given yet").isTrue();

    attempt.decide(new Unavailable("test", null));
    guard.callEnded(this, List.of(third));

    assertThat(guard.blocks(this, second)).isFalse();
  }

  @Test
  void aCallWithoutKeysForgetsNothing() {
    KafkaAttempt attempt = attempt(first);
    guard.failed(attempt);
    attempt.decide(new Unavailable("test", null));

    guard.callEnded(this, List.of(message(null)));

    assertThat(guard.blocks(this, second)).isTrue();
  }

  @Test
  void aSecondFailureKeepsTheTurn() {
    guard.failed(attempt(first));
    guard.failed(attempt(second));
    assertThat(guard.blocks(this, first)).isFalse();
    guard.failed(attempt(first));

    assertThat(guard.blocks(this, second)).isTrue();
    assertThat(guard.blocks(this, first)).isFalse();
    assertThat(guard.blocks(this, second)).isFalse();
  }

  @Test
  void isNotForgottenBeforeAllResultsOfTheKeyWereGiven() {
    KafkaAttempt seen = attempt(first);
    KafkaAttempt unseen = attempt(second);
    guard.failed(seen);
    guard.failed(unseen);
    seen.decide(new Unavailable("test", null));
    guard.callEnded(this, List.of(third));

    assertThat(guard.blocks(this, second)).isTrue();
    assertThat(guard.blocks(this, first)).isFalse();
  }

  @Test
  void forgetsNothingWhileAProducerIsEnding() {
    guard.producerEnding();
    KafkaAttempt seen = attempt(first);
    guard.failed(seen);
    seen.decide(new Unavailable("test", null));
    guard.callEnded(this, List.of(third));
    guard.failed(attempt(second));

    assertThat(guard.blocks(this, second)).isTrue();
    assertThat(guard.blocks(this, first)).isFalse();
    assertThat(guard.blocks(this, second)).isFalse();

    guard.producerEnded();
    guard.callEnded(this, List.of(third));
    assertThat(guard.blocks(this, third)).isFalse();
  }

  /** A call of another relay says nothing of what this one has seen. */
  @Test
  void callOfAnotherCallerForgetsNothingOfThisOne() {
    Object other = new Object();
    KafkaAttempt attempt = attempt(first);
    guard.failed(attempt);
    attempt.decide(new Unavailable("test", null));

    guard.callEnded(other, List.of(third));

    assertThat(guard.blocks(this, second)).isTrue();
    assertThat(guard.blocks(other, second)).isFalse();
    guard.callEnded(this, List.of(third));
    assertThat(guard.blocks(this, second)).isFalse();
  }

  private KafkaAttempt attempt(StoredMessage message) {
    ProducerLine lane =
        new ProducerLine(
            "test",
            false,
            () -> {
              throw new IllegalStateException("no producer is needed");
            },
            new ProducerLine.Surroundings(
                null,
                guard,
                null,
                Duration.ZERO,
                Duration.ofSeconds(1),
                TimeSource.SYSTEM,
                () -> {}),
            0);
    return new KafkaAttempt(this, message, (m, r) -> {}, new KafkaTopic("t", lane), ++number, 0);
  }

  private static StoredMessage message(@Nullable String key) {
    return Messages.of("t", key, "x");
  }
}
