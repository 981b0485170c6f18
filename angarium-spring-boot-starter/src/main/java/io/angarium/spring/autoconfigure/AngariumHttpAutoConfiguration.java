package io.angarium.spring.autoconfigure;

import io.angarium.http.HttpConfig;
import io.angarium.http.HttpTransport;
import io.angarium.spring.autoconfigure.internal.mapping.HttpMapping;
import io.angarium.spring.autoconfigure.internal.web.OnHttpHooks;
import io.angarium.spring.settings.AngariumProperties;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/** The transport to web hooks, where its module is present and a hook or host is configured. */
@AutoConfiguration(after = AngariumAutoConfiguration.class)
@ConditionalOnClass(HttpTransport.class)
@ConditionalOnBean(AngariumProperties.class)
@ConditionalOnProperty(
    name = {"angarium.relay.enabled", "angarium.http.enabled"},
    matchIfMissing = true)
@Conditional(OnHttpHooks.class)
public final class AngariumHttpAutoConfiguration {
  /** Creates the configuration. */
  public AngariumHttpAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  HttpConfig angariumHttpConfig(AngariumProperties properties) {
    return HttpMapping.http(properties.http());
  }

  @Bean
  @ConditionalOnMissingBean
  HttpTransport angariumHttpTransport(HttpConfig config) {
    return HttpTransport.open(config);
  }
}
