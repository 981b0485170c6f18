package io.angarium.quickstart.orders;

import io.angarium.Message;
import io.angarium.Outbox;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.databind.json.JsonMapper;

/**
 * Places orders: the row and its message are written in one transaction, so both are there or
 * neither. Thread-safe.
 */
@Service
public class OrderService {
  private final OrderTable orders;
  private final Outbox outbox;
  private final JsonMapper json;
  private final String destination;

  OrderService(
      OrderTable orders,
      Outbox outbox,
      JsonMapper json,
      @Value("${shop.orders}") String destination) {
    this.orders = orders;
    this.outbox = outbox;
    this.json = json;
    this.destination = destination;
  }

  /**
   * Places an order. The broker is not asked: it may be down.
   *
   * @throws IllegalArgumentException if the customer is unknown
   */
  @Transactional
  public Order place(NewOrder wanted) {
    Order order = orders.add(wanted);
    outbox.send(
        Message.of(destination, json.writeValueAsBytes(order))
            .key(order.customer())
            .type("order-placed")
            .business("order", Long.toString(order.id())));
    return order;
  }
}
