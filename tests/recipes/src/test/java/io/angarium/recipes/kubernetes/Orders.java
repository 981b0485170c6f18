package io.angarium.recipes.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.Message;
import io.angarium.Outbox;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Counts the orders of each customer and sends the numbers. */
@RestController
class Orders {
  static final String TOPIC = "pod-orders";

  private final JdbcTemplate jdbc;
  private final Outbox outbox;

  Orders(JdbcTemplate jdbc, Outbox outbox) {
    this.jdbc = jdbc;
    this.outbox = outbox;
  }

  @Transactional
  @PostMapping("/orders/{customer}")
  public String place(@PathVariable("customer") String customer) {
    Integer number =
        jdbc.queryForObject(
            "UPDATE customer SET orders = orders + 1 WHERE id = ? RETURNING orders",
            Integer.class,
            customer);
    String order = customer + " " + number;
    outbox.send(Message.of("kafka:" + TOPIC, order.getBytes(UTF_8)).key(customer));
    return order;
  }
}
