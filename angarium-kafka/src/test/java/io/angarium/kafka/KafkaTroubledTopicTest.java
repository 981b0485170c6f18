package io.angarium.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.TimeSource;
import io.angarium.intake.StoredMessage;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testtransports.Resending;
import io.angarium.testtransports.Results;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Unavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.producer.Producer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@RequiresServer(Server.KAFKA)
class KafkaTroubledTopicTest {
  private final Set<String> stuckTopics = ConcurrentHashMap.newKeySet();
  private final Set<String> silentTopics = ConcurrentHashMap.newKeySet();
  private final List<String> started = new ArrayList<>();
  private final Results results = new Results();
  private KafkaTransport transport;

  /** Patient: what is in trouble here fails soon by itself. */
  @BeforeEach
  void openTransport() {
    transport = open(Duration.ofSeconds(30));
  }

  private KafkaTransport open(Duration longest) {
    return KafkaTransport.open(
        TestBroker.config().deliveryTimeout(longest).holdMax(longest),
        TimeSource.SYSTEM,
        this::producer);
  }

  @AfterEach
  void closeTransport() {
    transport.close();
  }

  private synchronized Producer<byte[], byte[]> producer(KafkaConfig settings, String clientId) {
    started.add(clientId);
    return StuckTopicProducer.of(
        RealProducer.of(settings, clientId), stuckTopics::contains, silentTopics::contains);
  }

  private synchronized List<String> started() {
    return List.copyOf(started);
  }

  @Test
  void aTopicInTroubleFailsTheOthersOnceAndNotAgain() {
    String healthy = TestBroker.topic("healthy", 1);
    String stuck = "stuck";
    stuckTopics.add(stuck);
    assertThat(send(stuck)).isInstanceOf(Unavailable.class);
    awaitAcknowledged(healthy);

    List<StoredMessage> tried = new ArrayList<>();
    while (startedForTrouble() < 4) {
      StoredMessage hopeless = Messages.of(stuck, "key-" + tried.size(), "again");
      transport.send(List.of(hopeless), results);
      while (!results.has(hopeless)) {
        StoredMessage fine = Messages.of(healthy, "k", "fine");
        tried.add(fine);
        transport.send(List.of(fine), results);
        results.next();
      }
    }

    transport.flush(Results.LIMIT);
    assertThat(tried).isNotEmpty();
    assertThat(tried).allMatch(message -> results.of(message) == SendResult.ACKNOWLEDGED);
    assertThat(started()).filteredOn("angarium"::equals).hasSize(2);
  }

  private long startedForTrouble() {
    return started().stream().filter("angarium-troubled"::equals).count();
  }

  @Test
  void aTopicOutOfTroubleGoesBackToTheOthers() {
    String topic = TestBroker.topic("cured", 1);
    String other = "other-stuck";
    stuckTopics.addAll(Set.of(topic, other));
    assertThat(send(topic)).isInstanceOf(Unavailable.class);
    stuckTopics.remove(topic);
    awaitAcknowledged(topic);
    awaitAcknowledged(topic);
    int before = started().size();

    // Fails the lane of troubled topics, after it failed the steady one.
    for (int i = 0; i < 3; i++) {
      assertThat(send(other)).isInstanceOf(Unavailable.class);
    }

    awaitAcknowledged(topic);
    assertThat(started()).hasSizeGreaterThan(before);
    assertThat(TestBroker.read(topic)).hasSize(3);
  }

  @Test
  void aClientThatKeepsSilentIsReplacedAndItsMessagesAreUnavailable() {
    String topic = TestBroker.topic("silent", 1);
    transport.close();
    transport = open(Duration.ofSeconds(1));
    silentTopics.add(topic);

    SendResult result = send(Messages.of(topic, "k", "silent"));

    assertThat(((Unavailable) result).reason()).contains("no result within");
    silentTopics.remove(topic);
    awaitAcknowledged(topic);
    assertThat(TestBroker.arrivals(topic))
        .extracting(Resending.Arrival::text)
        .isNotEmpty()
        .containsOnly("x");
  }

  private SendResult send(String topic) {
    return send(Messages.of(topic, "k", "x"));
  }

  private SendResult send(StoredMessage message) {
    transport.send(List.of(message), results);
    SendResult result = results.next().result();
    while (!results.has(message)) {
      result = results.next().result();
    }
    return result;
  }

  private void awaitAcknowledged(String topic) {
    long deadline = System.nanoTime() + Results.LIMIT.toNanos();
    while (send(topic) != SendResult.ACKNOWLEDGED) {
      assertThat(System.nanoTime()).as("topic %s is served again", topic).isLessThan(deadline);
    }
  }
}
