package io.angarium.tests.spring;

import io.angarium.spring.half.TransactionalMessage;

/** Payments with a new key in each attempt, of which the first one fails. */
class Attempts {
  private final Orders orders;

  Attempts(Orders orders) {
    this.orders = orders;
  }

  @TransactionalMessage(
      business = "order-paid",
      key = "#id + '-' + #attempt",
      destination = "mailbox:orders",
      payload = "'paid ' + #id")
  public void pay(long id, int attempt) {
    orders.place(id);
    if (attempt == 1) {
      throw new IllegalStateException("planned");
    }
  }
}
