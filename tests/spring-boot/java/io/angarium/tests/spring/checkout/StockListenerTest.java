package io.angarium.tests.spring.checkout;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.MessageId;
import io.angarium.spring.test.AutoConfigureTestOutbox;
import io.angarium.testkit.ExpectedMessage;
import io.angarium.testkit.PublishedMessages;
import io.angarium.testkit.Redelivery;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

// A sample of docs/testing.md, as it stands there.
@SpringBootTest
@AutoConfigureTestOutbox
class StockListenerTest {
  @Autowired StockListener listener;
  @Autowired Stock stock;
  @Autowired PublishedMessages published;

  @Test
  void orderThatComesAgainIsDeductedOnce() {
    Redelivery.of(List.of(order("4711"), order("4712")))
        .times(3)
        .threads(2)
        .to(listener::receive)
        .assertOnce(order -> stock.deductions(order.key()));

    published.containsExactlyInAnyOrder(
        ExpectedMessage.to("kafka:stock-deducted").key("4711"),
        ExpectedMessage.to("kafka:stock-deducted").key("4712"));
  }

  private static ConsumerRecord<String, byte[]> order(String id) {
    MessageId message = new MessageId(UUID.randomUUID());
    ConsumerRecord<String, byte[]> order = new ConsumerRecord<>("orders", 0, 0, id, new byte[] {1});
    order.headers().add("angarium-id", message.toString().getBytes(UTF_8));
    return order;
  }
}
