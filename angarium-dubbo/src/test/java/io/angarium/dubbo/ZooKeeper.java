package io.angarium.dubbo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A ZooKeeper as a process of its own, on 127.0.0.1 and a free port. */
final class ZooKeeper implements AutoCloseable {
  private static final int LOOKS_MAX = 600;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Process process;
  private final int port;

  private ZooKeeper(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  static ZooKeeper start(Path folder) throws IOException {
    int port = Loopback.freePort();
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

  String address() {
    return "zookeeper://127.0.0.1:" + port;
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
