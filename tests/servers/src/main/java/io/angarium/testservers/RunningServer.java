package io.angarium.testservers;

import java.io.IOException;
import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What servers have in common: a process that is started, asked until it answers, and ended. */
abstract sealed class RunningServer implements TestServer
    permits DatabaseServer,
        KafkaServer,
        PgBouncer,
        PrometheusServer,
        RabbitServer,
        RedisServer,
        RocketServer {
  private static final Duration START_LIMIT = Duration.ofSeconds(90);
  private static final int PAUSE_MILLIS = 20;

  private final Server server;
  private final Origin origin;
  private final ServerProcess process;
  private String version = "unknown";
  private boolean closed;

  RunningServer(Server server, Origin origin, ServerProcess process) {
    this.server = server;
    this.origin = origin;
    this.process = process;
  }

  /**
   * Asks once and gives the version.
   *
   * @throws IOException as long as clients cannot work with it; the message says why
   */
  abstract String askVersion() throws IOException;

  /** Ends what else belongs to it. */
  void closeOthers() {}

  /** The last thing that a constructor does: starts it, or ends all that was started. */
  final void begin() {
    try {
      process.start();
      version = awaitReady();
      startOthers();
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
    ServerCoverage.used(server, version, origin);
  }

  /** Starts what needs a server that is ready. */
  void startOthers() {}

  private String awaitReady() {
    long deadline = System.nanoTime() + START_LIMIT.toNanos();
    while (true) {
      try {
        return askVersion();
      } catch (IOException e) {
        if (process.ended(PAUSE_MILLIS) || System.nanoTime() > deadline) {
          throw new ServerUnavailableException(
              "%s does not start: %s%n%s"
                  .formatted(server.title(), e.getMessage(), process.lastOutput()),
              e);
        }
      }
    }
  }

  /** The proxy, which must be there. */
  final FaultProxy required(@Nullable FaultProxy proxy) {
    if (proxy == null) {
      throw new IllegalStateException(
          "No proxy: start " + server.title() + " with ServerOptions.proxied()");
    }
    return proxy;
  }

  @Override
  public final Server server() {
    return server;
  }

  @Override
  public final String version() {
    return version;
  }

  @Override
  public final Origin origin() {
    return origin;
  }

  @Override
  public final OptionalLong pid() {
    return process.pid();
  }

  @Override
  public final void stop() {
    process.stop();
  }

  @Override
  public final void kill() {
    process.kill();
  }

  @Override
  public final void restart() {
    process.stop();
    process.start();
    awaitReady();
  }

  @Override
  public final void pause() {
    process.pause();
  }

  @Override
  public final void resume() {
    process.resume();
  }

  @Override
  public final synchronized void close() {
    if (!closed) {
      closed = true;
      closeOthers();
      process.close();
    }
  }

  @Override
  public final String toString() {
    return "%s %s (%s, port %d)".formatted(server.title(), version, origin, port());
  }
}
