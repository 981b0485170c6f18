package io.angarium.quickstart.stock;

import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/**
 * Takes orders off the stock, each once: the id of the message is unique in the table of movements.
 * Thread-safe.
 */
@Service
public class StockService {
  private final JdbcClient jdbc;
  private final InstantSource clock;
  private final AtomicLong duplicates = new AtomicLong();

  StockService(JdbcClient jdbc, InstantSource clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  void take(String messageId, OrderPlaced order) {
    try {
      jdbc.sql(
              """
              INSERT INTO stock_movement
                (message_id, order_id, customer, order_no, item, quantity, booked_at)
              VALUES (?, ?, ?, ?, ?, ?, ?)
              """)
          .params(
              messageId,
              order.id(),
              order.customer(),
              order.number(),
              order.item(),
              order.quantity(),
              clock.instant().atOffset(ZoneOffset.UTC))
          .update();
    } catch (DuplicateKeyException e) {
      // Seen before: the broker or the relay delivered it again, as both may.
      duplicates.incrementAndGet();
    }
  }

  /** How many messages arrived again and were dropped. */
  public long duplicates() {
    return duplicates.get();
  }
}
