package io.angarium.recipes.ssm;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.angarium.Message;
import io.angarium.Outbox;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
public class OrderService {
  private final OrderMapper orders;
  private final Outbox outbox;
  private final ObjectMapper json = new ObjectMapper();

  public OrderService(OrderMapper orders, Outbox outbox) {
    this.orders = orders;
    this.outbox = outbox;
  }

  @Transactional(rollbackFor = Exception.class)
  public void createOrder(Order order) throws JsonProcessingException {
    orders.insertOrder(order);
    outbox.send(
        Message.of("rabbitmq:order_exchange/order.created", json.writeValueAsBytes(order))
            .key(String.valueOf(order.getId()))
            .business("order", String.valueOf(order.getId())));
  }
}
