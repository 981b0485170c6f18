package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.rabbitmq.RabbitConfig;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Spring AMQP makes connection details of its properties. They are not connection details of the
 * application, so Angarium's own properties may name another broker.
 */
class SpringAmqpTest {
  private static final String NOWHERE = "127.0.0.1:1"; // nobody needs to be there

  private final Shop shop =
      Shop.on(Database.h2()).withoutJpa().with("angarium.rabbitmq.enabled=true");

  private static RabbitConfig config(Shop shop) {
    try (ConfigurableApplicationContext context = shop.start()) {
      return context.getBean(RabbitConfig.class);
    }
  }

  @Test
  void anAddressOfOursAloneIsEnough() {
    RabbitConfig config = config(shop.with("angarium.rabbitmq.addresses=" + NOWHERE));

    assertThat(config.addresses()).isEqualTo(NOWHERE);
    assertThat(config.tls()).isFalse();
  }

  @Test
  void anAddressOfSpringKeepsItsTlsAndItsAccount() {
    RabbitConfig config =
        config(shop.with("spring.rabbitmq.addresses=amqps://relay:hush@" + NOWHERE + "/shop"));

    assertThat(config.addresses()).isEqualTo(NOWHERE);
    assertThat(config.tls()).isTrue();
    assertThat(config.username()).isEqualTo("relay");
    assertThat(config.password()).isEqualTo("hush");
    assertThat(config.virtualHost()).isEqualTo("shop");
  }

  @Test
  void noAddressAnywhereIsAFault() {
    assertThat(WrongConfigurationTest.faults(shop))
        .singleElement()
        .asString()
        .startsWith("angarium.rabbitmq.addresses: ");
  }

  @Test
  void aBundleThatIsUnknownIsListedWithAllOtherFaults() {
    shop.with("spring.rabbitmq.addresses=" + NOWHERE)
        .with("spring.rabbitmq.ssl.bundle=bunch")
        .with("angarium.relay.poll.idle=1h");

    assertThat(WrongConfigurationTest.faults(shop))
        .anyMatch(f -> f.startsWith("spring.rabbitmq.ssl.bundle: bunch (expected: the name of a"))
        .anyMatch(f -> f.startsWith("angarium.relay.poll.idle: 1h"))
        .hasSize(2);
  }
}
