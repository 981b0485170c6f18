package io.angarium.testservers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/**
 * A server with the programs that it cannot do without. They start before it and end with {@link
 * #close()}; only the server itself is stopped, killed and paused.
 */
final class AssistedProcess implements ServerProcess {
  private static final Duration START_LIMIT = Duration.ofSeconds(60);

  private final ServerProcess server;
  private final List<Assistant> assistants;

  AssistedProcess(ServerProcess server, List<Assistant> assistants) {
    this.server = server;
    this.assistants = List.copyOf(assistants);
  }

  @Override
  public void start() {
    assistants.forEach(Assistant::start);
    server.start();
  }

  @Override
  public void stop() {
    server.stop();
  }

  @Override
  public void kill() {
    server.kill();
  }

  @Override
  public void pause() {
    server.pause();
  }

  @Override
  public void resume() {
    server.resume();
  }

  @Override
  public OptionalLong pid() {
    return server.pid();
  }

  @Override
  public boolean ended(long millis) {
    return server.ended(millis);
  }

  @Override
  public String lastOutput() {
    return server.lastOutput();
  }

  @Override
  public void close() {
    try {
      server.close();
    } finally {
      assistants.forEach(assistant -> assistant.process().close());
    }
  }

  /**
   * A program that a server needs.
   *
   * @param port the port of 127.0.0.1 on which it is awaited
   */
  record Assistant(ServerProcess process, int port) {
    /** Starts it unless it runs, and waits until it listens. */
    void start() {
      if (!process.ended(0)) {
        return;
      }
      process.start();
      long deadline = System.nanoTime() + START_LIMIT.toNanos();
      while (!listens()) {
        if (process.ended(20) || System.nanoTime() > deadline) {
          throw new ServerUnavailableException(
              "What the server needs does not start:\n" + process.lastOutput());
        }
      }
    }

    private boolean listens() {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        return socket.isConnected();
      } catch (IOException e) {
        return false;
      }
    }
  }
}
