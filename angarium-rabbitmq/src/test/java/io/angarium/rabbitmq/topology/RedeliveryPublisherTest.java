package io.angarium.rabbitmq.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.angarium.rabbitmq.SilentChannel;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Moments that no real broker can be brought to at will. */
class RedeliveryPublisherTest {
  /** Else each failed delivery would take one of the channels that a connection may have. */
  @Test
  void aChannelThatDoesNotAgreeToConfirmsInTimeIsGivenBack() {
    SilentChannel silent = new SilentChannel();

    try (RedeliveryPublisher publisher =
        new RedeliveryPublisher("work", silent.connection, Duration.ofSeconds(60))) {
      assertThatThrownBy(
              () -> publisher.publish("retry", new BasicProperties(), "one".getBytes(UTF_8)))
          .isInstanceOf(IOException.class)
          .hasRootCauseMessage(SilentChannel.SAYS);
    }

    assertThat(silent.calls).last().isEqualTo("abort");
  }
}
