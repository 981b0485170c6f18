package io.angarium.spring.autoconfigure;

import io.angarium.Destination;
import io.angarium.TimeSource;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.JdbcLeaseStore;
import io.angarium.jdbc.settings.SchemaFeature;
import io.angarium.operation.OperationRunner;
import io.angarium.operation.OperationStore;
import io.angarium.pause.PauseStore;
import io.angarium.relay.Relay;
import io.angarium.relay.settings.DestinationPolicy;
import io.angarium.relay.settings.RelayConfig;
import io.angarium.relay.settings.RelayListener;
import io.angarium.spring.autoconfigure.internal.check.MissingTransports;
import io.angarium.spring.autoconfigure.internal.check.Surroundings;
import io.angarium.spring.autoconfigure.internal.mapping.PropertyMapping;
import io.angarium.spring.autoconfigure.internal.run.NodeNames;
import io.angarium.spring.autoconfigure.internal.run.OperationLifecycle;
import io.angarium.spring.autoconfigure.internal.run.RelayParts;
import io.angarium.spring.operate.RelayLifecycle;
import io.angarium.spring.settings.AngariumProperties;
import io.angarium.store.OutboxStore;
import io.angarium.store.lease.LeaseStore;
import io.angarium.transport.Transport;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;

/** The relay of this process, with all transports and listeners that are beans. */
@AutoConfiguration(
    after = {AngariumAutoConfiguration.class, AngariumHandlerAutoConfiguration.class},
    // By name: this class can be compiled without their modules.
    afterName = {
      "io.angarium.spring.autoconfigure.AngariumKafkaAutoConfiguration",
      "io.angarium.spring.autoconfigure.AngariumRabbitAutoConfiguration",
      "io.angarium.spring.autoconfigure.AngariumRocketAutoConfiguration",
      "io.angarium.spring.autoconfigure.AngariumHttpAutoConfiguration"
    })
@ConditionalOnBean(OutboxStore.class)
@ConditionalOnProperty(name = "angarium.relay.enabled", matchIfMissing = true)
public final class AngariumRelayAutoConfiguration {
  /** Creates the configuration. */
  public AngariumRelayAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  JdbcLeaseStore angariumLeases(JdbcDatabase database) {
    return database.leases();
  }

  @Bean
  @ConditionalOnMissingBean
  RelayConfig angariumRelayConfig(AngariumProperties properties) {
    return PropertyMapping.relay(properties, NodeNames.unique());
  }

  @Bean
  @ConditionalOnMissingBean
  RelayParts angariumRelayParts(
      AngariumProperties properties,
      ApplicationContext context,
      OutboxStore store,
      LeaseStore leases,
      RelayConfig config,
      ObjectProvider<Transport> transports,
      ObjectProvider<RelayListener> listeners,
      ObjectProvider<Function<Destination, DestinationPolicy>> policies,
      ObjectProvider<TimeSource> time,
      ObjectProvider<JdbcDatabase> database,
      ObjectProvider<Consumer<Relay>> watchers) {
    DestinationPolicy standard = PropertyMapping.policy(properties);
    List<Transport> all =
        transports.orderedStream().map(PropertyMapping.cloudEvents(properties)::around).toList();
    if (all.isEmpty()) {
      throw MissingTransports.fault(new Surroundings(context), properties.http());
    }
    return new RelayParts(
        store,
        leases,
        config,
        all,
        properties.relay().defaultTransport(),
        listeners.orderedStream().toList(),
        policies.getIfAvailable(() -> destination -> standard),
        time.getIfAvailable(() -> TimeSource.SYSTEM),
        () -> pauses(database.getIfUnique()),
        watchers.orderedStream().toList());
  }

  private static Optional<PauseStore> pauses(@Nullable JdbcDatabase database) {
    return database != null && database.has(SchemaFeature.CONSOLE)
        ? Optional.of(database.pauseStore())
        : Optional.empty();
  }

  /** Operations of persons; they go on wherever a relay runs. */
  @Bean
  @ConditionalOnMissingBean
  OperationLifecycle angariumOperations(
      RelayConfig config, ObjectProvider<JdbcDatabase> database, ObjectProvider<TimeSource> time) {
    return new OperationLifecycle(
        () ->
            operations(database.getIfUnique())
                .map(
                    store ->
                        new OperationRunner(
                            store, config.node(), time.getIfAvailable(() -> TimeSource.SYSTEM))));
  }

  private static Optional<OperationStore> operations(@Nullable JdbcDatabase database) {
    return database != null && database.has(SchemaFeature.CONSOLE)
        ? Optional.of(database.operationStore())
        : Optional.empty();
  }

  /** The outbox hands messages to it, so its parts come later: handlers may send by that outbox. */
  @Bean
  @ConditionalOnMissingBean
  RelayLifecycle angariumRelay(ObjectProvider<RelayParts> parts) {
    return new RelayLifecycle(() -> parts.getObject().relay());
  }
}
