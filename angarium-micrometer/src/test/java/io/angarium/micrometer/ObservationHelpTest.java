package io.angarium.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ObservationHelpTest {
  private final MeterRegistry registry = new SimpleMeterRegistry();

  ObservationHelpTest() {
    registry.config().meterFilter(new ObservationHelp(Map.of("other", "Another one")));
  }

  @Test
  void describesWhatHasNoDescription() {
    Timer send = registry.timer("angarium.send", "outcome", "acknowledged");
    Counter other = registry.counter("other");

    assertThat(send.getId().getDescription())
        .isEqualTo("Attempts to send, from hand-over to the result");
    assertThat(send.getId().getTag("outcome")).isEqualTo("acknowledged");
    assertThat(other.getId().getDescription()).isEqualTo("Another one");
  }

  @Test
  void leavesDescriptionsAndUnknownMetersAlone() {
    Counter described = Counter.builder("other").description("Its own").register(registry);
    Counter unknown = registry.counter("unknown");

    assertThat(described.getId().getDescription()).isEqualTo("Its own");
    assertThat(unknown.getId().getDescription()).isNull();
  }
}
