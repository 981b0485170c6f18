package io.angarium.spring.autoconfigure;

import io.angarium.confirmation.Receipts;
import io.angarium.inbox.Inbox;
import io.angarium.jdbc.InboxRotation;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.JdbcInbox;
import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.spring.OutboxDataSource;
import io.angarium.spring.SpringInbox;
import io.angarium.spring.autoconfigure.internal.check.ConfigurationCheck;
import io.angarium.spring.autoconfigure.internal.check.DataSourceFailure;
import io.angarium.spring.autoconfigure.internal.check.Purpose;
import io.angarium.spring.autoconfigure.internal.data.InboxTables;
import io.angarium.spring.autoconfigure.internal.data.OutboxDataSources;
import io.angarium.spring.autoconfigure.internal.data.TransactionManagers;
import io.angarium.spring.autoconfigure.internal.mapping.PropertyMapping;
import io.angarium.spring.settings.AngariumProperties;
import io.angarium.spring.settings.ConfigurationPart;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;

/** The inbox, where it is switched on; also in an application that sends nothing. */
@AutoConfiguration(after = AngariumAutoConfiguration.class)
@ConditionalOnClass({DataSource.class, DataSourceTransactionManager.class})
@ConditionalOnBean(DataSource.class)
@ConditionalOnProperty(name = "angarium.inbox.enabled")
@EnableConfigurationProperties(AngariumProperties.class)
public final class AngariumInboxAutoConfiguration {
  /** Creates the configuration. */
  public AngariumInboxAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean(ConfigurationCheck.class)
  static ConfigurationCheck angariumInboxConfigurationCheck(
      ApplicationContext context, ObjectProvider<ConfigurationPart<?>> parts) {
    return new ConfigurationCheck(Purpose.CONSUME, context, parts);
  }

  /** Opens the outbox first, where there is one: its failure lists the faults of both. */
  @Bean(InboxTables.BEAN)
  @ConditionalOnMissingBean
  @DependsOnDatabaseInitialization
  JdbcInbox angariumJdbcInbox(
      AngariumProperties properties,
      ObjectProvider<JdbcDatabase> outbox,
      @OutboxDataSource ObjectProvider<DataSource> marked,
      ObjectProvider<DataSource> all) {
    outbox.getIfUnique();
    InboxConfig config = PropertyMapping.inbox(properties);
    return DataSourceFailure.naming(
        OutboxDataSources.choose(marked, all), dataSource -> JdbcInbox.open(dataSource, config));
  }

  /** The one to inject; the other is a part of it. */
  @Bean
  @Primary
  @ConditionalOnMissingBean(value = Inbox.class, ignored = JdbcInbox.class)
  SpringInbox angariumInbox(
      @OutboxDataSource ObjectProvider<DataSource> marked,
      ObjectProvider<DataSource> all,
      ListableBeanFactory beans,
      JdbcInbox inbox,
      ObjectProvider<Receipts> receipts) {
    DataSource dataSource = OutboxDataSources.choose(marked, all);
    return new SpringInbox(
        dataSource,
        TransactionManagers.ofInbox(dataSource, beans),
        inbox,
        receipts.getIfAvailable());
  }

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnProperty(name = "angarium.inbox.rotation", matchIfMissing = true)
  InboxRotation angariumInboxRotation(JdbcInbox inbox) {
    return InboxRotation.start(inbox);
  }
}
