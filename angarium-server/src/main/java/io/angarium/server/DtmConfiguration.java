package io.angarium.server;

import io.angarium.half.HalfMessages;
import io.angarium.http.HttpConfig;
import io.angarium.http.HttpTransport;
import java.security.SecureRandom;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/** What answers the calls of dtm, where that is switched on. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("angarium.server.dtm.enabled")
class DtmConfiguration {
  @Bean
  DtmSteps dtmSteps(ServerProperties properties) {
    return new DtmSteps(properties.dtm().business());
  }

  /** Half messages need the relay, and the relay its transports: so they are looked for later. */
  @Bean
  DtmTransport dtmTransport(HttpConfig config, @Lazy HalfMessages half, DtmSteps steps) {
    return new DtmTransport(HttpTransport.dtm(config), half, steps);
  }

  @Bean
  DtmDesk dtmDesk(MessageDesk desk, DtmSteps steps, DtmTransport transport) {
    return new DtmDesk(desk, steps, transport);
  }

  @Bean
  DtmGids dtmGids() {
    return new DtmGids(new SecureRandom());
  }
}
