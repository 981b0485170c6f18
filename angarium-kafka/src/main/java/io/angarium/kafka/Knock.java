package io.angarium.kafka;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;

/**
 * Whether some broker takes connections. A new producer without a broker logs several lines at each
 * of its tries, ten times a second, so an outage would fill the log. Not thread-safe: one thread at
 * a time.
 */
final class Knock {
  private static final Duration CONNECT_MAX = Duration.ofMillis(300);

  private final List<String> servers;
  private int turn;

  /**
   * @param servers {@code host:port}, several separated by commas
   */
  Knock(String servers) {
    this.servers = List.of(servers.split(",", -1));
  }

  /** True if the next of the servers takes a connection; blocks for it. */
  boolean isOpened() {
    String server = servers.get(turn).strip();
    turn = (turn + 1) % servers.size();
    try (Socket socket = new Socket()) {
      socket.connect(BootstrapServers.address(server), Math.toIntExact(CONNECT_MAX.toMillis()));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
