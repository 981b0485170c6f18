package io.angarium.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Destination;
import io.angarium.InvalidMessageException;
import io.angarium.Message;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses at the moment they are sent; a message from a database is not checked again. */
class AddressFormTest {
  private static void send(String destination) {
    MessageIntake.of(null).accept(Message.of(destination, new byte[0]), Handover.NONE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kafka:orders",
        "kafka:Orders_1.eu-west",
        "rabbitmq:orders/order.paid",
        "rabbitmq:/queue",
        "rabbitmq:fanout/",
        "rabbitmq:e/a/b",
        "rocketmq:orders",
        "rocketmq:orders:paid",
        "rocketmq:%RETRY%group:a b:c",
        "http:orders-2",
        "http:https://shop.example/hooks/orders?key=a:b",
        "http:HTTP://127.0.0.1:8080",
        "handler:orders",
        "handler:stock.reserve-2",
        "handler:4",
        "orders",
        "another:whatever it takes",
      })
  void takesWhatItsTransportKnows(String destination) {
    send(destination);

    assertThat(Destination.parse(destination)).hasToString(destination);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kafka:a b",
        "kafka:..",
        "kafka:орден",
        "rabbitmq:orders",
        "rocketmq:a.b",
        "rocketmq:orders:",
        "rocketmq:orders:a||b",
        "http:Orders",
        "http:shop.example/x",
        "http://shop.example/x",
        "http:https:/shop.example/x",
        "http:https:///x",
        "http:ftp://shop.example/x",
        "handler:Orders",
        "handler:orders/paid",
        "handler:orders paid",
        "handler:.orders",
        "handler:-orders",
      })
  void refusesWhatItsTransportCannotKnow(String destination) {
    assertThatThrownBy(() -> send(destination))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageStartingWith("destination: '" + destination + "' (expected: ")
        .hasMessageEndingWith("; correct it");
  }

  @Test
  void longNamesAreRefused() {
    for (String destination :
        new String[] {
          "kafka:" + "t".repeat(250),
          "rabbitmq:" + "e".repeat(256) + "/k",
          "rabbitmq:e/" + "ж".repeat(128),
          "rocketmq:" + "t".repeat(128),
          "handler:" + "h".repeat(65)
        }) {
      assertThatThrownBy(() -> send(destination)).isInstanceOf(InvalidMessageException.class);
    }
  }
}
