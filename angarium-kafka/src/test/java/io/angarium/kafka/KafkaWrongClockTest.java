package io.angarium.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Destination;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testtransports.Resending;
import io.angarium.testtransports.WrongClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The wall clock of the relay's host is wrong, and topics bound the times of their records. */
@OnOneJdk
@RequiresServer(Server.KAFKA)
class KafkaWrongClockTest {
  private static final int KEYS = 4;
  private static final int PER_KEY = 300;

  private static Resending sendAll(String topic, Duration ahead) throws Exception {
    try (KafkaTransport transport =
        KafkaTransport.open(TestBroker.config(), new WrongClock(ahead), RealProducer::of)) {
      Resending resending =
          new Resending(transport, new Destination("kafka", topic), KEYS, PER_KEY, 10);
      resending.run(acknowledged -> {}); // it fails if anything is refused or uses up an attempt
      resending.check(TestBroker.arrivals(topic));
      return resending;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-5, 5})
  void clockThatIsHoursWrongRefusesNothingAndKeepsTheOrder(int hours) throws Exception {
    String topic = TestBroker.topic("hours" + hours, 2, Map.of());

    sendAll(topic, Duration.ofHours(hours));
  }

  @Test
  void timesThatATopicRefusesAreThoseOfTheDatabaseFromThenOn() throws Exception {
    Map<String, String> bounds = Map.of("message.timestamp.after.max.ms", "60000");
    String topic = TestBroker.topic("bounded", 2, bounds);

    Resending resending = sendAll(topic, Duration.ofHours(5));

    assertThat(resending.failures()).isPositive();
    assertThat(TestBroker.read(topic))
        .extracting(record -> Instant.ofEpochMilli(record.timestamp()))
        .containsOnly(io.angarium.testtransports.Messages.WRITTEN);
  }
}
