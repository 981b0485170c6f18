package io.angarium.spring.modulith;

import io.angarium.Outbox;
import io.angarium.PayloadCodec;
import io.angarium.TypeNames;
import io.angarium.spring.autoconfigure.AngariumAutoConfiguration;
import io.angarium.spring.autoconfigure.AngariumJacksonAutoConfiguration;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.config.EventExternalizationAutoConfiguration;

/** Sends the externalized events of Spring Modulith through the outbox. */
@AutoConfiguration(
    after = {
      EventExternalizationAutoConfiguration.class,
      AngariumAutoConfiguration.class,
      AngariumJacksonAutoConfiguration.class
    })
@ConditionalOnProperty(
    name = {"angarium.enabled", "spring.modulith.events.externalization.enabled"},
    matchIfMissing = true)
public final class AngariumModulithAutoConfiguration {
  /** Creates the configuration. */
  public AngariumModulithAutoConfiguration() {}

  @Bean
  static ExternalizationCheck angariumExternalizationCheck(ApplicationContext context) {
    return new ExternalizationCheck(context);
  }

  /** A listener of a parent context hears the events of this one, too. */
  @Bean
  @ConditionalOnMissingBean
  static ExternalizedEvents angariumExternalizedEvents(
      EventExternalizationConfiguration configuration,
      ObjectProvider<Outbox> outbox,
      ObjectProvider<PayloadCodec> codec,
      ObjectProvider<TypeNames> types,
      BeanFactory beans) {
    return new ExternalizedEvents(
        configuration,
        new EventMessages(configuration, codec::getObject, types::getIfAvailable, beans),
        outbox::getObject);
  }
}
