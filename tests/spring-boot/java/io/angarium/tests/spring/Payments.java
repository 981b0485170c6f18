package io.angarium.tests.spring;

import io.angarium.spring.half.TransactionalMessage;

/** Tells of paid orders where another database, or a server, has the half messages. */
class Payments {
  private final Orders orders;

  Payments(Orders orders) {
    this.orders = orders;
  }

  @TransactionalMessage(
      business = "${shop.business:order-paid}",
      key = "#id",
      destination = "mailbox:orders",
      payload = "'paid ' + #id",
      messageKey = "#id")
  public String pay(long id) {
    orders.place(id);
    return "receipt " + id;
  }

  @TransactionalMessage(
      business = "order-paid",
      key = "#id",
      destination = "mailbox:orders",
      payload = "'paid ' + #id")
  public void payAndFail(long id) {
    orders.placeAndFail(id);
  }
}
