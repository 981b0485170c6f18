package io.angarium.tests.modulith.shop.stock;

import io.angarium.tests.modulith.shop.orders.OrderPlaced;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/** Reserves goods in the transaction of the order, and publishes an event of its own. */
@Component
class Stock {
  private final JdbcTemplate jdbc;
  private final ApplicationEventPublisher events;

  Stock(JdbcTemplate jdbc, ApplicationEventPublisher events) {
    this.jdbc = jdbc;
    this.events = events;
  }

  @EventListener
  void on(OrderPlaced order) {
    jdbc.update(
        "INSERT INTO reservations (customer, number) VALUES (?, ?)",
        order.customer(),
        order.number());
    events.publishEvent(new GoodsReserved(order.customer(), order.number()));
  }
}
