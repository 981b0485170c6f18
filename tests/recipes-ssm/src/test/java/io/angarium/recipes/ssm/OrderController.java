package io.angarium.recipes.ssm;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.math.BigDecimal;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Takes orders over HTTP. */
@RestController
public class OrderController {
  private final OrderService orders;

  public OrderController(OrderService orders) {
    this.orders = orders;
  }

  @PostMapping("/orders")
  public String create(@RequestParam("user") long user, @RequestParam("amount") BigDecimal amount)
      throws JsonProcessingException {
    Order order = new Order();
    order.setUserId(user);
    order.setAmount(amount);
    orders.createOrder(order);
    return String.valueOf(order.getId());
  }
}
