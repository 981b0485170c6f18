package io.angarium.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class CircuitTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final Circuit circuit =
      new Circuit(new CircuitTiming(Duration.ofSeconds(1), Duration.ofSeconds(4)));

  private void open(long now) {
    assertThat(circuit.permit()).isTrue();
    circuit.unavailable(now);
  }

  @Test
  void opensAtTheFirstUnavailableAndProbesWithOneMessage() {
    open(0);

    assertThat(circuit.state()).isEqualTo(CircuitState.OPEN);
    assertThat(circuit.permit()).isFalse();
    assertThat(circuit.grant(SECOND - 1, true)).isFalse();
    assertThat(circuit.grant(SECOND, true)).isTrue();
    assertThat(circuit.permit()).isTrue();
    assertThat(circuit.permit()).isFalse();
  }

  @Test
  void pausesBetweenProbesGrowToTheCap() {
    open(0);
    long now = 0;

    for (long pause : new long[] {1, 2, 4, 4}) {
      assertThat(circuit.grant(now + pause * SECOND - 1, true)).isFalse();
      now += pause * SECOND;
      assertThat(circuit.grant(now, true)).isTrue();
      open(now);
    }
  }

  @Test
  void rampsUpByDoublingUntilItCloses() {
    open(0);
    circuit.grant(SECOND, true);
    int sent = 0;

    for (int expected = 1; circuit.state() != CircuitState.CLOSED; expected *= 2) {
      int permits = 0;
      while (permits < 2_000 && circuit.permit()) {
        permits++;
      }
      assertThat(permits).isEqualTo(expected);
      for (int i = 0; i < permits; i++) {
        circuit.answered();
      }
      sent += permits;
      circuit.grant(SECOND, true);
    }

    assertThat(sent).isEqualTo(2_047);
  }

  @Test
  void closesWhenNothingIsHeldAnyMore() {
    open(0);
    circuit.grant(SECOND, true);
    circuit.permit();
    circuit.answered();

    circuit.grant(SECOND, false);

    assertThat(circuit.state()).isEqualTo(CircuitState.CLOSED);
  }

  @Test
  void waitsForResultsOfTheOldTimeBeforeItProbes() {
    circuit.permit();
    open(0);

    assertThat(circuit.grant(SECOND, true)).isFalse();
    circuit.answered();
    assertThat(circuit.grant(SECOND, true)).isTrue();
  }

  /** Found by the simulation: the permit was gone, and the destination waited for ever. */
  @Test
  void probePermitThatWasReturnedIsGivenAgain() {
    open(0);
    circuit.grant(SECOND, true);
    circuit.permit();

    circuit.returned();

    assertThat(circuit.grant(SECOND, true)).isTrue();
    assertThat(circuit.permit()).isTrue();
  }
}
