package io.angarium.orderstock.stock;

import java.sql.Timestamp;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.databind.json.JsonMapper;

/**
 * Takes paid orders off the stock. Does not look for repeats: the listeners' inbox keeps them away.
 */
@Service
public class StockService {
  private final JdbcClient jdbc;
  private final JsonMapper json;
  private final Trouble trouble;

  StockService(JdbcClient jdbc, JsonMapper json, Trouble trouble) {
    this.jdbc = jdbc;
    this.json = json;
    this.trouble = trouble;
  }

  /** Joins the transaction in which the inbox notes the message. */
  @Transactional
  public void deduct(byte[] message) {
    OrderPaid order = json.readValue(message, OrderPaid.class);
    jdbc.sql("INSERT INTO stock_movement (order_id, quantity, paid_at) VALUES (?, ?, ?)")
        .params(order.id(), order.quantity(), Timestamp.from(order.paidAt()))
        .update();
    trouble.come(order.id());
    jdbc.sql("UPDATE stock SET quantity = quantity - ? WHERE item = ?")
        .params(order.quantity(), order.item())
        .update();
  }
}
