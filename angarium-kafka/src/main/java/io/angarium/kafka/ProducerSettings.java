package io.angarium.kafka;

import io.angarium.ConfigFaults;
import io.angarium.internal.DurationText;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.common.config.SslConfigs;

/** What the Kafka clients are told, and what a user must not tell them. */
public final class ProducerSettings {
  /** Properties that are set through a part of {@link KafkaConfig}, and what to set. */
  private static final Map<String, String> OWN_PART =
      Map.of(
          ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, "kafka.bootstrap-servers",
          ProducerConfig.CLIENT_ID_CONFIG, "kafka.client-id",
          ProducerConfig.LINGER_MS_CONFIG, "kafka.linger",
          ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, "kafka.delivery-timeout",
          ProducerConfig.MAX_BLOCK_MS_CONFIG, "KafkaConfig.holdMax",
          ProducerConfig.BUFFER_MEMORY_CONFIG, "KafkaConfig.bufferBytes",
          ProducerConfig.BATCH_SIZE_CONFIG, "kafka.batch",
          ProducerConfig.COMPRESSION_TYPE_CONFIG, "kafka.compression");

  /** Values that keep messages safe and in order; any other is a fault. */
  private static final Map<String, Set<String>> REQUIRED =
      Map.of(
          ProducerConfig.ACKS_CONFIG, Set.of("all", "-1"),
          ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, Set.of("true"),
          ConsumerConfig.ISOLATION_LEVEL_CONFIG, Set.of("read_committed"),
          ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, Set.of("1"),
          ProducerConfig.RETRIES_CONFIG, Set.of(String.valueOf(Integer.MAX_VALUE)),
          ProducerConfig.PARTITIONER_IGNORE_KEYS_CONFIG, Set.of("false"));

  /** Properties that have no place here, and why. */
  private static final Map<String, String> FORBIDDEN =
      Map.of(
          ProducerConfig.TRANSACTIONAL_ID_CONFIG, "none; the relay does not use transactions",
          ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, "none; keys are UTF-8",
          ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, "none; payloads are bytes");

  /** One request carries what has gathered for all partitions of a broker. */
  private static final int REQUEST_BYTES = 8 << 20;

  private static final Duration CONNECT_MAX = Duration.ofSeconds(2);

  /** While no broker answers, the client looks for one after each such pause, and logs a line. */
  private static final Duration RECONNECT_PAUSE = Duration.ofMillis(200);

  /** Kafka's own default, which it replaces by the first pause if only that is set. */
  private static final Duration RECONNECT_PAUSE_MAX = Duration.ofSeconds(1);

  /** How long batches of a backlog wait for more, if nothing else is said. */
  private static final Duration BACKLOG_LINGER = Duration.ofMillis(5);

  private ProducerSettings() {}

  static void check(
      Map<String, String> properties,
      Duration linger,
      Duration deliveryTimeout,
      long bufferBytes,
      ConfigFaults faults) {
    for (Map.Entry<String, String> property : properties.entrySet()) {
      checkAllowed(property.getKey(), property.getValue(), faults);
    }
    for (ConfigValue value : ProducerConfig.configDef().validate(properties)) {
      if (properties.containsKey(value.name())) {
        value.errorMessages().forEach(error -> faults.add(name(value.name()) + ": " + error));
      }
    }
    Duration half = deliveryTimeout.dividedBy(2); // what a request has, unless that is set
    boolean fits =
        properties.containsKey(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG)
            || linger.compareTo(half) <= 0;
    faults.require(
        fits, "kafka.linger", linger, "at most half of delivery-timeout, " + DurationText.of(half));
    Duration requestMax = deliveryTimeout.minus(effective(linger));
    checkAtMost(
        properties, ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, requestMax.toMillis(), faults);
    checkAtMost(properties, ProducerConfig.MAX_REQUEST_SIZE_CONFIG, bufferBytes, faults);
  }

  /** An SSL context holds what key stores and trust stores would say. */
  static void checkBesideSslContext(Map<String, String> properties, ConfigFaults faults) {
    for (String property : properties.keySet()) {
      boolean ofStore =
          property.startsWith("ssl.keystore.")
              || property.startsWith("ssl.truststore.")
              || property.equals(SslConfigs.SSL_KEY_PASSWORD_CONFIG)
              || property.equals(SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG);
      faults.require(!ofStore, name(property), "set", "not set beside an SSL context");
    }
    String protocol = properties.getOrDefault(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG, "");
    boolean encrypts = protocol.strip().toUpperCase(Locale.ROOT).endsWith("SSL");
    faults.require(
        encrypts,
        name(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG),
        protocol.isEmpty() ? "not set" : protocol,
        "SSL or SASL_SSL beside an SSL context");
  }

  private static void checkAllowed(String property, String value, ConfigFaults faults) {
    String part = OWN_PART.get(property);
    if (part != null) {
      faults.add(name(property) + ": " + value + " (expected: set " + part + " instead)");
    }
    String reason = FORBIDDEN.get(property);
    if (reason != null) {
      faults.add(name(property) + ": " + value + " (expected: " + reason + ")");
    }
    Set<String> required = REQUIRED.get(property);
    boolean safe = required == null || required.contains(value.strip().toLowerCase(Locale.ROOT));
    faults.require(
        safe,
        name(property),
        value,
        (required == null ? "" : String.join(" or ", required))
            + "; anything else could lose messages or their order");
    boolean scatters =
        property.equals(ProducerConfig.PARTITIONER_CLASS_CONFIG)
            && value.endsWith("RoundRobinPartitioner");
    faults.require(
        !scatters, name(property), value, "a partitioner that keeps a key in one partition");
  }

  private static void checkAtMost(
      Map<String, String> properties, String property, long max, ConfigFaults faults) {
    String value = properties.get(property);
    if (value != null && value.strip().matches("\\d{1,18}")) {
      faults.range(name(property), Long.parseLong(value.strip()), 1, max);
    }
  }

  private static String name(String property) {
    return "kafka.properties." + property;
  }

  /** The settings of a producer; what the user set wins over our defaults. */
  static Map<String, Object> producer(KafkaConfig config, String clientId) {
    Map<String, Object> settings = new HashMap<>();
    settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, requestBytes(config));
    settings.put(
        ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, millis(config.deliveryTimeout().dividedBy(2)));
    settings.put(ProducerConfig.SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG, millis(CONNECT_MAX));
    settings.put(
        ProducerConfig.SOCKET_CONNECTION_SETUP_TIMEOUT_MAX_MS_CONFIG,
        millis(CONNECT_MAX.multipliedBy(2)));
    if (!config.properties().containsKey(ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG)
        && !config.properties().containsKey(ProducerConfig.RECONNECT_BACKOFF_MS_CONFIG)) {
      settings.put(ProducerConfig.RECONNECT_BACKOFF_MS_CONFIG, RECONNECT_PAUSE.toMillis());
      settings.put(ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, RECONNECT_PAUSE_MAX.toMillis());
    }
    settings.putAll(config.properties());
    SslContextEngines.addTo(settings, config);
    settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, config.bootstrapServers());
    settings.put(ProducerConfig.CLIENT_ID_CONFIG, clientId);
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    settings.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
    settings.put(ProducerConfig.RETRIES_CONFIG, Integer.MAX_VALUE);
    settings.put(ProducerConfig.LINGER_MS_CONFIG, effective(config.linger()).toMillis());
    settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, millis(config.deliveryTimeout()));
    // send() must return at once: what cannot be appended now is held back and tried again.
    settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 0L);
    settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, config.bufferBytes());
    settings.put(ProducerConfig.BATCH_SIZE_CONFIG, config.batchBytes());
    settings.put(
        ProducerConfig.COMPRESSION_TYPE_CONFIG,
        config.compression().name().toLowerCase(Locale.ROOT));
    return settings;
  }

  /**
   * The settings of an admin client for the same cluster.
   *
   * @param purpose the last part of its name at the broker
   */
  public static Map<String, Object> admin(KafkaConfig config, String purpose, int timeoutMillis) {
    Map<String, Object> settings = new HashMap<>();
    config.properties().forEach(settings::put);
    settings.keySet().retainAll(AdminClientConfig.configNames());
    SslContextEngines.addTo(settings, config);
    settings.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, config.bootstrapServers());
    settings.put(AdminClientConfig.CLIENT_ID_CONFIG, config.clientId() + "-" + purpose);
    settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, timeoutMillis);
    settings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, timeoutMillis);
    return settings;
  }

  /** What the producer is told: with 0 we hurry it where messages are few. */
  private static Duration effective(Duration linger) {
    return linger.isZero() ? BACKLOG_LINGER : linger;
  }

  private static int requestBytes(KafkaConfig config) {
    return (int) Math.min(REQUEST_BYTES, config.bufferBytes());
  }

  private static int millis(Duration duration) {
    return Math.toIntExact(duration.toMillis());
  }
}
