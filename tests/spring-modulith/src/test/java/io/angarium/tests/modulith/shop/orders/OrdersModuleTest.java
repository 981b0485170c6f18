package io.angarium.tests.modulith.shop.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.spring.test.AutoConfigureTestOutbox;
import io.angarium.testkit.ExpectedMessage;
import io.angarium.testkit.PublishedMessages;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.modulith.test.ApplicationModuleTest;
import org.springframework.modulith.test.Scenario;
import org.springframework.test.context.TestPropertySource;

/** One module alone, as Spring Modulith tests it. */
@ApplicationModuleTest
@AutoConfigureTestOutbox
@TestPropertySource(properties = "spring.datasource.url=jdbc:h2:mem:orders-module")
class OrdersModuleTest {
  @Autowired Orders orders;
  @Autowired PublishedMessages published;

  @Test
  void anOrderPublishesOneMessage(Scenario scenario) {
    orders.add("kim");

    scenario
        .stimulate(() -> orders.place("kim"))
        .andWaitForEventOfType(OrderPlaced.class)
        .toArriveAndVerify(event -> assertThat(event.number()).isEqualTo(1));

    published.containsExactly(
        ExpectedMessage.to("kafka:shop-orders")
            .key("kim")
            .payload("{\"customer\":\"kim\",\"number\":1}"));
  }
}
