package io.angarium.testservers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A ZooKeeper as a process of its own, on 127.0.0.1 and a free port, for tests with registries.
 * Unlike the other servers it comes from the class path of the test, which needs {@code
 * org.apache.zookeeper:zookeeper}, and what that needs as a server, snappy-java and metrics-core.
 * Thread-safe.
 */
public final class ZooKeeper implements AutoCloseable {
  private static final int LOOKS_MAX = 600;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Process process;
  private final int port;

  private ZooKeeper(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /**
   * Starts one and waits until it takes connections; to be closed by the caller.
   *
   * @param folder for its settings, data and output; exists
   * @throws IllegalStateException if it does not start
   */
  public static ZooKeeper start(Path folder) throws IOException {
    int port = FreePort.find();
    Path settings = folder.resolve("zoo.cfg");
    Files.write(
        settings,
        List.of(
            "tickTime=2000",
            "dataDir=" + folder.resolve("data"),
            "clientPort=" + port,
            "clientPortAddress=127.0.0.1",
            "admin.enableServer=false"));
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "org.apache.zookeeper.server.ZooKeeperServerMain",
                settings.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("output.txt").toFile())
            .start();
    ZooKeeper started = new ZooKeeper(process, port);
    started.awaitPort();
    return started;
  }

  private void awaitPort() {
    for (int look = 0; look < LOOKS_MAX && process.isAlive(); look++) {
      try (Socket probe = new Socket(InetAddress.getLoopbackAddress(), port)) {
        if (probe.isConnected()) {
          return;
        }
      } catch (IOException e) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
    close();
    throw new IllegalStateException("ZooKeeper did not start on port " + port);
  }

  /** Where it is, as Dubbo writes it: {@code zookeeper://127.0.0.1:port}. */
  public String address() {
    return "zookeeper://127.0.0.1:" + port;
  }

  /** Kills it; returns when it is gone. May be called twice. */
  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
