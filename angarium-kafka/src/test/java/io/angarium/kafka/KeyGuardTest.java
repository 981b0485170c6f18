package io.angarium.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.store.StoredMessage;
import io.angarium.transport.SendResult.Unavailable;
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
    assertThat(guard.blocks(first)).isFalse();
  }

  @Test
  void aLaterMessageOfAFailedKeyIsBlocked() {
    guard.failed(attempt(first));

    assertThat(guard.blocks(second)).isTrue();
  }

  @Test
  void otherKeysAndKeylessMessagesPass() {
    guard.failed(attempt(first));
    guard.failed(attempt(message(null)));

    assertThat(guard.blocks(message("other"))).isFalse();
    assertThat(guard.blocks(message(null))).isFalse();
  }

  @Test
  void failedMessagesPassAgainInTheirOrderOnly() {
    Attempt earlier = attempt(first);
    Attempt later = attempt(second);
    guard.failed(later);
    guard.failed(earlier);

    assertThat(guard.blocks(second)).isTrue();
    assertThat(guard.blocks(first)).isFalse();
    assertThat(guard.blocks(third)).isTrue();
    assertThat(guard.blocks(second)).isFalse();
    assertThat(guard.blocks(third)).isFalse();
  }

  @Test
  void isForgottenWhenACallEndsAfterTheResultWasGiven() {
    Attempt attempt = attempt(first);
    guard.failed(attempt);
    guard.callEnded(List.of(third));
    assertThat(guard.blocks(second)).as("result not given yet").isTrue();

    attempt.decide(new Unavailable("test", null));
    guard.callEnded(List.of(third));

    assertThat(guard.blocks(second)).isFalse();
  }

  @Test
  void aCallWithoutKeysForgetsNothing() {
    Attempt attempt = attempt(first);
    guard.failed(attempt);
    attempt.decide(new Unavailable("test", null));

    guard.callEnded(List.of(message(null)));

    assertThat(guard.blocks(second)).isTrue();
  }

  @Test
  void aSecondFailureKeepsTheTurn() {
    guard.failed(attempt(first));
    guard.failed(attempt(second));
    assertThat(guard.blocks(first)).isFalse();
    guard.failed(attempt(first));

    assertThat(guard.blocks(second)).isTrue();
    assertThat(guard.blocks(first)).isFalse();
    assertThat(guard.blocks(second)).isFalse();
  }

  @Test
  void isNotForgottenBeforeAllResultsOfTheKeyWereGiven() {
    Attempt seen = attempt(first);
    Attempt unseen = attempt(second);
    guard.failed(seen);
    guard.failed(unseen);
    seen.decide(new Unavailable("test", null));
    guard.callEnded(List.of(third));

    assertThat(guard.blocks(second)).isTrue();
    assertThat(guard.blocks(first)).isFalse();
  }

  @Test
  void forgetsNothingWhileAProducerIsEnding() {
    guard.producerEnding();
    Attempt seen = attempt(first);
    guard.failed(seen);
    seen.decide(new Unavailable("test", null));
    guard.callEnded(List.of(third));
    guard.failed(attempt(second));

    assertThat(guard.blocks(second)).isTrue();
    assertThat(guard.blocks(first)).isFalse();
    assertThat(guard.blocks(second)).isFalse();

    guard.producerEnded();
    guard.callEnded(List.of(third));
    assertThat(guard.blocks(third)).isFalse();
  }

  private Attempt attempt(StoredMessage message) {
    Lane lane =
        new Lane(
            "test",
            false,
            () -> {
              throw new IllegalStateException("no producer is needed");
            },
            null,
            0);
    return new Attempt(message, (m, r) -> {}, new Topic("t", lane), ++number, 0);
  }

  private static StoredMessage message(@Nullable String key) {
    return Messages.of("t", key, "x");
  }
}
