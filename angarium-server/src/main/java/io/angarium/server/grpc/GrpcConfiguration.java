package io.angarium.server.grpc;

import io.angarium.TimeSource;
import io.angarium.grpc.GrpcCheckBackTransport;
import io.angarium.server.access.Access;
import io.angarium.server.bodies.BodyMemory;
import io.angarium.server.calls.MessageDesk;
import io.angarium.server.metrics.ServerMetrics;
import io.angarium.server.settings.OnEntries;
import io.angarium.server.settings.ServerProperties;
import io.angarium.spring.settings.AngariumProperties;
import java.io.IOException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The way in over gRPC, and the way to producers over it. */
@Configuration(proxyBeanMethods = false)
class GrpcConfiguration {
  @Bean
  GrpcLifecycle grpc(
      ServerProperties properties,
      MessageDesk desk,
      Access access,
      ServerMetrics metrics,
      BodyMemory memory) {
    return new GrpcLifecycle(
        properties.grpc(),
        new GrpcHalfDesk(desk),
        new GrpcAccess(access),
        metrics.grpc(),
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
}
