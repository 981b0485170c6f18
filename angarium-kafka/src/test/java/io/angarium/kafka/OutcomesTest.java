package io.angarium.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.store.StoredMessage;
import io.angarium.testtransports.Results;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Refused;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

class OutcomesTest {
  private final Outcomes outcomes = new Outcomes(new KeyGuard());
  private final Refused refused = new Refused("planned", null);

  @Test
  void anErrorOfAReceiverCostsNoOtherMessageItsResult() {
    Results results = new Results();
    StoredMessage first = Messages.of("t", "k", "x");
    StoredMessage last = Messages.of("t", "k", "x");
    Error error = new StackOverflowError("planted");
    add(first, results);
    add(
        Messages.of("t", "k", "x"),
        (message, result) -> {
          throw error;
        });
    add(last, results);

    assertThatThrownBy(outcomes::deliver).isSameAs(error);

    assertThat(results.of(first)).isEqualTo(refused);
    assertThat(results.of(last)).isEqualTo(refused);
  }

  private void add(StoredMessage message, BiConsumer<StoredMessage, SendResult> results) {
    outcomes.add(new Attempt(this, message, results, new Topic("t", null), 1, 0), refused);
  }
}
