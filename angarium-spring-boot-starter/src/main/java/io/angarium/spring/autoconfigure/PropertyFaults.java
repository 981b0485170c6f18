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

  static List<String> of(AngariumProperties properties, Purpose purpose, BrokerDefaults defaults) {
    PropertyFaults gathered = new PropertyFaults();
    AngariumProperties.Relay relay = properties.relay();
    gathered.check(() -> PropertyMapping.limits(properties));
    gathered.check(() -> PropertyMapping.partitioning(properties));
    gathered.check(() -> PropertyMapping.jdbc(properties));
    gathered.receipts(properties.confirmation(), purpose);
    gathered.check(() -> PropertyMapping.leasing(relay));
    gathered.check(() -> PropertyMapping.polling(relay));
    gathered.check(() -> PropertyMapping.window(relay));
    gathered.check(() -> ownOf(relay));
    gathered.check(() -> PropertyMapping.backoff(properties.retry()));
    gathered.check(() -> PropertyMapping.circuit(properties.circuit()));
    if (properties.retention().enabled()) {
      gathered.check(() -> PropertyMapping.retention(properties.retention()));
    }
    if (purpose.hasTransports(properties)) {
      gathered.transports(properties, defaults);
    }
    if (properties.rocketmq().transactions().enabled() && rocketIsPresent()) {
      boolean told = purpose.hasTransports(properties) && properties.rocketmq().enabled();
      gathered.check(() -> RocketMapping.checkTransactions(properties.rocketmq(), defaults, told));
    }
    if (relay.enabled() && properties.handler().enabled()) {
      gathered.check(() -> PropertyMapping.handler(properties.handler()));
    }
    if (properties.inbox().enabled()) {
      gathered.check(() -> PropertyMapping.inbox(properties));
    }
    if (properties.inbox().redis().enabled()) {
      gathered.redis(properties.inbox().redis(), defaults.redis());
    }
    if (properties.half().enabled()) {
      gathered.half(properties.half());
    }
    if (properties.metrics().enabled() && metricsArePresent()) {
      gathered.check(() -> MetricsMapping.metrics(properties.metrics()));
    }
    return gathered.faults;
  }

  private void transports(AngariumProperties properties, BrokerDefaults defaults) {
    if (properties.kafka().enabled() && kafkaIsPresent()) {
      check(() -> KafkaMapping.kafka(properties.kafka(), defaults.kafkaServers()));
    }
    if (properties.rabbitmq().enabled() && rabbitIsPresent()) {
      RabbitMapping.checks(properties.rabbitmq(), defaults).forEach(this::check);
    }
    if (properties.rocketmq().enabled() && rocketIsPresent()) {
      check(() -> RocketMapping.rocket(properties.rocketmq(), defaults));
    }
    if (httpIsPresent() && HttpMapping.isWanted(properties.http())) {
      HttpMapping.checks(properties.http()).forEach(this::check);
    }
  }

  private void receipts(AngariumProperties.Confirmation given, Purpose purpose) {
    check(() -> ReceiptsMapping.check(given));
    check(() -> EndpointMapping.check(given.receiptsEndpoint()));
    if (!given.receiptsEndpoint().enabled()) {
      return;
    }
    needsMvc(EndpointMapping.RECEIPTS);
    if (httpIsPresent()) {
      check(() -> SignatureMapping.of(given.receiptsEndpoint()));
    } else {
      notEnabled(EndpointMapping.RECEIPTS, "or angarium-http on the class path");
    }
    if (purpose == Purpose.CONSUME) {
      notEnabled(EndpointMapping.RECEIPTS, "as there is no outbox whose messages they confirm");
    }
  }

  private void needsMvc(String endpoint) {
    if (!mvcIsPresent()) {
      notEnabled(endpoint, "or Spring MVC on the class path");
    }
  }

  private void notEnabled(String endpoint, String unless) {
    faults.add("angarium." + endpoint + "enabled: true (expected: false, " + unless + ")");
  }

  private void redis(AngariumProperties.Redis given, RedisDefaults defaults) {
    if (redisIsPresent()) {
      RedisMapping.checks(given, defaults).forEach(this::check);
    } else {
      faults.add(
          "angarium.inbox.redis.enabled: true (expected: false, or angarium-redis and spring-tx on"
              + " the class path)");
    }
  }

  private void half(AngariumProperties.Half given) {
    HalfWays.of(given, PropertyFaults::arePresent).forEach(faults::add);
    HalfWays.checks(given, PropertyFaults::arePresent).forEach(this::check);
    boolean onServer = given.http().server() != null;
    boolean asked = given.checkBackEndpoint().enabled();
    boolean overHttp = onServer || asked || given.check().hasHosts();
    if (overHttp && !httpIsPresent()) {
      faults.add(
          "angarium.half."
              + (onServer
                  ? "http.server"
                  : asked ? "check-back-endpoint.enabled" : "check.allowed-hosts")
              + ": given (expected: none, or angarium-http on the class path)");
      return;
    }
    if (onServer) {
      check(() -> HalfMapping.server(given.http(), null));
    }
    check(() -> PropertyMapping.checkBack(given.check()));
    check(() -> EndpointMapping.check(given.checkBackEndpoint()));
    if (asked) {
      check(() -> SignatureMapping.of(given.checkBackEndpoint()));
      needsMvc(EndpointMapping.CHECK_BACK);
    }
    if (given.check().hasHosts()) {
      check(() -> HalfMapping.producers(given.check()));
    }
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

  private static boolean redisIsPresent() {
    return arePresent(
        "io.angarium.redis.RedisInbox",
        "io.lettuce.core.RedisClient",
        "org.springframework.transaction.support.TransactionSynchronizationManager");
  }

  private static boolean httpIsPresent() {
    return arePresent("io.angarium.http.HttpTransport");
  }

  private static boolean mvcIsPresent() {
    return arePresent(
        "org.springframework.web.servlet.function.RouterFunction",
        "jakarta.servlet.http.HttpServletRequest");
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
