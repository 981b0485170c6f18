package io.angarium.relay.internal.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.relay.internal.send.Circuit.Demand;
import io.angarium.relay.settings.CircuitState;
import io.angarium.relay.settings.CircuitTiming;
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
    assertThat(circuit.grant(SECOND - 1, Demand.HELD)).isFalse();
    assertThat(circuit.grant(SECOND, Demand.HELD)).isTrue();
    assertThat(circuit.permit()).isTrue();
    assertThat(circuit.permit()).isFalse();
  }

  @Test
  void pausesBetweenProbesGrowToTheCap() {
    open(0);
    long now = 0;

    for (long pause : new long[] {1, 2, 4, 4}) {
      assertThat(circuit.grant(now + pause * SECOND - 1, Demand.HELD)).isFalse();
      now += pause * SECOND;
      assertThat(circuit.grant(now, Demand.HELD)).isTrue();
      open(now);
    }
  }

  @Test
  void rampsUpUntilItCloses() {
    open(0);
    circuit.grant(SECOND, Demand.HELD);
    int sent = 0;

    for (int expected = 1; circuit.state() != CircuitState.CLOSED; expected *= 4) {
      int permits = 0;
      while (permits < 2_000 && circuit.permit()) {
        permits++;
      }
      assertThat(permits).isEqualTo(expected);
      for (int i = 0; i < permits; i++) {
        circuit.answered();
      }
      sent += permits;
      circuit.grant(SECOND, Demand.HELD);
    }

    assertThat(sent).isEqualTo(1_365);
  }

  private void assertPermits(int expected) {
    for (int i = 0; i < expected; i++) {
      assertThat(circuit.permit()).isTrue();
    }
    assertThat(circuit.permit()).isFalse();
  }

  @Test
  void closesWhenPermitsAreLeftAndNothingIsHeldAnyMore() {
    answerProbe();
    circuit.grant(SECOND, Demand.HELD);
    circuit.permit();
    circuit.answered();

    circuit.grant(SECOND, Demand.NONE);

    assertThat(circuit.state()).isEqualTo(CircuitState.CLOSED);
  }

  private void answerProbe() {
    open(0);
    circuit.grant(SECOND, Demand.HELD);
    circuit.permit();
    circuit.answered();
  }

  /** The reader may have come no further than the first row it held: the backlog lies behind it. */
  @Test
  void staysHalfOpenWhenAllPermitsWereUsedThoughNothingIsKnownToBeHeld() {
    answerProbe();

    circuit.grant(SECOND, Demand.NONE);

    assertThat(circuit.state()).isEqualTo(CircuitState.HALF_OPEN);
    assertPermits(4);
  }

  @Test
  void staysHalfOpenWhileNotEverythingWasLookedAt() {
    answerProbe();
    circuit.grant(SECOND, Demand.NONE);

    circuit.grant(SECOND, Demand.UNKNOWN);
    assertThat(circuit.state()).isEqualTo(CircuitState.HALF_OPEN);
    circuit.grant(SECOND, Demand.NONE);

    assertThat(circuit.state()).isEqualTo(CircuitState.CLOSED);
  }

  /** Otherwise a ramp would go up while the reader is busy with other destinations. */
  @Test
  void rampsUpOnlyWhenAllPermitsWereUsed() {
    answerProbe();
    circuit.grant(SECOND, Demand.HELD);
    circuit.permit();
    circuit.answered();

    assertThat(circuit.grant(SECOND, Demand.HELD)).as("held ones may be tried").isTrue();

    assertPermits(3);
  }

  @Test
  void staysHalfOpenWithoutAnAnswer() {
    open(0);
    circuit.grant(SECOND, Demand.HELD);

    circuit.grant(SECOND, Demand.NONE);

    assertThat(circuit.state()).isEqualTo(CircuitState.HALF_OPEN);
  }

  @Test
  void waitsForResultsOfTheOldTimeBeforeItProbes() {
    circuit.permit();
    open(0);

    assertThat(circuit.grant(SECOND, Demand.HELD)).isFalse();
    circuit.answered();
    assertThat(circuit.grant(SECOND, Demand.HELD)).isTrue();
  }

  /** Found by the simulation: the permit was gone, and the destination waited for ever. */
  @Test
  void probePermitThatWasReturnedIsGivenAgain() {
    open(0);
    circuit.grant(SECOND, Demand.HELD);
    circuit.permit();

    circuit.returned();

    assertThat(circuit.grant(SECOND, Demand.HELD)).isTrue();
    assertThat(circuit.permit()).isTrue();
  }

  @Test
  void givesNoPermitWhilePausedAndProbesWithOneMessageAfterwards() {
    assertThat(circuit.permit()).isTrue();

    circuit.pause();

    assertThat(circuit.state()).isEqualTo(CircuitState.PAUSED);
    assertThat(circuit.permit()).isFalse();
    assertThat(circuit.rests()).isTrue();
    circuit.answered();
    assertThat(circuit.awaitsGrant()).isFalse();
    assertThat(circuit.grant(1_000 * SECOND, Demand.HELD)).isFalse();
    circuit.resume(1_000 * SECOND);
    assertThat(circuit.permit()).isFalse();
    assertThat(circuit.grant(1_000 * SECOND, Demand.HELD)).isTrue();
    assertThat(circuit.permit()).isTrue();
    assertThat(circuit.permit()).isFalse();
  }

  @Test
  void staysPausedWhateverBecomesOfWhatWasUnderWay() {
    for (int i = 0; i < 3; i++) {
      assertThat(circuit.permit()).isTrue();
    }

    circuit.pause();
    circuit.unavailable(0);
    circuit.answered();
    circuit.returned();

    assertThat(circuit.state()).isEqualTo(CircuitState.PAUSED);
    assertThat(circuit.permits()).isZero();
    assertThat(circuit.permit()).isFalse();
  }
}
