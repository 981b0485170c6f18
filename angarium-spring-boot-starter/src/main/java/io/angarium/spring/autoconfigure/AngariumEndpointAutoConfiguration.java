package io.angarium.spring.autoconfigure;

import io.angarium.background.BackgroundWork;
import io.angarium.deadletter.DeadLetters;
import io.angarium.spring.autoconfigure.internal.run.RelayHealth;
import io.angarium.spring.autoconfigure.internal.web.AngariumEndpoint;
import io.angarium.spring.autoconfigure.internal.web.AngariumWebEndpoint;
import io.angarium.spring.autoconfigure.internal.web.DeadLetterDesk;
import io.angarium.spring.autoconfigure.internal.web.UnreadableRequeues;
import io.angarium.spring.operate.RelayLifecycle;
import io.angarium.store.OutboxStore;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** The Actuator endpoint {@code angarium}, where the application exposes it. */
@AutoConfiguration(after = AngariumRelayAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnBean({OutboxStore.class, DeadLetters.class})
@Import(UnreadableRequeues.class)
public final class AngariumEndpointAutoConfiguration {
  /** Creates the configuration. */
  public AngariumEndpointAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnAvailableEndpoint
  AngariumEndpoint angariumEndpoint(
      OutboxStore store,
      DeadLetters dead,
      ObjectProvider<RelayLifecycle> relay,
      ObjectProvider<BackgroundWork> work) {
    RelayLifecycle lifecycle = relay.getIfAvailable();
    return new AngariumEndpoint(
        lifecycle == null ? null : new RelayHealth(lifecycle, store, work),
        store,
        new DeadLetterDesk(dead));
  }

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnBean(AngariumEndpoint.class)
  AngariumWebEndpoint angariumWebEndpoint(AngariumEndpoint endpoint) {
    return new AngariumWebEndpoint(endpoint);
  }
}
