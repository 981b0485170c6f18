package io.angarium.rabbitmq;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.GetResponse;
import io.angarium.Message;
import io.angarium.intake.StoredMessage;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testtransports.Messages;
import io.angarium.testtransports.Results;
import io.angarium.transport.CloudEvents;
import io.angarium.transport.SendResult;
import io.angarium.transport.Transport;
import io.cloudevents.CloudEvent;
import io.cloudevents.amqp.ProtonAmqpMessageFactory;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.messaging.ApplicationProperties;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Messages that are events of CloudEvents, read by the library of CloudEvents. */
@RequiresServer(Server.RABBITMQ)
class RabbitCloudEventsTest {
  private final Results results = new Results();
  private final Transport transport =
      new CloudEvents(List.of("rabbitmq:/events*"), "/shop", "shop.message")
          .around(
              RabbitTransport.open(
                  TestBroker.config()
                      .confirmTimeout(Duration.ofSeconds(20))
                      .holdMax(Duration.ofSeconds(20))
                      .connectTimeout(Duration.ofSeconds(20))));

  @AfterEach
  void closeTransport() {
    transport.close();
  }

  private GetResponse stored(StoredMessage message) {
    transport.send(List.of(message), results);
    assertThat(results.next().result()).isEqualTo(SendResult.ACKNOWLEDGED);
    return TestBroker.take(message.message().destination().address().substring(1)).get(0);
  }

  /** RabbitMQ gives headers to clients of AMQP 1.0 as application properties of the same names. */
  private static CloudEvent event(GetResponse stored) {
    Map<String, Object> properties = new HashMap<>();
    stored.getProps().getHeaders().forEach((name, text) -> properties.put(name, text.toString()));
    return ProtonAmqpMessageFactory.createReader(
            stored.getProps().getContentType(),
            new ApplicationProperties(properties),
            new Data(new Binary(stored.getBody())))
        .toEvent();
  }

  @Test
  void libraryReadsEachAttribute() {
    StoredMessage message =
        Messages.of(
            Message.of("rabbitmq:/" + TestBroker.queue("events"), "{\"n\":1}".getBytes(UTF_8))
                .key("\u043a\u043b\u044e\u0447")
                .type("order-paid")
                .header("content-type", "application/json")
                .header("subject", "4711")
                .header("X-Shop", "7"));

    GetResponse stored = stored(message);

    CloudEvent event = event(stored);
    assertThat(event.getId()).isEqualTo(message.id().toString());
    assertThat(event.getSource()).hasToString("/shop");
    assertThat(event.getType()).isEqualTo("order-paid");
    assertThat(event.getTime()).isEqualTo(message.writtenAt().atOffset(ZoneOffset.UTC));
    assertThat(event.getDataContentType()).isEqualTo("application/json");
    assertThat(event.getSubject()).isEqualTo("4711");
    assertThat(event.getExtension("partitionkey")).isEqualTo("\u043a\u043b\u044e\u0447");
    assertThat(Objects.requireNonNull(event.getData()).toBytes()).isEqualTo(stored.getBody());
    assertThat(stored.getProps().getHeaders())
        .containsKeys("angarium-key", "subject", "X-Shop")
        .doesNotContainKeys("cloudEvents:X-Shop", "cloudEvents_id");
  }

  @Test
  void messageForAnotherDestinationIsNone() {
    GetResponse stored =
        stored(Messages.of(Message.of("rabbitmq:/" + TestBroker.queue("plain"), new byte[1])));

    assertThat(stored.getProps().getHeaders()).isNullOrEmpty();
  }
}
