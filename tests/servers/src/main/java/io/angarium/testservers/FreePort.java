package io.angarium.testservers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Free loopback ports below the range from which systems take the ports of outgoing connections: a
 * port from that range could be taken by anybody's connection while its server is restarted, or a
 * client could even connect to itself. Thread-safe.
 */
public final class FreePort {
  private static final int LOWEST = 12_000;
  private static final int HIGHEST = 32_000;
  private static final int ATTEMPTS = 1_000;
  private static final int STARTS = 3;

  private FreePort() {}

  /**
   * A port that nobody uses now; somebody else may take it before you do.
   *
   * @throws ServerUnavailableException when there is none
   */
  public static int find() {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
      if (isFree(port)) {
        return port;
      }
    }
    throw new ServerUnavailableException(
        "No free port found between %d and %d on the loopback interface"
            .formatted(LOWEST, HIGHEST));
  }

  /**
   * Starts something on {@code count} free ports, on others when somebody took one of them in
   * between.
   */
  static <T> T using(int count, Function<List<Integer>, T> start) {
    for (int attempt = 1; ; attempt++) {
      List<Integer> ports = Stream.generate(FreePort::find).distinct().limit(count).toList();
      try {
        return start.apply(ports);
      } catch (ServerUnavailableException e) {
        if (attempt == STARTS || (!isTaken(e) && ports.stream().allMatch(FreePort::isFree))) {
          throw e;
        }
      }
    }
  }

  /** Some servers take a port of their own beside: Redis as a cluster one that is 10 000 higher. */
  private static boolean isTaken(ServerUnavailableException notStarted) {
    return String.valueOf(notStarted.getMessage()).contains("Address already in use");
  }

  static boolean isFree(int port) {
    try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return probe.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
