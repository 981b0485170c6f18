package io.angarium.kafka;

import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A producer as the transport has it, for tests that open one with a clock or faults of theirs. */
final class RealProducer {
  private RealProducer() {}

  static Producer<byte[], byte[]> of(KafkaConfig config, String clientId) {
    return new KafkaProducer<>(
        ProducerSettings.producer(config, clientId),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }
}
