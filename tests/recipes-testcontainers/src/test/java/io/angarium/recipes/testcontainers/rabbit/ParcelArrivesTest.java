package io.angarium.recipes.testcontainers.rabbit;

import static java.time.Duration.ofMinutes;
import static org.awaitility.Awaitility.await;

import io.angarium.Message;
import io.angarium.Outbox;
import io.angarium.testkit.ExpectedMessage;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.support.TransactionTemplate;

@RequiresServer({Server.POSTGRESQL, Server.RABBITMQ})
@SpringBootTest(
    properties = {
      "angarium.jdbc.schema-mode=create",
      "angarium.kafka.enabled=false",
      "angarium.rabbitmq.enabled=true"
    })
@Import({Containers.class, Arrivals.class})
class ParcelArrivesTest {
  @Autowired Outbox outbox;
  @Autowired Arrivals arrivals;
  @Autowired TransactionTemplate transactions;

  @Test
  void parcelArrives() {
    transactions.executeWithoutResult(
        status -> outbox.send(Message.of("rabbitmq:/parcels", "4711").key("ada")));

    await()
        .atMost(ofMinutes(1))
        .untilAsserted(
            () ->
                arrivals
                    .messages()
                    .contains(ExpectedMessage.to("rabbitmq:/parcels").key("ada").payload("4711")));
  }
}
