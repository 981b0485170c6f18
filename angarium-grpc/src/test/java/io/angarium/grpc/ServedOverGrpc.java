package io.angarium.grpc;

import io.grpc.BindableService;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

/** A real server on the loopback interface, and channels to it; counts the requests it gets. */
final class ServedOverGrpc implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 60;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Server server;
  private final ConcurrentLinkedQueue<ManagedChannel> channels = new ConcurrentLinkedQueue<>();
  private final Map<String, AtomicInteger> requests = new ConcurrentHashMap<>();

  private ServedOverGrpc(
      Function<ExecutorService, BindableService> service, Consumer<NettyServerBuilder> settings) {
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .intercept(new Counting())
            .addService(service.apply(threads));
    settings.accept(builder);
    try {
      this.server = builder.build().start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static ServedOverGrpc start(Function<ExecutorService, BindableService> service) {
    return start(service, builder -> {});
  }

  static ServedOverGrpc start(
      Function<ExecutorService, BindableService> service, Consumer<NettyServerBuilder> settings) {
    return new ServedOverGrpc(service, settings);
  }

  int port() {
    return server.getPort();
  }

  /** A new connection; closed with this. */
  ManagedChannel channel() {
    return channel(port());
  }

  /** A new connection, perhaps by a detour. */
  ManagedChannel channel(int port) {
    ManagedChannel channel =
        Grpc.newChannelBuilder("dns:///127.0.0.1:" + port, InsecureChannelCredentials.create())
            .build();
    channels.add(channel);
    return channel;
  }

  /** How many requests of a method have come. */
  int requests(String method) {
    AtomicInteger count = requests.get(method);
    return count == null ? 0 : count.get();
  }

  /** Breaks all calls off. */
  void kill() {
    server.shutdownNow();
    threads.shutdownNow();
    try {
      if (!server.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)
          || !threads.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the server has not ended");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    channels.forEach(ManagedChannel::shutdownNow);
    kill();
  }

  private final class Counting implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      String method = call.getMethodDescriptor().getBareMethodName();
      requests.computeIfAbsent(method, name -> new AtomicInteger()).incrementAndGet();
      return next.startCall(call, headers);
    }
  }
}
