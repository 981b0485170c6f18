package io.angarium.spring.autoconfigure;

import io.angarium.Message;
import io.angarium.Outbox;
import io.angarium.TimeSource;
import io.angarium.deadletter.DeadLetters;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.JdbcOutboxStore;
import io.angarium.jdbc.RetentionRounds;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.relay.settings.RelayConfig;
import io.angarium.spring.OutboxDataSource;
import io.angarium.spring.SpringOutbox;
import io.angarium.spring.autoconfigure.internal.check.ConfigurationCheck;
import io.angarium.spring.autoconfigure.internal.check.DataSourceFailure;
import io.angarium.spring.autoconfigure.internal.check.Purpose;
import io.angarium.spring.autoconfigure.internal.data.InboxTables;
import io.angarium.spring.autoconfigure.internal.data.OutboxDataSources;
import io.angarium.spring.autoconfigure.internal.data.OutboxTransactionsRegistrar;
import io.angarium.spring.autoconfigure.internal.data.TransactionWarnings;
import io.angarium.spring.autoconfigure.internal.mapping.Dice;
import io.angarium.spring.autoconfigure.internal.mapping.PropertyMapping;
import io.angarium.spring.settings.AngariumProperties;
import io.angarium.spring.settings.ConfigurationPart;
import io.angarium.store.OutboxStore;
import io.angarium.transport.AddressCheck;
import io.angarium.transport.Transport;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;

/** The outbox on the data source, joined to Spring's transactions. */
@AutoConfiguration(
    afterName = {
      // Spring Boot 3
      "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
      "org.springframework.boot.autoconfigure.jdbc.XADataSourceAutoConfiguration",
      // Spring Boot 4
      "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
      "org.springframework.boot.jdbc.autoconfigure.XADataSourceAutoConfiguration"
    })
@ConditionalOnClass({DataSource.class, DataSourceTransactionManager.class})
@ConditionalOnBean(DataSource.class)
@ConditionalOnProperty(name = "angarium.enabled", matchIfMissing = true)
@EnableConfigurationProperties(AngariumProperties.class)
public final class AngariumAutoConfiguration {
  private static final Logger LOG = LoggerFactory.getLogger(AngariumAutoConfiguration.class);

  /** Creates the configuration. */
  public AngariumAutoConfiguration() {}

  @Bean
  static OutboxTransactionsRegistrar angariumTransactionsRegistrar() {
    return new OutboxTransactionsRegistrar();
  }

  @Bean
  static ConfigurationCheck angariumConfigurationCheck(
      ApplicationContext context, ObjectProvider<ConfigurationPart<?>> parts) {
    return new ConfigurationCheck(Purpose.SEND, context, parts);
  }

  @Bean
  @ConditionalOnMissingBean
  @DependsOnDatabaseInitialization
  JdbcDatabase angariumDatabase(
      AngariumProperties properties,
      @OutboxDataSource ObjectProvider<DataSource> marked,
      ObjectProvider<DataSource> all,
      ListableBeanFactory beans,
      ObjectProvider<TimeSource> time,
      ObjectProvider<RelayConfig> relay) {
    JdbcConfig config = PropertyMapping.jdbc(properties, relay.getIfUnique());
    TimeSource clock = time.getIfAvailable(() -> TimeSource.SYSTEM);
    DataSource chosen = OutboxDataSources.choose(marked, all);
    JdbcDatabase opened =
        InboxTables.besides(
            () ->
                DataSourceFailure.naming(
                    chosen, dataSource -> JdbcDatabase.open(dataSource, config, clock)),
            chosen,
            properties,
            beans);
    return OutboxDataSources.relaying(opened, properties.jdbc().relayDataSource(), beans);
  }

  @Bean
  @ConditionalOnMissingBean
  JdbcOutboxStore angariumStore(JdbcDatabase database) {
    return database.store();
  }

  /** Where persons and programs look after messages that were given up; needs no relay. */
  @Bean
  @ConditionalOnMissingBean
  DeadLetters angariumDeadLetters(OutboxStore store) {
    return store.deadLetters();
  }

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnProperty(name = "angarium.retention.enabled", matchIfMissing = true)
  RetentionRounds angariumRetention(JdbcDatabase database, AngariumProperties properties) {
    return RetentionRounds.start(
        database.retention(), PropertyMapping.retention(properties.retention()));
  }

  @Bean
  @ConditionalOnMissingBean
  AddressCheck angariumAddressCheck(AngariumProperties properties) {
    return new AddressCheck(
        properties.relay().defaultTransport(), PropertyMapping.unknownTransport(properties));
  }

  /** Not before all beans are there: transports may have handlers, which send by the outbox. */
  @Bean
  SmartInitializingSingleton angariumKnownTransports(
      AddressCheck addresses, ObjectProvider<Transport> transports) {
    return () -> addresses.know(transports.orderedStream().toList());
  }

  /** Not before all beans are there, so that no transaction manager is made too early. */
  @Bean
  SmartInitializingSingleton angariumTransactionWarnings(
      @OutboxDataSource ObjectProvider<DataSource> marked,
      ObjectProvider<DataSource> all,
      ListableBeanFactory beans) {
    return () -> {
      if (beans.containsBeanDefinition(OutboxDataSources.OUTBOX)) {
        TransactionWarnings.tell(OutboxDataSources.choose(marked, all), beans);
      }
    };
  }

  /**
   * Tells several outboxes apart: a message that goes to the wrong one is sent by another relay.
   */
  @Bean
  SmartInitializingSingleton angariumOutboxesAtStart(ListableBeanFactory beans) {
    return () -> {
      Map<String, String> types = new TreeMap<>();
      for (String name : beans.getBeanNamesForType(Outbox.class, true, false)) {
        Class<?> type = beans.getType(name, false);
        types.put(name, type == null ? "unknown" : type.getSimpleName());
      }
      if (types.size() > 1) {
        LOG.info(
            "Several beans are an Outbox, by name and type: {}. {} is the starter's, on its data"
                + " source; inject one by name, e.g. @Qualifier(\"{}\").",
            types,
            OutboxDataSources.OUTBOX,
            OutboxDataSources.OUTBOX);
      }
    };
  }

  @Bean
  @ConditionalOnMissingBean
  MessageIntake angariumIntake(
      AngariumProperties properties,
      AddressCheck addresses,
      @Value("${spring.application.name:#{null}}") String createdByDefault,
      ObjectProvider<UnaryOperator<Message>> decorators,
      ObjectProvider<TimeSource> time) {
    return new MessageIntake(
            PropertyMapping.limits(properties),
            PropertyMapping.partitioning(properties),
            PropertyMapping.or(properties.createdBy(), createdByDefault),
            decorators.orderedStream().toList(),
            time.getIfAvailable(() -> TimeSource.SYSTEM),
            Dice::roll)
        .checkingTransports(addresses);
  }

  @Bean
  @ConditionalOnMissingBean(name = OutboxDataSources.OUTBOX)
  SpringOutbox angariumOutbox(
      @OutboxDataSource ObjectProvider<DataSource> marked,
      ObjectProvider<DataSource> all,
      MessageIntake intake,
      JdbcDatabase database,
      ObjectProvider<Handover> handover) {
    return new SpringOutbox(
        OutboxDataSources.choose(marked, all),
        intake,
        database.writer(),
        handover.getIfAvailable(() -> Handover.NONE));
  }
}
