package io.angarium.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@RequiresServer(Server.KAFKA)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // The server is started before the first test.
@Thorough
class KafkaServerTest {
  private KafkaServer kafka;

  @BeforeAll
  void start() {
    kafka = KafkaServer.start(ServerOptions.standard().ownProcess().proxied());
  }

  @AfterAll
  void close() {
    kafka.close();
  }

  @Test
  void keepsAcknowledgedRecordsThroughKillAndRestart() throws Exception {
    kafka.createTopic("killed", 1);
    try (KafkaProducer<String, String> producer = producer()) {
      producer.send(new ProducerRecord<>("killed", "before")).get(30, TimeUnit.SECONDS);

      kafka.kill();
      assertThat(kafka.pid()).isEmpty();
      // The producer may have forgotten the topic with the broker, and then send() itself blocks.
      CompletableFuture<Long> during =
          CompletableFuture.supplyAsync(() -> sendAndAwait(producer, "killed", "during"));
      kafka.restart();
      assertThat(during.get(60, TimeUnit.SECONDS)).isPositive();
    }

    assertThat(read("killed", 2)).containsExactly("before", "during");
  }

  @Test
  void stopsInGoodOrderAndStartsAgain() throws Exception {
    kafka.createTopic("stopped", 1);
    send("stopped", "value");

    kafka.stop();
    assertThat(kafka.pid()).isEmpty();
    kafka.restart();

    assertThat(read("stopped", 1)).containsExactly("value");
  }

  @Test
  void acknowledgesNothingWhilePausedAndGoesOnAfterwards() throws Exception {
    kafka.createTopic("paused", 1);
    try (KafkaProducer<String, String> producer = producer()) {
      producer.send(new ProducerRecord<>("paused", "first")).get(30, TimeUnit.SECONDS);

      kafka.pause();
      Future<RecordMetadata> second = producer.send(new ProducerRecord<>("paused", "second"));
      assertThatThrownBy(() -> second.get(300, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      kafka.resume();

      assertThat(second.get(30, TimeUnit.SECONDS).offset()).isEqualTo(1);
    }
  }

  @Test
  void sendsClientsThroughItsProxyAlsoAfterTheyLearnedTheAddresses() throws Exception {
    kafka.createTopic("proxied", 1);
    try (KafkaProducer<String, String> producer = producer()) {
      producer.send(new ProducerRecord<>("proxied", "first")).get(30, TimeUnit.SECONDS);

      kafka.proxy().blackhole();
      Future<RecordMetadata> second = producer.send(new ProducerRecord<>("proxied", "second"));
      assertThatThrownBy(() -> second.get(300, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      assertThat(read("proxied", 1)).containsExactly("first");
      kafka.proxy().heal();

      assertThat(second.get(30, TimeUnit.SECONDS).offset()).isEqualTo(1);
    }
  }

  @Test
  void losesAnAcknowledgementOfARecordThatItStored() throws Exception {
    kafka.createTopic("unacknowledged", 1);
    try (KafkaProducer<String, String> producer = producer(Map.of("retries", 0))) {
      producer.send(new ProducerRecord<>("unacknowledged", "first")).get(30, TimeUnit.SECONDS);

      kafka.proxy().blackhole(FaultProxy.Way.TO_CLIENT);
      Future<RecordMetadata> second =
          producer.send(new ProducerRecord<>("unacknowledged", "second"));
      assertThat(read("unacknowledged", 2)).containsExactly("first", "second");
      kafka.proxy().cutAll();

      assertThatThrownBy(() -> second.get(30, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class);
    } finally {
      kafka.proxy().heal();
    }
  }

  @Test
  void takesTheServersOwnSettings() throws Exception {
    ServerOptions options =
        ServerOptions.standard().ownProcess().setting("auto.create.topics.enable", "false");
    try (KafkaServer strict = KafkaServer.start(options);
        KafkaProducer<String, String> producer =
            producer(strict.bootstrapServers(), Map.of("max.block.ms", 500))) {
      Future<RecordMetadata> refused = producer.send(new ProducerRecord<>("nowhere", "value"));

      assertThatThrownBy(refused::get).hasMessageContaining("nowhere");
      assertThat(strict.version()).startsWith("4.2");
    }
  }

  private void send(String topic, String value) throws Exception {
    try (KafkaProducer<String, String> producer = producer()) {
      producer.send(new ProducerRecord<>(topic, value)).get(30, TimeUnit.SECONDS);
    }
  }

  private static long sendAndAwait(
      KafkaProducer<String, String> producer, String topic, String value) {
    try {
      return producer.send(new ProducerRecord<>(topic, value)).get(60, TimeUnit.SECONDS).offset();
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  private KafkaProducer<String, String> producer() {
    return producer(Map.of());
  }

  private KafkaProducer<String, String> producer(Map<String, Object> settings) {
    return producer(kafka.bootstrapServers(), settings);
  }

  private static KafkaProducer<String, String> producer(
      String bootstrapServers, Map<String, Object> settings) {
    Map<String, Object> all = new HashMap<>(settings);
    all.put("bootstrap.servers", bootstrapServers);
    all.put("enable.idempotence", !settings.containsKey("retries"));
    all.put("linger.ms", 0);
    return new KafkaProducer<>(all, new StringSerializer(), new StringSerializer());
  }

  /** Reads past the proxy until this many records have come. */
  private List<String> read(String topic, int count) {
    Map<String, Object> settings = Map.of("bootstrap.servers", kafka.directBootstrapServers());
    List<String> values = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
      TopicPartition partition = new TopicPartition(topic, 0);
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      while (values.size() < count && System.nanoTime() < deadline) {
        for (ConsumerRecord<String, String> found : consumer.poll(Duration.ofMillis(100))) {
          values.add(found.value());
        }
      }
    }
    return values;
  }
}
