package io.angarium.benchmarks.arm;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Sends to the topic of an arm with the idempotent producer of Kafka, and counts what the broker
 * acknowledged; for arms that bring no sender of their own. Thread-safe.
 */
public final class KafkaSender implements AutoCloseable {
  private final KafkaProducer<byte[], byte[]> producer;
  private final String topic;
  private final AtomicLong acknowledged = new AtomicLong();

  /**
   * @param lingerMillis how long a batch waits for more
   */
  public KafkaSender(ArmSettings settings, int lingerMillis) {
    this.topic = settings.topic();
    this.producer =
        new KafkaProducer<>(
            Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, settings.bootstrapServers(),
                ProducerConfig.ACKS_CONFIG, "all",
                ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true",
                ProducerConfig.BATCH_SIZE_CONFIG, "131072",
                ProducerConfig.LINGER_MS_CONFIG, Integer.toString(lingerMillis),
                ProducerConfig.MAX_REQUEST_SIZE_CONFIG, "4194304",
                ProducerConfig.BUFFER_MEMORY_CONFIG, "67108864"),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  /**
   * Sends; blocks only while the client's buffer is full.
   *
   * @param done gets null once the broker has acknowledged the record, else the failure
   */
  @SuppressWarnings("FutureReturnValueIgnored") // the callback gets the result
  public void send(@Nullable String key, byte[] payload, Consumer<@Nullable Exception> done) {
    producer.send(
        new ProducerRecord<>(topic, bytes(key), payload),
        (metadata, failure) -> {
          if (failure == null) {
            acknowledged.incrementAndGet();
          }
          done.accept(failure);
        });
  }

  private static byte @Nullable [] bytes(@Nullable String key) {
    return key == null ? null : key.getBytes(StandardCharsets.UTF_8);
  }

  /** Messages acknowledged so far. */
  public long acknowledged() {
    return acknowledged.get();
  }

  @Override
  public void close() {
    producer.close();
  }
}
