package io.angarium.spring.autoconfigure;

import static io.angarium.spring.autoconfigure.PropertyMapping.bytes;
import static io.angarium.spring.autoconfigure.PropertyMapping.or;

import io.angarium.kafka.KafkaConfig;
import io.angarium.kafka.KafkaConfig.Compression;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/** Maps the properties of Kafka; apart, because the Kafka module need not be present. */
final class KafkaMapping {
  private KafkaMapping() {}

  /**
   * @param serversDefault used if the properties name no servers; null for none
   */
  static KafkaConfig kafka(AngariumProperties.Kafka given, @Nullable String serversDefault) {
    // The defaults do not depend on the servers.
    KafkaConfig standard = KafkaConfig.of("localhost:9092");
    DataSize buffer = given.buffer();
    return new KafkaConfig(
        or(given.bootstrapServers(), or(serversDefault, "")),
        or(given.clientId(), standard.clientId()),
        or(given.linger(), standard.linger()),
        or(given.deliveryTimeout(), standard.deliveryTimeout()),
        or(given.holdMax(), standard.holdMax()),
        buffer == null ? standard.bufferBytes() : buffer.toBytes(),
        bytes(given.batch(), standard.batchBytes()),
        compression(given.compression(), standard.compression()),
        given.properties());
  }

  private static Compression compression(
      AngariumProperties.@Nullable Compression given, Compression standard) {
    return given == null ? standard : Compression.valueOf(given.name());
  }
}
