package io.angarium.server.metrics;

import io.angarium.grpc.v1.HalfMessagesGrpc;
import io.angarium.server.bodies.BodyMemory;
import io.angarium.server.kafka.KafkaIntakeLifecycle;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** Counts what comes in by the ways that Spring Boot does not measure. Thread-safe. */
public final class ServerMetrics {
  private static final String WAY = "way";
  private static final String CODE = "code";
  private static final String GRPC = "grpc";
  public static final String DUBBO = "dubbo";
  private static final String KAFKA = "kafka";
  private static final String DEAD_LETTER = "DEAD_LETTER";

  private final MeterRegistry registry;

  public ServerMetrics(MeterRegistry registry) {
    this.registry = registry;
    request(GRPC, 0);
    request(DUBBO, 0);
  }

  /** Shows what bodies take. */
  public void show(BodyMemory memory) {
    Gauge.builder(ServerMeter.BODY_MEMORY.meterName(), memory, BodyMemory::taken)
        .description(ServerMeter.BODY_MEMORY.description())
        .strongReference(true)
        .register(registry);
  }

  /** Shows what the intake does. */
  public void show(KafkaIntakeLifecycle intake) {
    FunctionCounter.builder(
            ServerMeter.REQUESTS.meterName(),
            intake,
            each -> each.recordsTaken() + each.recordsRefused())
        .description(ServerMeter.REQUESTS.description())
        .tag(WAY, KAFKA)
        .register(registry);
    FunctionCounter.builder(
            ServerMeter.REFUSALS.meterName(), intake, KafkaIntakeLifecycle::recordsRefused)
        .description(ServerMeter.REFUSALS.description())
        .tag(WAY, KAFKA)
        .tag(CODE, DEAD_LETTER)
        .register(registry);
    Gauge.builder(ServerMeter.INTAKE_LAG.meterName(), intake, KafkaIntakeLifecycle::lag)
        .description(ServerMeter.INTAKE_LAG.description())
        .strongReference(true)
        .register(registry);
  }

  /** Counts requests that came by a way. */
  public void request(String way, int count) {
    Counter.builder(ServerMeter.REQUESTS.meterName())
        .description(ServerMeter.REQUESTS.description())
        .tag(WAY, way)
        .register(registry)
        .increment(count);
  }

  /** Counts a request that was refused. */
  public void refusal(String way, String code) {
    Counter.builder(ServerMeter.REFUSALS.meterName())
        .description(ServerMeter.REFUSALS.description())
        .tag(WAY, way)
        .tag(CODE, code)
        .register(registry)
        .increment();
  }

  /**
   * Counts requests of producers over gRPC, a stream of them as one, by the status of their answer.
   */
  public ServerInterceptor grpc() {
    return new ServerInterceptor() {
      @Override
      public <Q, R> ServerCall.Listener<Q> interceptCall(
          ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        if (!HalfMessagesGrpc.SERVICE_NAME.equals(call.getMethodDescriptor().getServiceName())) {
          return next.startCall(call, headers);
        }
        request(GRPC, 1);
        return next.startCall(
            new SimpleForwardingServerCall<Q, R>(call) {
              @Override
              public void close(Status status, Metadata trailers) {
                if (!status.isOk()) {
                  refusal(GRPC, status.getCode().name());
                }
                super.close(status, trailers);
              }
            },
            headers);
      }
    };
  }
}
