package io.angarium.tests.spring;

import io.angarium.TypedOutbox;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

@Component
class OrderMessages {
  private final TypedOutbox outbox;

  OrderMessages(TypedOutbox outbox) {
    this.outbox = outbox;
  }

  @EventListener
  void on(OrderPaid event) {
    outbox.send("orders", event.orderId(), event);
  }
}
