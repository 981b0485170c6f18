package io.angarium.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.intake.StoredMessage;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testtransports.Results;
import io.angarium.transport.CloudEvents;
import io.angarium.transport.SendResult;
import io.angarium.transport.Transport;
import io.cloudevents.CloudEvent;
import io.cloudevents.kafka.KafkaMessageFactory;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Messages that are events of CloudEvents, read by the library of CloudEvents. */
@RequiresServer(Server.KAFKA)
class KafkaCloudEventsTest {
  private static final CloudEvents EVENTS =
      new CloudEvents(List.of("kafka:events-*"), "https://shop.example/orders", "shop.message");

  private final Results results = new Results();
  private final Transport transport =
      EVENTS.around(
          KafkaTransport.open(
              TestBroker.config()
                  .deliveryTimeout(Duration.ofSeconds(20))
                  .holdMax(Duration.ofSeconds(20))));

  @AfterEach
  void closeTransport() {
    transport.close();
  }

  private ConsumerRecord<byte[], byte[]> stored(StoredMessage message) {
    transport.send(List.of(message), results);
    Results.Result result = results.next();
    assertThat(result.result()).isEqualTo(SendResult.ACKNOWLEDGED);
    assertThat(result.message()).as("the result is of what was given").isSameAs(message);
    return TestBroker.read(message.message().destination().address()).get(0);
  }

  @Test
  void libraryReadsEachAttribute() {
    String topic = TestBroker.topic("events-all", 1);
    StoredMessage message =
        Messages.of(
            Message.of("kafka:" + topic, "{\"n\":\"p\u00e2y\"}".getBytes(UTF_8))
                .key("\u043a\u043b\u044e\u0447")
                .type("order-paid")
                .header("content-type", "application/json")
                .header("subject", "4711")
                .header("tenant", "\u00e9t\u00e9")
                .header("X-Shop", "7"));

    ConsumerRecord<byte[], byte[]> record = stored(message);

    CloudEvent event = KafkaMessageFactory.createReader(record).toEvent();
    assertThat(event.getId()).isEqualTo(message.id().toString());
    assertThat(event.getSource()).hasToString("https://shop.example/orders");
    assertThat(event.getType()).isEqualTo("order-paid");
    assertThat(event.getTime()).isEqualTo(message.writtenAt().atOffset(ZoneOffset.UTC));
    assertThat(event.getDataContentType()).isEqualTo("application/json");
    assertThat(event.getSubject()).isEqualTo("4711");
    assertThat(event.getExtension("tenant")).isEqualTo("\u00e9t\u00e9");
    assertThat(event.getExtension("partitionkey")).isEqualTo("\u043a\u043b\u044e\u0447");
    assertThat(Objects.requireNonNull(event.getData()).toBytes()).isEqualTo(record.value());
    assertThat(record.headers())
        .extracting(Header::key)
        .contains("angarium-id", "tenant", "X-Shop")
        .doesNotContain("ce_X-Shop");
  }

  @Test
  void messageWithoutPartsIsAnEventWithTheConfiguredType() {
    ConsumerRecord<byte[], byte[]> record =
        stored(Messages.of(Message.of("kafka:" + TestBroker.topic("events-bare", 1), new byte[1])));

    CloudEvent event = KafkaMessageFactory.createReader(record).toEvent();
    assertThat(event.getType()).isEqualTo("shop.message");
    assertThat(event.getExtensionNames()).isEmpty();
  }

  @Test
  void messageForAnotherDestinationIsNone() {
    ConsumerRecord<byte[], byte[]> record =
        stored(Messages.of(Message.of("kafka:" + TestBroker.topic("plain", 1), new byte[1])));

    assertThat(record.headers()).extracting(Header::key).containsExactly("angarium-id");
  }
}
