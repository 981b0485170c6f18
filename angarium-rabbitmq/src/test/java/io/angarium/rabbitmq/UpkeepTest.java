package io.angarium.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.testkit.ManualClock;
import java.io.IOException;
import java.net.Socket;
import org.junit.jupiter.api.Test;

/** Moments that no real broker can be brought to at will. */
class UpkeepTest {
  private final ManualClock clock = ManualClock.create();
  private final RabbitConfig config = RabbitConfig.of("a:1");
  private final Diagnosis diagnosis = new Diagnosis(config);
  private final Lanes lanes = new Lanes(config, diagnosis);

  private final Upkeep upkeep =
      new Upkeep(
          config,
          new Connections(config, factory -> {}),
          lanes,
          new Publisher("publisher", lanes, clock),
          diagnosis,
          clock);

  @Test
  void aChannelThatDoesNotAgreeToConfirmsInTimeIsGivenBack() {
    SilentChannel silent = new SilentChannel();
    Session session = new Session(silent.connection, new Socket(), clock.nanoTime());

    assertThatThrownBy(() -> upkeep.open(session, new Lane(1)))
        .isInstanceOf(IOException.class)
        .hasMessage(SilentChannel.SAYS);

    assertThat(silent.calls).last().isEqualTo("abort");
  }
}
