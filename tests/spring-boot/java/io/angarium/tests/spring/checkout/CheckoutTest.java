package io.angarium.tests.spring.checkout;

import io.angarium.spring.test.AutoConfigureTestOutbox;
import io.angarium.testkit.ExpectedMessage;
import io.angarium.testkit.PublishedMessages;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

// A sample of docs/testing.md, as it stands there.
@SpringBootTest
@AutoConfigureTestOutbox
class CheckoutTest {
  @Autowired Checkout checkout;
  @Autowired PublishedMessages published;

  @Test
  void paidOrderIsTold() {
    checkout.pay("4711");

    published.containsExactly(ExpectedMessage.to("kafka:orders").key("4711").type("order-paid"));
  }
}
