package io.angarium.kafka;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;

/**
 * What consumers are told that read for us: they see no record of a transaction that was aborted,
 * and commit offsets only when we say so.
 */
public final class ConsumerSettings {
  private ConsumerSettings() {}

  /** A new group begins at the start of a topic. Properties of producers are left out. */
  public static Map<String, Object> of(KafkaConfig config, String group) {
    Map<String, Object> settings = new HashMap<>();
    config
        .properties()
        .forEach(
            (name, value) -> {
              if (ConsumerConfig.configNames().contains(name)) {
                settings.put(name, value);
              }
            });
    SslContextEngines.addTo(settings, config);
    settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, config.bootstrapServers());
    settings.put(ConsumerConfig.GROUP_ID_CONFIG, group);
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    return settings;
  }
}
