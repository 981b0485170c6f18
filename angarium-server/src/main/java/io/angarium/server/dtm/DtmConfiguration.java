package io.angarium.server.dtm;

import io.angarium.half.HalfMessages;
import io.angarium.http.HttpConfig;
import io.angarium.http.HttpTransport;
import io.angarium.server.calls.MessageDesk;
import io.angarium.server.settings.OnSwitch;
import io.angarium.server.settings.ServerProperties;
import java.security.SecureRandom;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/** What answers the calls of dtm, where that is switched on. */
@Configuration(proxyBeanMethods = false)
@OnSwitch("dtm.enabled")
class DtmConfiguration {
  private static final Duration STORE_PART_MAX = Duration.ofSeconds(5);

  @Bean
  DtmSteps dtmSteps(ServerProperties properties) {
    return new DtmSteps(properties.dtm().business());
  }

  /** Half messages need the relay, and the relay its transports: so they are looked for later. */
  @Bean
  DtmTransport dtmTransport(HttpConfig config, @Lazy HalfMessages half, DtmSteps steps) {
    return new DtmTransport(HttpTransport.dtm(config), new DtmStores(half, STORE_PART_MAX), steps);
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
