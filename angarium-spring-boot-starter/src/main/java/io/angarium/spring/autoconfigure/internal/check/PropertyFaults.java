package io.angarium.spring.autoconfigure.internal.check;

import io.angarium.ConfigurationException;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.relay.settings.RelayConfig;
import io.angarium.spring.autoconfigure.internal.details.BrokerDefaults;
import io.angarium.spring.autoconfigure.internal.mapping.HalfMapping;
import io.angarium.spring.autoconfigure.internal.mapping.HttpMapping;
import io.angarium.spring.autoconfigure.internal.mapping.KafkaMapping;
import io.angarium.spring.autoconfigure.internal.mapping.MetricsMapping;
import io.angarium.spring.autoconfigure.internal.mapping.PropertyMapping;
import io.angarium.spring.autoconfigure.internal.mapping.RabbitMapping;
import io.angarium.spring.autoconfigure.internal.mapping.ReceiptsMapping;
import io.angarium.spring.autoconfigure.internal.mapping.RedisMapping;
import io.angarium.spring.autoconfigure.internal.mapping.RocketMapping;
import io.angarium.spring.settings.AngariumProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Everything that is out of range in the properties, by the full names of the properties. */
final class PropertyFaults {
  private static final String NODE_ANY = "node";

  private final Surroundings around;
  private final List<String> faults = new ArrayList<>();

  private PropertyFaults(Surroundings around) {
    this.around = around;
  }

  static List<String> of(
      AngariumProperties properties,
      Purpose purpose,
      BrokerDefaults defaults,
      Surroundings around) {
    PropertyFaults gathered = new PropertyFaults(around);
    AngariumProperties.Relay relay = properties.relay();
    gathered.check(() -> PropertyMapping.limits(properties));
    gathered.check(() -> PropertyMapping.partitioning(properties));
    gathered.check(() -> PropertyMapping.jdbc(properties));
    gathered.schema("jdbc", properties.jdbc().schema(), properties.jdbc().schemaMode());
    gathered.check(() -> ReceiptsMapping.check(properties.confirmation()));
    gathered.faults.addAll(EndpointFaults.of(properties, purpose, around));
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
    if (properties.rocketmq().transactions().enabled() && around.haveRocket()) {
      boolean told = purpose.hasTransports(properties) && properties.rocketmq().enabled();
      gathered.check(
          () ->
              RocketMapping.checkTransactions(
                  properties.rocketmq(), defaults.rocketNameServers(), told));
    }
    if (relay.enabled() && properties.handler().enabled()) {
      gathered.check(() -> PropertyMapping.handler(properties.handler()));
    }
    if (properties.inbox().enabled()) {
      gathered.check(() -> PropertyMapping.inbox(properties));
      gathered.schema("inbox", properties.inbox().schema(), properties.inbox().schemaMode());
    }
    if (properties.inbox().redis().enabled()) {
      gathered.redis(properties.inbox().redis(), defaults);
    }
    if (properties.half().enabled()) {
      gathered.half(properties.half());
    }
    gathered.faults.addAll(ConsoleFaults.of(properties.console(), around));
    gathered.faults.addAll(AlertFaults.of(properties.alerts(), around));
    if (properties.metrics().enabled() && around.haveMetrics()) {
      gathered.check(() -> MetricsMapping.metrics(properties.metrics()));
    }
    return gathered.faults;
  }

  /** A mode in the place of a schema's name is a slip: the tables would be looked for there. */
  private void schema(String group, @Nullable String schema, @Nullable SchemaMode mode) {
    boolean slip =
        mode == null
            && Stream.of(SchemaMode.values())
                .anyMatch(each -> each.name().equalsIgnoreCase(schema));
    if (slip) {
      String property = "angarium." + group + ".schema";
      faults.add(
          "%s: %s (expected: the name of a database schema; did you mean %s-mode=%s?)"
              .formatted(property, schema, property, schema));
    }
  }

  private void transports(AngariumProperties properties, BrokerDefaults defaults) {
    check(() -> PropertyMapping.cloudEvents(properties));
    if (properties.kafka().enabled() && around.haveKafka() && !around.haveOwnKafka()) {
      checkAll(() -> KafkaMapping.checks(properties, defaults.kafka().get()));
    }
    if (properties.rabbitmq().enabled() && around.haveRabbit() && !around.haveOwnRabbit()) {
      checkAll(() -> RabbitMapping.checks(properties.rabbitmq(), defaults.rabbit().get()));
    }
    if (properties.rocketmq().enabled() && around.haveRocket()) {
      RocketMapping.checks(properties.rocketmq(), defaults.rocketNameServers())
          .forEach(this::check);
    }
    if (around.haveHttp() && HttpMapping.isWanted(properties.http())) {
      HttpMapping.checks(properties.http()).forEach(this::check);
    }
  }

  private void redis(AngariumProperties.Redis given, BrokerDefaults defaults) {
    if (around.haveRedis() && around.haveOwnRedis()) {
      check(() -> RedisMapping.inbox(given));
    } else if (around.haveRedis()) {
      checkAll(() -> RedisMapping.checks(given, defaults.redis().get()));
    } else {
      faults.add(
          MissingModule.behindSwitch(
              "angarium.inbox.redis.enabled", "angarium-redis and spring-tx"));
    }
  }

  private void half(AngariumProperties.Half given) {
    HalfWays.of(given, around::have).forEach(faults::add);
    HalfWays.checks(given, around::have).forEach(this::check);
    check(() -> PropertyMapping.checkBack(given.check()));
    if (given.http().server() != null) {
      overHttp("http.server", () -> HalfMapping.server(given.http(), null));
    }
    if (given.check().hasHosts()) {
      String hosts = given.check().allowedHosts().isEmpty() ? "allowed-hosts-of" : "allowed-hosts";
      overHttp("check." + hosts, () -> HalfMapping.producers(given.check()));
    }
  }

  private void overHttp(String property, Runnable mapping) {
    if (around.haveHttp()) {
      check(mapping);
    } else {
      faults.add(MissingModule.behindValue("angarium.half." + property, "angarium-http"));
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

  private void checkAll(Supplier<List<Runnable>> mappings) {
    check(() -> mappings.get().forEach(this::check));
  }

  private void check(Runnable mapping) {
    try {
      mapping.run();
    } catch (ConfigurationException e) {
      e.faults().forEach(fault -> faults.add(named(fault)));
    }
  }

  /** Properties of Spring have their full names already. */
  private static String named(String fault) {
    return fault.startsWith("spring.") ? fault : "angarium." + fault;
  }
}
