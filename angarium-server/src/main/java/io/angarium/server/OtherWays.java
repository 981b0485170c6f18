package io.angarium.server;

import io.angarium.TimeSource;
import io.angarium.dubbo.DubboCheckBackConfig;
import io.angarium.dubbo.DubboCheckBackTransport;
import io.angarium.grpc.GrpcCheckBackTransport;
import io.angarium.half.HalfMessages;
import io.angarium.spring.autoconfigure.AngariumProperties;
import java.io.IOException;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The ways in besides HTTP and Kafka, and the ways to producers besides HTTP. */
@Configuration(proxyBeanMethods = false)
class OtherWays {
  @Bean
  GrpcLifecycle grpc(
      ServerProperties properties, MessageDesk desk, Access access, BodyMemory memory) {
    return new GrpcLifecycle(
        properties.grpc(),
        new GrpcHalfDesk(desk),
        new GrpcAccess(access),
        new GrpcBodies(
            memory,
            2 * properties.grpc().requestMax().toBytes(),
            properties.bodyTimeout(),
            TimeSource.SYSTEM));
  }

  @Bean
  @OnEntries("check-back.grpc.allowed-hosts")
  GrpcCheckBackTransport grpcCheckBack(ServerProperties properties, AngariumProperties starter)
      throws IOException {
    return GrpcProducers.open(properties.checkBack().grpc(), starter.half().check().timeout());
  }

  @Bean
  DubboLifecycle dubbo(
      ServerProperties properties,
      MessageDesk desk,
      Access access,
      HalfMessages half,
      CheckBackAddresses checkBackAddresses,
      AngariumProperties starter) {
    long limit = ServerConfiguration.payloadBytesMax(starter);
    Caller caller = Caller.dubbo(properties.dubbo(), limit, TimeSource.SYSTEM);
    HalfMessages permitted = new PermittedHalfMessages(half, caller, checkBackAddresses);
    return new DubboLifecycle(
        properties.dubbo(),
        properties.asksWho() ? DubboHalfDesk.service(desk, access) : null,
        new PacedHalfMessages(permitted, properties.dubbo().rate(), TimeSource.SYSTEM));
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
