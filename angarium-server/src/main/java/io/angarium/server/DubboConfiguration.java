package io.angarium.server;

import io.angarium.TimeSource;
import io.angarium.dubbo.DubboCheckBackConfig;
import io.angarium.dubbo.DubboCheckBackTransport;
import io.angarium.half.HalfMessages;
import io.angarium.spring.autoconfigure.AngariumProperties;
import java.time.Duration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The way in over Dubbo, and the way to producers over it, in the jar that has Dubbo. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(name = OptionalLibraries.DUBBO)
class DubboConfiguration {
  @Bean
  DubboBounds dubboBounds(ServerProperties properties, BodyMemory memory) {
    return new DubboBounds(
        properties.dubbo().connections(), memory, properties.bodyTimeout(), TimeSource.SYSTEM);
  }

  @Bean
  DubboLifecycle dubbo(
      ServerProperties properties,
      MessageDesk desk,
      Access access,
      HalfMessages half,
      CheckBackAddresses checkBackAddresses,
      DubboBounds bounds,
      ServerMetrics metrics,
      UndecidedQuota quota,
      AngariumProperties starter) {
    long limit = ServerConfiguration.payloadBytesMax(starter);
    Caller caller = Caller.dubbo(properties.dubbo(), limit, TimeSource.SYSTEM);
    HalfMessages permitted =
        new PermittedHalfMessages(
            half, caller, checkBackAddresses, quota, PacedHalfMessages::tooMany);
    DubboMetrics measured = new DubboMetrics(metrics);
    return new DubboLifecycle(
        properties.dubbo(),
        properties.asksWho() ? measured.counted(DubboHalfDesk.service(desk, access)) : null,
        measured.counted(
            new PacedHalfMessages(permitted, properties.dubbo().rate(), TimeSource.SYSTEM)),
        bounds);
  }

  @Bean
  @OnEntries("check-back.dubbo.allowed-addresses")
  DubboCheckBackTransport dubboCheckBack(ServerProperties properties, AngariumProperties starter) {
    CheckBackProperties.Dubbo given = properties.checkBack().dubbo();
    DubboCheckBackConfig config = DubboCheckBackConfig.allowing(given.addresses());
    Duration timeout = starter.half().check().timeout();
    return DubboCheckBackTransport.open(
        given.application(), timeout == null ? config : config.answer(timeout));
  }
}
