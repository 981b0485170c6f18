package io.angarium.grpc;

import io.angarium.TimeSource;
import io.angarium.half.HalfMessages;
import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.concurrent.Executor;

/**
 * Half messages for producers elsewhere, as a service for any gRPC server:
 *
 * <pre>{@code
 * NettyServerBuilder.forPort(9090).addService(new GrpcHalfService(half, executor)).build().start();
 * }</pre>
 *
 * A refused step is an answer. A message that breaks a limit is {@code INVALID_ARGUMENT}, a
 * database that is away {@code UNAVAILABLE}, too many requests {@code RESOURCE_EXHAUSTED}. A gRPC
 * server takes requests of 4 MiB by default; where the limit of a payload is raised to more than 4
 * 000 000 bytes, raise {@code maxInboundMessageSize} of the server, too. Who may call is up to the
 * server and its interceptors; what is served may throw a {@link io.grpc.StatusRuntimeException} to
 * give a status of its own, e.g. {@code RESOURCE_EXHAUSTED} to who calls too often. Thread-safe.
 */
public final class GrpcHalfService implements BindableService {
  private final HalfEndpoint endpoint;

  /**
   * A service with at most 64 requests under way.
   *
   * @param half what is served; stays open when the server ends
   * @param executor makes the calls, which block; its threads should be about as many as requests
   *     may be under way. Must run for as long as the server does
   */
  public GrpcHalfService(HalfMessages half, Executor executor) {
    this(half, executor, BoundedExecution.REQUESTS_DEFAULT);
  }

  /**
   * A service with another number of requests under way.
   *
   * @param requestsMax further ones fail at once with {@code RESOURCE_EXHAUSTED}, 1..10 000; each
   *     can hold as many bytes as the server takes in one
   * @throws io.angarium.ConfigurationException if the number is out of range
   */
  public GrpcHalfService(HalfMessages half, Executor executor, int requestsMax) {
    this(half, executor, requestsMax, TimeSource.SYSTEM);
  }

  GrpcHalfService(HalfMessages half, Executor executor, int requestsMax, TimeSource time) {
    this.endpoint =
        new HalfEndpoint(half, new BoundedExecution(executor, requestsMax), new HalfFailures(time));
  }

  /**
   * What a {@link HalfMessages} of yours throws if it refuses some of the calls that were made
   * together and none took effect. Clients then make the calls of each caller by themselves, so
   * that those that are not at fault are taken.
   *
   * @param status which the callers at fault are told
   */
  public static StatusRuntimeException someRefused(Status status) {
    return HalfFailures.exception(status, HalfFailures.SOME_REFUSED);
  }

  @Override
  public ServerServiceDefinition bindService() {
    return WellFormedRequests.of(endpoint.bindService());
  }
}
