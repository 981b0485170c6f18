package io.angarium.quickstart.demo;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Reads the movements of the stock in the order in which they were booked and counts them, as an
 * auditor would who trusts nobody. Not thread-safe: one thread at a time.
 */
@Component
class StockAudit {
  private static final int READ_MAX = 10_000;

  private final JdbcClient jdbc;
  private final Map<String, Integer> last = new HashMap<>();
  private long position;
  private long booked;
  private long outOfOrder;

  StockAudit(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  private record Movement(long position, String customer, int number) {}

  /** Takes in what was booked since the last call. */
  void catchUp() {
    List<Movement> movements;
    do {
      movements = next();
      movements.forEach(this::take);
    } while (movements.size() == READ_MAX);
  }

  private List<Movement> next() {
    return jdbc.sql(
            """
            SELECT position, customer, order_no AS number
            FROM stock_movement
            WHERE position > ?
            ORDER BY position
            LIMIT ?
            """)
        .params(position, READ_MAX)
        .query(Movement.class)
        .list();
  }

  private void take(Movement movement) {
    position = movement.position();
    booked++;
    Integer before = last.put(movement.customer(), movement.number());
    if (movement.number() != (before == null ? 0 : before) + 1) {
      outOfOrder++;
    }
  }

  long booked() {
    return booked;
  }

  /** How many movements did not follow the order before of the same customer. */
  long outOfOrder() {
    return outOfOrder;
  }
}
