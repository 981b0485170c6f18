package io.angarium.quickstart.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/** Looks for what would stop the quickstart later, before anything is started. */
public final class StartChecks {
  private static final long FREE_MEGABYTES_MIN = 500;

  private StartChecks() {}

  /**
   * Checks the port and the disk.
   *
   * @throws StartupException saying what is wrong and what to do
   */
  public static void run(Arguments arguments) {
    checkPort(arguments.port());
    checkDisk(Path.of(System.getProperty("java.io.tmpdir")), FREE_MEGABYTES_MIN);
  }

  private static void checkPort(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    } catch (IOException e) {
      throw new StartupException(
          "Port %d cannot be used (%s): another program has it. Stop that program, or choose another port: --port=%d"
              .formatted(port, e.getMessage(), port == 65_535 ? 8080 : port + 1),
          e);
    }
  }

  static void checkDisk(Path folder, long megabytesMin) {
    long free;
    try {
      Files.delete(Files.createTempFile(folder, "angarium-", ".check"));
      FileStore disk = Files.getFileStore(folder);
      free = disk.getUsableSpace() >> 20;
    } catch (IOException e) {
      throw new StartupException(
          "The folder " + folder + " cannot be written (" + e + "). " + elsewhere(), e);
    }
    if (free < megabytesMin) {
      throw new StartupException(
          "The folder %s has %d MB free, and %d MB are needed. %s"
              .formatted(folder, free, megabytesMin, elsewhere()));
    }
  }

  private static String elsewhere() {
    return "Make room, or name another folder: TMPDIR=/another/folder ./angarium quickstart"
        + " (without the script: set JAVA_TOOL_OPTIONS to -Djava.io.tmpdir=/another/folder).";
  }
}
