package io.angarium.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Destination;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testtransports.OutageAt;
import io.angarium.testtransports.Resending;
import io.angarium.testtransports.Results;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Refused;
import io.angarium.transport.SendResult.Unavailable;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A topic that was there is deleted under the transport, and created again or not. */
@OnOneJdk
@RequiresServer(Server.KAFKA)
class KafkaDeletedTopicTest {
  private static final int KEYS = 4;
  private static final int PER_KEY = 1_500;

  private final Results results = new Results();

  @Test
  void aTopicThatIsBrieflyGoneRefusesNothingAndKeepsTheOrder() throws Exception {
    String topic = TestBroker.topic("recreated", 3);
    try (KafkaTransport transport = KafkaTransport.open(TestBroker.config().batchBytes(1_024))) {
      Resending resending =
          new Resending(transport, new Destination("kafka", topic), KEYS, PER_KEY, 20);

      // It fails the test if anything is refused or uses up an attempt.
      resending.run(
          new OutageAt(
              1_000,
              () -> TestBroker.delete(topic),
              failure -> failure.reason().contains("is gone"),
              () -> TestBroker.topic(topic, 3)));

      assertThat(resending.failures()).isPositive();
      assertInOrder(TestBroker.arrivals(topic));
    }
  }

  /** What was stored before it was deleted is gone with it; from then on there are no gaps. */
  private static void assertInOrder(List<Resending.Arrival> arrivals) {
    Map<String, TreeSet<Integer>> seen = new HashMap<>();
    for (Resending.Arrival arrival : arrivals) {
      int number = Integer.parseInt(arrival.text());
      TreeSet<Integer> numbers = seen.computeIfAbsent(arrival.key(), key -> new TreeSet<>());
      if (!numbers.isEmpty()) {
        assertThat(number)
            .as("next of %s", arrival.key())
            .isBetween(numbers.first(), numbers.last() + 1);
      }
      numbers.add(number);
    }
    assertThat(seen).hasSize(KEYS);
    assertThat(seen.values()).allMatch(numbers -> numbers.last() == PER_KEY - 1);
  }

  @Test
  void aTopicThatStaysAwayIsRefusedInTheEnd() {
    String topic = TestBroker.topic("deleted", 1);
    KafkaConfig config = TestBroker.config().missingAfter(Duration.ofSeconds(4));
    try (KafkaTransport transport = KafkaTransport.open(config)) {
      assertThat(send(transport, topic)).isEqualTo(SendResult.ACKNOWLEDGED);
      TestBroker.delete(topic);

      SendResult first = send(transport, topic);
      SendResult last = first;
      boolean away = false;
      long deadline = System.nanoTime() + Results.LIMIT.toNanos();
      while (!(last instanceof Refused)) {
        assertThat(System.nanoTime()).as("refused in the end").isLessThan(deadline);
        away |= last instanceof Unavailable unavailable && unavailable.reason().contains("is gone");
        last = send(transport, topic);
      }

      assertThat(first).isInstanceOf(Unavailable.class);
      assertThat(away).isTrue();
      assertThat(((Refused) last).reason()).contains("does not exist", "create it");
    }
  }

  private SendResult send(KafkaTransport transport, String topic) {
    transport.send(List.of(Messages.of(topic, "k", "x")), results);
    return results.next().result();
  }
}
