package io.angarium.server.grpc;

import io.angarium.grpc.GrpcHalfService;
import io.angarium.half.HalfMessages;
import io.angarium.internal.DurationText;
import io.angarium.server.calls.OtherWay;
import io.angarium.server.settings.GrpcProperties;
import io.angarium.server.settings.ServerProperties;
import io.angarium.spring.operate.RelayLifecycle;
import io.grpc.Server;
import io.grpc.ServerInterceptor;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;

/** Serves half messages over gRPC while the server runs, if it shall. Thread-safe. */
public final class GrpcLifecycle
    implements SmartLifecycle,
        OtherWay,
        ApplicationListener<AvailabilityChangeEvent<ReadinessState>> {
  private static final Logger LOG = LoggerFactory.getLogger(GrpcLifecycle.class);
  private static final Duration DRAIN_MAX = Duration.ofSeconds(10);
  private static final int IDLE_SECONDS = 30;

  private final GrpcProperties properties;
  private final HalfMessages half;
  private final GrpcAccess access;
  private final ServerInterceptor metrics;
  private final GrpcBodies bodies;
  private final HealthStatusManager health = new HealthStatusManager();
  private @Nullable Running running;

  /** A server with its threads, including the threads of the network. */
  private record Running(
      Server server,
      ThreadPoolExecutor threads,
      ScheduledExecutorService sweeps,
      EventLoopGroup accepting,
      EventLoopGroup network) {
    void end() {
      server.shutdownNow();
      threads.shutdown();
      sweeps.shutdown();
      GrpcLifecycle.end(accepting);
      GrpcLifecycle.end(network);
    }
  }

  private static void end(EventLoopGroup threads) {
    var unused = threads.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }

  /**
   * @param half what is served, made for {@link GrpcAccess#caller}
   * @param metrics sees each request before the access does
   */
  public GrpcLifecycle(
      GrpcProperties properties,
      HalfMessages half,
      GrpcAccess access,
      ServerInterceptor metrics,
      GrpcBodies bodies) {
    this.properties = properties;
    this.half = half;
    this.access = access;
    this.metrics = metrics;
    this.bodies = bodies;
    answerProbes(ServingStatus.NOT_SERVING); // the manager begins with SERVING
  }

  @Override
  public synchronized void start() {
    if (!properties.enabled() || running != null) {
      return;
    }
    ThreadPoolExecutor threads = threads(properties.requests());
    EventLoopGroup accepting = network(1, "angarium-grpc-accept-");
    EventLoopGroup network = network(0, "angarium-grpc-network-");
    ScheduledExecutorService sweeps =
        Executors.newSingleThreadScheduledExecutor(daemons("angarium-grpc-sweep-"));
    try {
      Server server = server(threads, accepting, network).start();
      var unused = sweeps.scheduleWithFixedDelay(this::sweep, 1, 1, TimeUnit.SECONDS);
      running = new Running(server, threads, sweeps, accepting, network);
    } catch (IOException | RuntimeException e) {
      threads.shutdown();
      sweeps.shutdown();
      end(accepting);
      end(network);
      throw new IllegalStateException(
          "Half messages cannot be served over gRPC at %s:%d, set by %s.grpc.host and port: %s"
              .formatted(properties.host(), properties.port(), ServerProperties.PREFIX, reason(e)),
          e);
    }
    LOG.info("Half messages are served over gRPC at {}", address());
  }

  /**
   * The health service follows the readiness: no proxy sends calls before the server is ready, and
   * each one leaves a server in time that is about to stop.
   */
  @Override
  public void onApplicationEvent(AvailabilityChangeEvent<ReadinessState> event) {
    answerProbes(
        event.getState() == ReadinessState.ACCEPTING_TRAFFIC
            ? ServingStatus.SERVING
            : ServingStatus.NOT_SERVING);
  }

  private void answerProbes(ServingStatus status) {
    health.setStatus(HealthStatusManager.SERVICE_NAME_ALL_SERVICES, status);
  }

  /** One that fails must not be the last one. */
  private void sweep() {
    try {
      bodies.cutOffSlow();
    } catch (RuntimeException e) {
      LOG.warn(
          "Requests over gRPC could not be looked through for slow ones; it is tried again", e);
    }
  }

  private Server server(
      ThreadPoolExecutor threads, EventLoopGroup accepting, EventLoopGroup network)
      throws IOException {
    NettyServerBuilder builder =
        GrpcServing.builder(properties)
            .channelFactory(() -> new BoundedServerChannel(properties.connections()))
            .bossEventLoopGroup(accepting)
            .workerEventLoopGroup(network)
            .addStreamTracerFactory(bodies)
            .addService(new GrpcHalfService(half, threads, properties.requests()))
            .intercept(access)
            .intercept(metrics); // the last one is called first
    if (properties.health()) {
      builder.addService(health.getHealthService());
    }
    if (properties.reflection()) {
      builder.addService(ProtoReflectionServiceV1.newInstance());
    }
    return builder.build();
  }

  /** 0 for as many as Netty thinks right. */
  private static EventLoopGroup network(int threads, String prefix) {
    return new MultiThreadIoEventLoopGroup(threads, daemons(prefix), NioIoHandler.newFactory());
  }

  private static ThreadFactory daemons(String prefix) {
    AtomicInteger number = new AtomicInteger();
    return work -> {
      Thread thread = new Thread(work, prefix + number.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  private static String reason(Exception e) {
    return e.getCause() == null ? e.toString() : e + ", " + e.getCause();
  }

  private static ThreadPoolExecutor threads(int count) {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            count,
            count,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            daemons("angarium-grpc-"));
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  /** Where it listens; 0 if it does not. */
  public synchronized int port() {
    return running == null ? 0 : running.server().getPort();
  }

  @Override
  public String name() {
    return "gRPC";
  }

  @Override
  public String address() {
    return properties.host() + ":" + port();
  }

  /** Takes no further requests, and lets those under way end, for 10 s at most. */
  @Override
  public synchronized void stop() {
    Running ended = running;
    if (ended == null) {
      return;
    }
    running = null;
    ended.server().shutdown();
    try {
      if (!ended.server().awaitTermination(DRAIN_MAX.toSeconds(), TimeUnit.SECONDS)) {
        LOG.warn(
            "Requests over gRPC did not end within {}; they are broken off",
            DurationText.of(DRAIN_MAX));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      ended.end();
    }
  }

  @Override
  public synchronized boolean isRunning() {
    return running != null;
  }

  /** Before the relay stops, and the data source after that. */
  @Override
  public int getPhase() {
    return RelayLifecycle.PHASE + 1;
  }
}
