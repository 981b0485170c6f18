package io.angarium.tests.modulith.shop.mail;

import io.angarium.tests.modulith.shop.orders.OrderPlaced;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.modulith.events.ApplicationModuleListener;
import org.springframework.stereotype.Component;

/** Writes a mail for each order after its commit, in a transaction of its own. */
@Component
class Mails {
  private final JdbcTemplate jdbc;

  Mails(JdbcTemplate jdbc) {
    this.jdbc = jdbc;
  }

  @ApplicationModuleListener
  void on(OrderPlaced order) {
    jdbc.update(
        "INSERT INTO mails (customer, number) VALUES (?, ?)", order.customer(), order.number());
  }
}
