package io.angarium.spring.autoconfigure;

import io.angarium.ConfigurationException;
import io.angarium.Destination;
import io.angarium.confirmation.ConfirmationWatch;
import io.angarium.confirmation.Confirmations;
import io.angarium.confirmation.ReceiptIntake;
import io.angarium.confirmation.Receipts;
import io.angarium.confirmation.TransportReceipts;
import io.angarium.handler.HandlerTransport;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.settings.SchemaFeature;
import io.angarium.relay.settings.RelayListener;
import io.angarium.spring.autoconfigure.internal.mapping.PropertyMapping;
import io.angarium.spring.autoconfigure.internal.mapping.ReceiptsMapping;
import io.angarium.spring.autoconfigure.internal.mapping.ReceiptsReaders;
import io.angarium.spring.autoconfigure.internal.run.ConfirmationLifecycle;
import io.angarium.spring.autoconfigure.internal.run.ConfirmationWarnings;
import io.angarium.spring.autoconfigure.internal.web.ReceiptsRoute;
import io.angarium.spring.settings.AngariumProperties;
import io.angarium.transport.Transport;
import java.util.List;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/** Confirmations of sent messages at the producer, and receipts at the consumer. */
@AutoConfiguration(
    after = {
      AngariumAutoConfiguration.class,
      AngariumKafkaAutoConfiguration.class,
      AngariumRabbitAutoConfiguration.class,
      AngariumRocketAutoConfiguration.class,
      AngariumHttpAutoConfiguration.class
    },
    before = AngariumInboxAutoConfiguration.class)
@Import(ReceiptsRoute.class)
public final class AngariumConfirmationAutoConfiguration {
  /** Creates the configuration. */
  public AngariumConfirmationAutoConfiguration() {}

  /** Made when it is first asked for: it needs tables. */
  @Bean
  @Lazy
  @ConditionalOnBean(JdbcDatabase.class)
  @ConditionalOnMissingBean
  Confirmations angariumConfirmations(
      JdbcDatabase database, ObjectProvider<RelayListener> listeners) {
    return database.confirmations(RelayListener.all(() -> listeners.orderedStream().toList()));
  }

  @Bean
  @Lazy
  @ConditionalOnBean(Confirmations.class)
  @ConditionalOnMissingBean
  ReceiptIntake angariumReceiptIntake(Confirmations confirmations) {
    return new ReceiptIntake(confirmations);
  }

  @Bean
  @ConditionalOnBean(Confirmations.class)
  @ConditionalOnMissingBean
  @ConditionalOnProperty(name = "angarium.relay.enabled", matchIfMissing = true)
  ConfirmationLifecycle angariumConfirmationLifecycle(
      AngariumProperties properties,
      ObjectProvider<JdbcDatabase> database,
      ObjectProvider<Confirmations> confirmations,
      ObjectProvider<ReceiptIntake> intake,
      Environment environment,
      BeanFactory beans) {
    AngariumProperties.Confirmation given = properties.confirmation();
    String group = ReceiptsMapping.group(given, environment.getProperty("spring.application.name"));
    return new ConfirmationLifecycle(
        () -> isAnyLeft(database, confirmations),
        () ->
            ConfirmationWatch.start(confirmations.getObject(), PropertyMapping.confirmation(given)),
        from -> ReceiptsReaders.start(beans, from, group, intake.getObject()),
        given);
  }

  /** From the time when confirmation was on, if there are tables of it. */
  private static boolean isAnyLeft(
      ObjectProvider<JdbcDatabase> database, ObjectProvider<Confirmations> confirmations) {
    boolean tables = database.stream().allMatch(each -> each.has(SchemaFeature.CONFIRMATION));
    return tables && confirmations.getObject().unconfirmed() > 0;
  }

  @Bean
  @ConditionalOnBean(AngariumProperties.class)
  ConfirmationWarnings angariumConfirmationWarnings(
      ConfigurableListableBeanFactory beans, AngariumProperties properties) {
    return new ConfirmationWarnings(beans, properties.confirmation());
  }

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnProperty("angarium.confirmation.report-to")
  Receipts angariumReceipts(AngariumProperties properties, ObjectProvider<Transport> transports) {
    Destination to = Destination.parse(String.valueOf(properties.confirmation().reportTo()));
    // a handler's transport needs the inbox, which needs these receipts
    return transports.stream(type -> !HandlerTransport.class.isAssignableFrom(type))
        .filter(transport -> transport.name().equals(to.transport()))
        .findFirst()
        .map(transport -> Receipts.start(new TransportReceipts(transport, to)))
        .orElseThrow(
            () ->
                new ConfigurationException(
                    List.of(
                        "angarium.confirmation.report-to: "
                            + to
                            + " (expected: a destination of a transport of this application, which"
                            + " has none named "
                            + to.transport()
                            + "; add its module)")));
  }
}
