package io.angarium.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.transport.SendResult;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeferredResultsTest {
  private final List<String> found = new ArrayList<>();
  private final List<String> given = new ArrayList<>();
  private final Error error = new StackOverflowError("planted");
  private final DeferredResults<String> results =
      new DeferredResults<>((attempt, result) -> found.add(attempt), this::give);

  private void give(String attempt, SendResult result) {
    if (attempt.startsWith("bad")) {
      throw error;
    }
    given.add(attempt);
  }

  @Test
  void aResultIsNotedAtOnceAndGivenLaterOnce() {
    results.add("a", SendResult.ACKNOWLEDGED);
    assertThat(found).containsExactly("a");
    assertThat(given).isEmpty();

    results.deliver();
    results.deliver();

    assertThat(given).containsExactly("a");
  }

  @Test
  void anErrorOfAReceiverCostsNoOtherAttemptItsResult() {
    results.add("a", SendResult.ACKNOWLEDGED);
    results.add("bad 1", SendResult.ACKNOWLEDGED);
    results.add("bad 2", SendResult.ACKNOWLEDGED);
    results.add("b", SendResult.ACKNOWLEDGED);

    assertThatThrownBy(results::deliver).isSameAs(error);

    assertThat(given).containsExactly("a", "b");
  }

  @Test
  void whatIsNotGivenYetIsCounted() {
    UngivenResults<String> ungiven = new UngivenResults<>(this::give);
    DeferredResults<String> some = ungiven.deferred();
    assertThat(ungiven.areNone()).isTrue();
    some.add("a", SendResult.ACKNOWLEDGED);
    some.add("bad", SendResult.ACKNOWLEDGED);
    assertThat(ungiven.areNone()).isFalse();

    assertThatThrownBy(some::deliver).isSameAs(error);

    assertThat(ungiven.areNone()).isTrue();
  }
}
