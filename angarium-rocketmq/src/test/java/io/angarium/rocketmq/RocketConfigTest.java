package io.angarium.rocketmq;

import static io.angarium.rocketmq.RocketConfig.Acknowledge.WHEN_STORED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.angarium.ConfigurationException;
import io.angarium.rocketmq.transaction.RocketTransactionsConfig;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RocketConfigTest {
  @Test
  void listsAllFaultsAtOnce() {
    assertThatThrownBy(
            () ->
                new RocketConfig(
                    "nowhere;a:1",
                    "two words",
                    "key",
                    "",
                    false,
                    Duration.ZERO,
                    Duration.ofHours(1),
                    Duration.ofDays(1),
                    Duration.ofDays(31),
                    0,
                    1,
                    1,
                    RocketConfig.Acknowledge.WHEN_SAFE))
        .asInstanceOf(type(ConfigurationException.class))
        .satisfies(
            e ->
                assertThat(e.faults())
                    .hasSize(10)
                    .contains("rocketmq.name-servers: 'nowhere' (expected: host:port)")
                    .contains("rocketmq.batch-messages: 0 (expected: 1..10000)"));
  }

  @Test
  void transactionsHaveAGroupOfTheirOwn() {
    RocketConfig cluster = RocketConfig.of("a:1").producerGroup("shop");

    assertThat(RocketTransactionsConfig.of(cluster).producerGroup("shop-tx").producerGroup())
        .isEqualTo("shop-tx");
    assertThatThrownBy(
            () -> RocketTransactionsConfig.of(cluster).producerGroup("shop").checkThreads(4))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("another group than rocketmq.producer-group");
    assertThatThrownBy(() -> new RocketTransactionsConfig(cluster, "two words", 0))
        .asInstanceOf(type(ConfigurationException.class))
        .satisfies(e -> assertThat(e.faults()).hasSize(2));
  }

  @Test
  void theSecretIsInNoText() {
    RocketConfig config = RocketConfig.of("a:1").account("me", "top-secret");

    assertThat(config.toString()).contains("me").doesNotContain("top-secret");
  }

  @Test
  void copiesDifferInOnePart() {
    RocketConfig config = RocketConfig.of("a:1;b:2, c:3");

    assertThat(config.batchMessages(7).batchMessages()).isEqualTo(7);
    assertThat(config.fewerQueuesAfter(Duration.ZERO).fewerQueuesAfter()).isZero();
    assertThat(config.acknowledge(WHEN_STORED).acknowledge()).isEqualTo(WHEN_STORED);
    assertThat(config.tls(true).tls()).isTrue();
    assertThat(config.producerGroup("x")).isNotEqualTo(config);
    assertThat(config.producerGroup("angarium")).isEqualTo(config);
  }

  @Test
  void defaultsFitTheLeaseOfTheRelay() {
    try (RocketTransport transport = RocketTransport.open(RocketConfig.of("127.0.0.1:1"))) {
      assertThat(transport.resultMax()).isLessThan(Duration.ofSeconds(10));
    }
  }
}
