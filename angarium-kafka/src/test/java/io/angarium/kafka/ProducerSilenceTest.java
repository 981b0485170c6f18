package io.angarium.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProducerSilenceTest {
  private static final Duration HOLD = Duration.ofSeconds(2);
  private static final Duration TICK = Duration.ofMillis(5); // as often as upkeep asks

  private final ProducerSilence silence = new ProducerSilence(HOLD);

  /** Asks without an answer as often as it may; gives how often that was. */
  private int ask(Duration from, Duration to) {
    int asked = 0;
    for (long now = from.toNanos(); now < to.toNanos(); now += TICK.toNanos()) {
      if (silence.mayAsk(now)) {
        silence.asked(true, now);
        asked++;
      }
    }
    return asked;
  }

  @Test
  void asksMoreSeldomTheLongerNobodyAnswers() {
    assertThat(ask(Duration.ZERO, Duration.ofMillis(50))).isBetween(4, 8);
    assertThat(ask(Duration.ofMillis(50), Duration.ofSeconds(2))).isBetween(6, 10);
    assertThat(ask(Duration.ofSeconds(2), Duration.ofSeconds(12))).isBetween(9, 11);
  }

  @Test
  void aLongTimeWithoutAQuestionBeginsANewSilence() {
    ask(Duration.ZERO, HOLD);
    Duration later = Duration.ofMinutes(1);
    assertThat(ask(later, later.plusMillis(50))).isBetween(4, 8);
  }

  @Test
  void aNewProducerIsAskedAtOnce() {
    ask(Duration.ZERO, HOLD);
    silence.forget();
    assertThat(ask(HOLD, HOLD.plusMillis(50))).isBetween(4, 8);
  }

  @Test
  void anAnswerEndsTheSilence() {
    ask(Duration.ZERO, HOLD);
    silence.asked(false, HOLD.toNanos());
    assertThat(ask(HOLD, HOLD.plus(TICK.multipliedBy(2)))).isEqualTo(2);
  }
}
