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

/** The idempotent producer of Kafka; for arms that bring no sender of their own. Thread-safe. */
public final class KafkaSender implements Sender {
  private final KafkaProducer<byte[], byte[]> producer;
  private final String topic;
  private final AtomicLong acknowledged = new AtomicLong();

  /**
   * @param lingerMillis how long a batch waits for more
   * @throws IllegalArgumentException if the messages are to go to another broker
   */
  public KafkaSender(ArmSettings settings, int lingerMillis) {
    if (settings.broker() != BrokerKind.KAFKA) {
      throw new IllegalArgumentException(
          "broker: " + settings.broker() + " (expected: " + BrokerKind.KAFKA + ")");
    }
    this.topic = settings.topic();
    this.producer =
        new KafkaProducer<>(
            Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, settings.brokerAddress(),
                ProducerConfig.ACKS_CONFIG, "all",
                ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true",
                ProducerConfig.BATCH_SIZE_CONFIG, "131072",
                ProducerConfig.LINGER_MS_CONFIG, Integer.toString(lingerMillis),
                ProducerConfig.MAX_REQUEST_SIZE_CONFIG, "4194304",
                ProducerConfig.BUFFER_MEMORY_CONFIG, "67108864"),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // the callback gets the result
  public void send(@Nullable String key, byte[] payload, Consumer<@Nullable Throwable> done) {
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

  @Override
  public long acknowledged() {
    return acknowledged.get();
  }

  @Override
  public void close() {
    producer.close();
  }
}
