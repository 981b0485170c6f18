package io.angarium.recipes.testcontainers.kafka;

import static java.time.Duration.ofMinutes;
import static org.awaitility.Awaitility.await;

import io.angarium.testkit.ExpectedMessage;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.support.TransactionTemplate;

@RequiresServer({Server.POSTGRESQL, Server.KAFKA})
@SpringBootTest(
    properties = {
      "angarium.jdbc.schema-mode=create",
      "spring.kafka.consumer.auto-offset-reset=earliest"
    })
@Import({Containers.class, Arrivals.class})
class OrderArrivesTest {
  @Autowired Orders orders;
  @Autowired Arrivals arrivals;
  @Autowired TransactionTemplate transactions;

  @Test
  void placedOrderArrives() {
    orders.place("ada", "4711");

    awaitArrival(ExpectedMessage.to("kafka:orders").key("ada").payload("4711"));
  }

  @Test
  void orderThatIsRolledBackDoesNotArrive() {
    transactions.executeWithoutResult(
        status -> {
          orders.place("bob", "lost");
          status.setRollbackOnly();
        });
    orders.place("bob", "4712");

    awaitArrival(ExpectedMessage.to("kafka:orders").key("bob").payload("4712"));
    arrivals.messages().doesNotContain(ExpectedMessage.to("kafka:orders").payload("lost"));
  }

  private void awaitArrival(ExpectedMessage expected) {
    await().atMost(ofMinutes(1)).untilAsserted(() -> arrivals.messages().contains(expected));
  }
}
