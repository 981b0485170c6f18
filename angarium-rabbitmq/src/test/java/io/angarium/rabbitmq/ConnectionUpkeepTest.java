package io.angarium.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.testkit.ManualClock;
import java.io.IOException;
import java.net.Socket;
import org.junit.jupiter.api.Test;

/** Moments that no real broker can be brought to at will. */
class ConnectionUpkeepTest {
  private final ManualClock clock = ManualClock.create();
  private final RabbitConfig config = RabbitConfig.of("a:1");
  private final RabbitDiagnosis diagnosis = new RabbitDiagnosis(config);
  private final ChannelQueues lanes = new ChannelQueues(config, diagnosis);

  private final ConnectionUpkeep upkeep =
      new ConnectionUpkeep(
          config,
          new Connections(config, factory -> {}),
          lanes,
          new Publisher("publisher", lanes, clock),
          diagnosis,
          clock);

  @Test
  void aChannelThatDoesNotAgreeToConfirmsInTimeIsGivenBack() {
    SilentChannel silent = new SilentChannel();
    RabbitSession session = new RabbitSession(silent.connection, new Socket(), clock.nanoTime());

    assertThatThrownBy(() -> upkeep.open(session, new ChannelQueue(1)))
        .isInstanceOf(IOException.class)
        .hasMessage(SilentChannel.SAYS);

    assertThat(silent.calls).last().isEqualTo("abort");
  }
}
