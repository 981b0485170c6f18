package io.angarium.server.dubbo;

import io.angarium.TimeSource;
import io.angarium.dubbo.DubboCheckBackConfig;
import io.angarium.dubbo.DubboCheckBackTransport;
import io.angarium.half.HalfMessages;
import io.angarium.server.access.Access;
import io.angarium.server.access.Caller;
import io.angarium.server.bodies.BodyMemory;
import io.angarium.server.calls.CheckBackAddresses;
import io.angarium.server.calls.MessageDesk;
import io.angarium.server.calls.PermittedHalfMessages;
import io.angarium.server.calls.UndecidedQuota;
import io.angarium.server.metrics.ServerMetrics;
import io.angarium.server.settings.CheckBackProperties;
import io.angarium.server.settings.OnEntries;
import io.angarium.server.settings.OptionalLibraries;
import io.angarium.server.settings.ServerProperties;
import io.angarium.spring.settings.AngariumProperties;
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
    long limit = ServerProperties.payloadBytesMax(starter);
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
