package io.angarium.spring.autoconfigure;

import io.angarium.ConfigurationException;
import io.angarium.relay.RelayConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.util.ClassUtils;

/** Everything that is out of range in the properties, by the full names of the properties. */
final class PropertyFaults {
  private static final String NODE_ANY = "node";

  private final List<String> faults = new ArrayList<>();

  private PropertyFaults() {}

  static List<String> of(AngariumProperties properties, BrokerDefaults defaults) {
    PropertyFaults gathered = new PropertyFaults();
    AngariumProperties.Relay relay = properties.relay();
    gathered.check(() -> PropertyMapping.limits(properties));
    gathered.check(() -> PropertyMapping.partitioning(properties));
    gathered.check(() -> PropertyMapping.jdbc(properties));
    gathered.check(() -> PropertyMapping.leasing(relay));
    gathered.check(() -> PropertyMapping.polling(relay));
    gathered.check(() -> PropertyMapping.window(relay));
    gathered.check(() -> ownOf(relay));
    gathered.check(() -> PropertyMapping.backoff(properties.retry()));
    gathered.check(() -> PropertyMapping.circuit(properties.circuit()));
    if (relay.enabled() && properties.kafka().enabled() && kafkaIsPresent()) {
      gathered.check(() -> KafkaMapping.kafka(properties.kafka(), defaults.kafkaServers()));
    }
    if (relay.enabled() && properties.rabbitmq().enabled() && rabbitIsPresent()) {
      RabbitMapping.checks(properties.rabbitmq(), defaults).forEach(gathered::check);
    }
    if (relay.enabled() && properties.rocketmq().enabled() && rocketIsPresent()) {
      gathered.check(() -> RocketMapping.rocket(properties.rocketmq(), defaults));
    }
    if (properties.rocketmq().transactions().enabled() && rocketIsPresent()) {
      boolean told = relay.enabled() && properties.rocketmq().enabled();
      gathered.check(() -> RocketMapping.checkTransactions(properties.rocketmq(), defaults, told));
    }
    if (relay.enabled() && httpIsPresent() && HttpMapping.isWanted(properties.http())) {
      HttpMapping.checks(properties.http()).forEach(gathered::check);
    }
    if (relay.enabled() && properties.handler().enabled()) {
      gathered.check(() -> PropertyMapping.handler(properties.handler()));
    }
    if (properties.inbox().enabled()) {
      gathered.check(() -> PropertyMapping.inbox(properties));
    }
    if (properties.metrics().enabled() && metricsArePresent()) {
      gathered.check(() -> MetricsMapping.metrics(properties.metrics()));
    }
    return gathered.faults;
  }

  /** The relay's own settings, apart from its parts. */
  private static RelayConfig ownOf(AngariumProperties.Relay given) {
    RelayConfig standard = RelayConfig.defaults(PropertyMapping.or(given.node(), NODE_ANY));
    return new RelayConfig(
        standard.node(),
        standard.partitioning(),
        standard.leasing(),
        standard.polling(),
        standard.window(),
        PropertyMapping.or(given.closeTimeout(), standard.closeTimeout()));
  }

  private static boolean kafkaIsPresent() {
    return arePresent(
        "io.angarium.kafka.KafkaTransport", "org.apache.kafka.clients.producer.KafkaProducer");
  }

  private static boolean rabbitIsPresent() {
    return arePresent(
        "io.angarium.rabbitmq.RabbitTransport", "com.rabbitmq.client.ConnectionFactory");
  }

  private static boolean rocketIsPresent() {
    return arePresent(
        "io.angarium.rocketmq.RocketTransport",
        "org.apache.rocketmq.client.producer.DefaultMQProducer");
  }

  private static boolean httpIsPresent() {
    return arePresent("io.angarium.http.HttpTransport");
  }

  private static boolean metricsArePresent() {
    return arePresent(
        "io.angarium.micrometer.RelayMetrics", "io.micrometer.core.instrument.MeterRegistry");
  }

  private static boolean arePresent(String... classes) {
    ClassLoader loader = PropertyFaults.class.getClassLoader();
    return Stream.of(classes).allMatch(name -> ClassUtils.isPresent(name, loader));
  }

  private void check(Runnable mapping) {
    try {
      mapping.run();
    } catch (ConfigurationException e) {
      e.faults().forEach(fault -> faults.add("angarium." + fault));
    }
  }
}
