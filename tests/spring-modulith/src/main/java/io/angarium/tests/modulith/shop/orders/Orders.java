package io.angarium.tests.modulith.shop.orders;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Takes orders. */
@Service
public class Orders {
  private final JdbcTemplate jdbc;
  private final ApplicationEventPublisher events;

  Orders(JdbcTemplate jdbc, ApplicationEventPublisher events) {
    this.jdbc = jdbc;
    this.events = events;
  }

  /** Adds a customer without orders. */
  @Transactional
  public void add(String customer) {
    jdbc.update("INSERT INTO customers (name, orders) VALUES (?, 0)", customer);
  }

  /** Stores the next order of a customer; those of one customer wait for each other. */
  @Transactional
  public OrderPlaced place(String customer) {
    jdbc.update("UPDATE customers SET orders = orders + 1 WHERE name = ?", customer);
    Long number =
        jdbc.queryForObject("SELECT orders FROM customers WHERE name = ?", Long.class, customer);
    OrderPlaced placed = new OrderPlaced(customer, number == null ? 0 : number);
    jdbc.update("INSERT INTO orders (customer, number) VALUES (?, ?)", customer, number);
    events.publishEvent(placed);
    return placed;
  }
}
