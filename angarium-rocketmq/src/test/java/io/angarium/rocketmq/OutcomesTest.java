package io.angarium.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Destination;
import io.angarium.store.StoredMessage;
import io.angarium.testtransports.Messages;
import io.angarium.testtransports.Results;
import io.angarium.transport.SendResult;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

class OutcomesTest {
  private final AtomicInteger ungiven = new AtomicInteger();
  private final Outcomes outcomes = new Outcomes(ungiven);

  private static StoredMessage message() {
    return Messages.of(new Destination("rocketmq", "t"), null, "x");
  }

  private static Attempt attempt(
      StoredMessage message, BiConsumer<StoredMessage, SendResult> results) {
    return new Attempt(
        message, new RocketAddress("t", ""), "", results, new Caller().call(true), 0);
  }

  @Test
  void anErrorOfAReceiverCostsNoOtherMessageItsResult() {
    Results results = new Results();
    StoredMessage first = message();
    StoredMessage last = message();
    Error error = new StackOverflowError("planted");
    outcomes.add(attempt(first, results), SendResult.ACKNOWLEDGED);
    outcomes.add(
        attempt(
            message(),
            (message, result) -> {
              throw error;
            }),
        SendResult.ACKNOWLEDGED);
    outcomes.add(attempt(last, results), SendResult.ACKNOWLEDGED);

    assertThatThrownBy(outcomes::deliver).isSameAs(error);

    assertThat(results.of(first)).isEqualTo(SendResult.ACKNOWLEDGED);
    assertThat(results.of(last)).isEqualTo(SendResult.ACKNOWLEDGED);
    assertThat(ungiven).hasValue(0);
  }
}
