package io.angarium.tests.spring.checkout;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.spring.test.AutoConfigureTestOutbox;
import io.angarium.testkit.ExpectedMessage;
import io.angarium.testkit.PublishedMessages;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.jdbc.JdbcTest;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.transaction.TestTransaction;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** The recording outbox beside a slice of Spring Boot 3. */
@JdbcTest(
    properties = {
      // of the application, whose web server the slice leaves out
      "angarium.half.enabled=true",
      "angarium.half.check-back-endpoint.enabled=true",
      "angarium.half.check-back-endpoint.unsigned=true"
    })
@AutoConfigureTestOutbox
class CheckoutSliceTest {
  @Autowired Checkout checkout;
  @Autowired PublishedMessages published;
  @Autowired ApplicationContext context;

  @Test
  void sliceRollsBackAndPublishesNothing() {
    checkout.pay("4711");
    TestTransaction.end();

    published.isEmpty();
  }

  @Test
  @Transactional(propagation = Propagation.NOT_SUPPORTED)
  void withoutATransactionOfTheTestThatOfTheServicePublishes() {
    checkout.pay("4711");

    published.containsExactly(ExpectedMessage.to("kafka:orders").key("4711"));
    assertThat(context.containsBean("entityManagerFactory")).as("a slice").isFalse();
  }

  @Test
  @Transactional(propagation = Propagation.NOT_SUPPORTED)
  void objectsArePublishedAsTheApplicationWritesThem() {
    checkout.refund("4711");

    published.containsExactly(
        ExpectedMessage.to("kafka:orders")
            .key("4711")
            .type("order-refunded")
            .payload("{\"order\":\"4711\"}"));
  }
}
