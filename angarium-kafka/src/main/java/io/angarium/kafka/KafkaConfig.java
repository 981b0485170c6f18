package io.angarium.kafka;

import io.angarium.ConfigFaults;
import java.time.Duration;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * How to reach a Kafka cluster and how to send to it. Start with {@link #of} and change parts, each
 * giving a copy. Immutable.
 *
 * @param bootstrapServers {@code host:port}, several separated by commas
 * @param clientId the name of this client in the broker's logs and quotas, 1..200 characters;
 *     default {@code angarium}
 * @param linger how long a batch waits for more records before it is sent, 0..1 s; default 0. With
 *     0, few messages are sent at once, and only messages of a backlog wait up to 5 ms for fuller
 *     batches
 * @param deliveryTimeout how long the broker is tried before a message has the result Unavailable,
 *     500 ms..2 min; default 5 s. A partition also stays unread for this time after its owner died,
 *     so keep it near the lease
 * @param holdMax how long a message is held back while its topic is looked up, a connection is made
 *     or the buffer is full, 100 ms..1 min; default 2 s. Holding back one topic does not hold up
 *     others. A topic that the brokers do not know after this time is refused, unless this
 *     transport has sent to it before
 * @param missingAfter for how long a topic that this transport has sent to must be missing before
 *     its messages are refused, 0..1 h; default 2 min. Until then it is an outage, which costs no
 *     attempt. A newly opened transport has not sent to any topic
 * @param bufferBytes memory for records in flight, 1 MiB..4 GiB; default 64 MiB. Should be twice
 *     the relay's window in bytes
 * @param batchBytes the largest batch of one Kafka partition before compression, 1 KiB..16 MiB;
 *     default 128 KiB
 * @param compression how batches are compressed; default none
 * @param properties further properties of the Kafka producer in Kafka's own spelling, e.g. {@code
 *     security.protocol}. Properties that have a part of their own here are faults. Values that
 *     would weaken safety or order are faults, too
 * @param sslContext trusted certificates and the client's own key, for a {@code security.protocol}
 *     with TLS. It replaces Kafka's properties for key stores and trust stores. Null, the default,
 *     leaves TLS to these properties
 */
public record KafkaConfig(
    String bootstrapServers,
    String clientId,
    Duration linger,
    Duration deliveryTimeout,
    Duration holdMax,
    Duration missingAfter,
    long bufferBytes,
    int batchBytes,
    Compression compression,
    Map<String, String> properties,
    @Nullable SSLContext sslContext) {

  /** How batches are compressed. */
  public enum Compression {
    /** Not at all. */
    NONE,
    /** LZ4: cheap, about half the size for text. */
    LZ4,
    /** Zstandard: smaller than LZ4 at some more CPU. */
    ZSTD,
    /** Snappy: much like LZ4. */
    SNAPPY,
    /** Gzip: for consumers that know nothing else. */
    GZIP
  }

  private static final long MIB = 1L << 20;

  /**
   * Checks everything.
   *
   * @throws io.angarium.ConfigurationException listing all faults at once
   */
  public KafkaConfig {
    properties = Map.copyOf(properties);
    ConfigFaults faults = new ConfigFaults();
    BootstrapServers.check(bootstrapServers, faults);
    boolean named = !clientId.isBlank() && clientId.length() <= 200;
    faults
        .require(named, "kafka.client-id", "'" + clientId + "'", "1..200 characters")
        .range("kafka.linger", linger, Duration.ZERO, Duration.ofSeconds(1))
        .range(
            "kafka.delivery-timeout",
            deliveryTimeout,
            Duration.ofMillis(500),
            Duration.ofMinutes(2))
        .range("kafka.hold-max", holdMax, Duration.ofMillis(100), Duration.ofMinutes(1))
        .range("kafka.missing-after", missingAfter, Duration.ZERO, Duration.ofHours(1))
        .range("kafka.buffer", bufferBytes, MIB, 4096 * MIB)
        .range("kafka.batch", batchBytes, 1024, 16 * MIB)
        .require(
            batchBytes <= bufferBytes / 4, "kafka.batch", batchBytes, "at most a fourth of buffer");
    ProducerSettings.check(properties, linger, deliveryTimeout, bufferBytes, faults);
    if (sslContext != null) {
      ProducerSettings.checkBesideSslContext(properties, faults);
    }
    faults.throwIfAny();
  }

  /**
   * The defaults for a cluster.
   *
   * @throws io.angarium.ConfigurationException if the servers are not of the form {@code host:port}
   */
  public static KafkaConfig of(String bootstrapServers) {
    return new KafkaConfig(
        bootstrapServers,
        "angarium",
        Duration.ZERO,
        Duration.ofSeconds(5),
        Duration.ofSeconds(2),
        Duration.ofMinutes(2),
        64 * MIB,
        128 << 10,
        Compression.NONE,
        Map.of(),
        null);
  }

  /** A copy with another client id. */
  public KafkaConfig clientId(String clientId) {
    return new KafkaConfig(
        bootstrapServers,
        clientId,
        linger,
        deliveryTimeout,
        holdMax,
        missingAfter,
        bufferBytes,
        batchBytes,
        compression,
        properties,
        sslContext);
  }

  /** A copy with another linger. */
  public KafkaConfig linger(Duration linger) {
    return new KafkaConfig(
        bootstrapServers,
        clientId,
        linger,
        deliveryTimeout,
        holdMax,
        missingAfter,
        bufferBytes,
        batchBytes,
        compression,
        properties,
        sslContext);
  }

  /** A copy with another delivery timeout. */
  public KafkaConfig deliveryTimeout(Duration deliveryTimeout) {
    return new KafkaConfig(
        bootstrapServers,
        clientId,
        linger,
        deliveryTimeout,
        holdMax,
        missingAfter,
        bufferBytes,
        batchBytes,
        compression,
        properties,
        sslContext);
  }

  /** A copy with another longest time of holding back. */
  public KafkaConfig holdMax(Duration holdMax) {
    return new KafkaConfig(
        bootstrapServers,
        clientId,
        linger,
        deliveryTimeout,
        holdMax,
        missingAfter,
        bufferBytes,
        batchBytes,
        compression,
        properties,
        sslContext);
  }

  /** A copy with another time after which a topic that it has sent to is missing. */
  public KafkaConfig missingAfter(Duration missingAfter) {
    return new KafkaConfig(
        bootstrapServers,
        clientId,
        linger,
        deliveryTimeout,
        holdMax,
        missingAfter,
        bufferBytes,
        batchBytes,
        compression,
        properties,
        sslContext);
  }

  /** A copy with another buffer. */
  public KafkaConfig bufferBytes(long bufferBytes) {
    return new KafkaConfig(
        bootstrapServers,
        clientId,
        linger,
        deliveryTimeout,
        holdMax,
        missingAfter,
        bufferBytes,
        batchBytes,
        compression,
        properties,
        sslContext);
  }

  /** A copy with another largest batch. */
  public KafkaConfig batchBytes(int batchBytes) {
    return new KafkaConfig(
        bootstrapServers,
        clientId,
        linger,
        deliveryTimeout,
        holdMax,
        missingAfter,
        bufferBytes,
        batchBytes,
        compression,
        properties,
        sslContext);
  }

  /** A copy with another compression. */
  public KafkaConfig compression(Compression compression) {
    return new KafkaConfig(
        bootstrapServers,
        clientId,
        linger,
        deliveryTimeout,
        holdMax,
        missingAfter,
        bufferBytes,
        batchBytes,
        compression,
        properties,
        sslContext);
  }

  /** A copy with exactly these further properties of the Kafka producer. */
  public KafkaConfig properties(Map<String, String> properties) {
    return new KafkaConfig(
        bootstrapServers,
        clientId,
        linger,
        deliveryTimeout,
        holdMax,
        missingAfter,
        bufferBytes,
        batchBytes,
        compression,
        properties,
        sslContext);
  }

  /** A copy with another SSL context; null for none. */
  public KafkaConfig sslContext(@Nullable SSLContext sslContext) {
    return new KafkaConfig(
        bootstrapServers,
        clientId,
        linger,
        deliveryTimeout,
        holdMax,
        missingAfter,
        bufferBytes,
        batchBytes,
        compression,
        properties,
        sslContext);
  }

  /** Everything but the values of further properties, which may be secret. */
  @Override
  public String toString() {
    return "KafkaConfig[bootstrapServers=%s, clientId=%s, linger=%s, deliveryTimeout=%s, holdMax=%s, missingAfter=%s, bufferBytes=%d, batchBytes=%d, compression=%s, properties=%s, sslContext=%s]"
        .formatted(
            bootstrapServers,
            clientId,
            linger,
            deliveryTimeout,
            holdMax,
            missingAfter,
            bufferBytes,
            batchBytes,
            compression,
            properties.keySet(),
            sslContext == null ? "none" : "own");
  }
}
