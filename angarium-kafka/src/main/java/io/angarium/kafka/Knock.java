package io.angarium.kafka;

import io.angarium.TimeSource;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnsupportedAddressTypeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether some broker takes connections. A new producer without a broker logs several lines at each
 * of its ten tries a second, which would fill the log in an outage. Connects as the Kafka client
 * does: to any address of a host, and without the JVM's proxies. Not thread-safe: one thread at a
 * time.
 */
final class Knock {
  private static final Logger LOG = LoggerFactory.getLogger(Knock.class);
  private static final Duration CONNECT_MAX = Duration.ofMillis(300);

  private final List<String> servers;
  private int turn;

  /**
   * @param servers {@code host:port}, several separated by commas
   */
  Knock(String servers) {
    this.servers = List.of(servers.split(",", -1));
  }

  /** True if the next of the servers takes a connection at any of its addresses; blocks for it. */
  boolean isOpened() {
    String server = servers.get(turn).strip();
    turn = (turn + 1) % servers.size();
    return opens(BootstrapServers.addresses(server));
  }

  /** True if any of the addresses takes a connection; tries all of them at the same time. */
  static boolean opens(List<InetSocketAddress> addresses) {
    List<SocketChannel> channels = new ArrayList<>();
    try (Selector selector = Selector.open()) {
      for (InetSocketAddress address : addresses) {
        SocketChannel channel = SocketChannel.open();
        channels.add(channel);
        if (connects(channel, address, selector)) {
          return true;
        }
      }
      return anyConnects(selector);
    } catch (IOException e) {
      return false;
    } finally {
      channels.forEach(Knock::close);
    }
  }

  private static boolean connects(
      SocketChannel channel, InetSocketAddress address, Selector selector) throws IOException {
    channel.configureBlocking(false);
    try {
      if (channel.connect(address)) {
        return true;
      }
    } catch (IOException | UnsupportedAddressTypeException e) {
      return false; // no way to this one
    }
    channel.register(selector, SelectionKey.OP_CONNECT);
    return false;
  }

  private static boolean anyConnects(Selector selector) throws IOException {
    long deadline = TimeSource.SYSTEM.nanoTime() + CONNECT_MAX.toNanos();
    int open = selector.keys().size();
    long left = CONNECT_MAX.toMillis();
    while (open > 0 && left > 0 && !Thread.currentThread().isInterrupted()) {
      selector.select(left);
      for (SelectionKey key : selector.selectedKeys()) {
        if (isConnected(key)) {
          return true;
        }
        key.cancel();
        open--;
      }
      selector.selectedKeys().clear();
      left = TimeUnit.NANOSECONDS.toMillis(deadline - TimeSource.SYSTEM.nanoTime());
    }
    return false;
  }

  private static boolean isConnected(SelectionKey key) {
    try {
      return ((SocketChannel) key.channel()).finishConnect();
    } catch (IOException e) {
      return false;
    }
  }

  private static void close(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      LOG.trace("Closing a connection failed", e);
    }
  }
}
