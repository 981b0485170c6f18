package io.angarium.spring.autoconfigure;

import io.angarium.ConfigurationException;
import io.angarium.handler.HandlerConfig;
import io.angarium.handler.HandlerTransport;
import io.angarium.handler.OutboxHandler;
import io.angarium.inbox.Inbox;
import io.angarium.spring.autoconfigure.internal.mapping.PropertyMapping;
import io.angarium.spring.settings.AngariumProperties;
import java.sql.Connection;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/** The transport to handlers of this application, where there are any. */
@AutoConfiguration(after = {AngariumAutoConfiguration.class, AngariumInboxAutoConfiguration.class})
@ConditionalOnBean({AngariumProperties.class, OutboxHandler.class})
@ConditionalOnProperty(
    name = {"angarium.relay.enabled", "angarium.handler.enabled"},
    matchIfMissing = true)
public final class AngariumHandlerAutoConfiguration {
  /** Creates the configuration. */
  public AngariumHandlerAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  HandlerConfig angariumHandlerConfig(AngariumProperties properties) {
    return PropertyMapping.handler(properties.handler());
  }

  @Bean
  @ConditionalOnMissingBean
  HandlerTransport<Connection> angariumHandlerTransport(
      HandlerConfig config,
      ObjectProvider<Inbox<Connection>> inboxes,
      ObjectProvider<OutboxHandler<? super Connection>> handlers) {
    Inbox<Connection> inbox = inboxes.getIfAvailable();
    if (inbox == null) {
      throw new ConfigurationException(
          List.of(
              "angarium.inbox.enabled: false (expected: true, as there are beans of OutboxHandler,"
                  + " whose messages are processed once by the inbox; or angarium.handler.enabled:"
                  + " false)"));
    }
    return HandlerTransport.open(inbox, handlers.orderedStream().toList(), config);
  }
}
