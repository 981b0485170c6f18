package io.angarium.grpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.Message;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfMessages;
import io.angarium.testkit.ManualClock;
import io.angarium.testkit.memory.InMemoryHalfMessages;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Half messages in memory behind a server, which can be held, and callers on other threads. */
final class GrpcHalfScene implements AutoCloseable {
  /** For answers that must come, however slow the machine is. */
  static final GrpcHalfConfig PATIENT = GrpcHalfConfig.DEFAULTS.timeout(Duration.ofMinutes(2));

  private static final int PATIENCE_SECONDS = 120;

  final InMemoryHalfMessages real = new InMemoryHalfMessages(ManualClock.create());
  final HeldHalfMessages held = new HeldHalfMessages(real);
  final ServedOverGrpc served;
  private final ExecutorService callers = Executors.newCachedThreadPool();

  private GrpcHalfScene(int requestsMax, Consumer<NettyServerBuilder> settings) {
    this.served =
        ServedOverGrpc.start(threads -> new GrpcHalfService(held, threads, requestsMax), settings);
  }

  static GrpcHalfScene create() {
    return create(64, builder -> {});
  }

  static GrpcHalfScene create(int requestsMax, Consumer<NettyServerBuilder> settings) {
    return new GrpcHalfScene(requestsMax, settings);
  }

  GrpcHalfMessages client(GrpcHalfConfig config) {
    return new GrpcHalfMessages(served.channel(), config);
  }

  <T> Future<T> call(Callable<T> call) {
    return callers.submit(call);
  }

  /** Prepares a message on another thread. */
  Future<?> prepare(HalfMessages half, String key) {
    return call(() -> half.prepare(message(key)));
  }

  static HalfKey key(String key) {
    return new HalfKey("order", key);
  }

  static HalfMessage message(String key) {
    return message(key, key.getBytes(UTF_8));
  }

  static HalfMessage message(String key, byte[] payload) {
    return HalfMessage.of(key(key), Message.of("kafka:orders", payload));
  }

  /** What a call failed with; null if it did not. */
  static @Nullable Throwable failure(Future<?> call) throws Exception {
    try {
      Object unused = await(call);
      return null;
    } catch (ExecutionException e) {
      return e.getCause();
    }
  }

  static <T> T await(Future<T> call) throws Exception {
    try {
      return call.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("not over within " + PATIENCE_SECONDS + " s", e);
    }
  }

  @Override
  public void close() {
    held.release();
    callers.shutdownNow();
    served.close();
  }
}
