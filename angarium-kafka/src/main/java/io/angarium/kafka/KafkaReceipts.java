package io.angarium.kafka;

import io.angarium.confirmation.ReceiptIntake;
import io.angarium.confirmation.ReceiptReading;
import io.angarium.confirmation.ReceiptSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads receipts from a topic, on a thread of its own, and notes them; the offsets are committed
 * after that. Every node of the producer may have one, in the same group. Thread-safe.
 */
public final class KafkaReceipts implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration COMMIT_MAX = Duration.ofSeconds(10);
  private static final Duration CLOSE_MAX = Duration.ofSeconds(3);
  private static final Logger LOG = LoggerFactory.getLogger(KafkaReceipts.class);

  private final ReceiptReading reading;

  private KafkaReceipts(ReceiptReading reading) {
    this.reading = reading;
  }

  /**
   * Starts reading. While that fails, it logs the failure and retries. It waits for a missing
   * topic, and Kafka's client logs a warning about it.
   *
   * @param config how to reach the cluster; its properties of producers are left out
   * @param group of consumers, the same on every node of the producer
   * @param topic that consumers send their receipts to; a new group begins at its start
   */
  public static KafkaReceipts start(
      KafkaConfig config, String group, String topic, ReceiptIntake intake) {
    Map<String, Object> settings = ConsumerSettings.of(config, group);
    return new KafkaReceipts(
        ReceiptReading.start("kafka", topic, () -> new Session(settings, topic, intake)));
  }

  private static final class Session implements ReceiptSource.Session {
    private final String topic;
    private final ReceiptIntake intake;
    private final KafkaConsumer<byte[], byte[]> consumer;

    Session(Map<String, Object> settings, String topic, ReceiptIntake intake) {
      this.topic = topic;
      this.intake = intake;
      this.consumer =
          new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
      consumer.subscribe(List.of(topic));
    }

    @Override
    public boolean read() {
      ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
      if (records.isEmpty()) {
        return true;
      }
      List<byte[]> texts = new ArrayList<>();
      for (ConsumerRecord<byte[], byte[]> record : records) {
        if (record.value() != null) {
          texts.add(record.value());
        }
      }
      boolean taken = intake.taken(topic, texts);
      if (taken) {
        consumer.commitSync(COMMIT_MAX);
      } else {
        readAgain(records);
      }
      return taken;
    }

    private void readAgain(ConsumerRecords<byte[], byte[]> records) {
      for (TopicPartition partition : records.partitions()) {
        consumer.seek(partition, records.records(partition).get(0).offset());
      }
    }

    @Override
    @SuppressWarnings("deprecation") // what took its place is missing in clients before 4.1
    public void close() {
      try {
        consumer.close(CLOSE_MAX);
      } catch (RuntimeException e) {
        LOG.debug("The consumer of the receipts from {} failed closing", topic, e);
      }
    }
  }

  /** Ends the reading; waits five seconds at most. May be called twice. */
  @Override
  public void close() {
    reading.close();
  }
}
