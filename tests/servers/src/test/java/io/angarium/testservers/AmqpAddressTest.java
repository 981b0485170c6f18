package io.angarium.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class AmqpAddressTest {
  @Test
  void readsWhatAClientReads() {
    AmqpAddress address = AmqpAddress.parse("amqp://us%40er:pass%2F+word@broker:5673/tests");

    assertThat(address.host()).isEqualTo("broker");
    assertThat(address.port()).isEqualTo(5673);
    assertThat(address.user()).isEqualTo("us@er");
    assertThat(address.password()).isEqualTo("pass/+word");
    assertThat(address).asString().contains("broker").doesNotContain("word");
  }

  @Test
  void takesTheUsualPortAndUserWhereNoneIsNamed() {
    AmqpAddress address = AmqpAddress.parse("amqp://broker");

    assertThat(address.port()).isEqualTo(5672);
    assertThat(address.user()).isEqualTo("guest");
    assertThat(address.password()).isEqualTo("guest");
  }

  @Test
  void refusesWhatIsNoAmqpAddressWithoutTellingThePassword() {
    assertThatThrownBy(() -> AmqpAddress.parse("http://me:secret@broker"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ANGARIUM_TEST_RABBITMQ")
        .hasMessageContaining("broker")
        .hasMessageNotContaining("secret");
  }
}
