package io.angarium.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection from its opening to its end. Thread-safe. */
final class RabbitSession {
  private static final Logger LOG = LoggerFactory.getLogger(RabbitSession.class);

  private final Connection connection;
  private final Socket socket;
  private volatile @Nullable String blockedBecause;
  private volatile long heardNanos;

  /**
   * @param socket the one below the connection
   */
  RabbitSession(Connection connection, Socket socket, long nowNanos) {
    this.connection = connection;
    this.socket = socket;
    this.heardNanos = nowNanos;
    connection.addBlockedListener(this::blocked, this::unblocked);
  }

  Connection connection() {
    return connection;
  }

  private void blocked(String reason) {
    LOG.warn("RabbitMQ takes no messages at present: {}", reason);
    blockedBecause = reason;
  }

  private void unblocked() {
    LOG.info("RabbitMQ takes messages again");
    blockedBecause = null;
  }

  /** Why the broker takes no messages at present; null if it does. */
  @Nullable String blockedBecause() {
    return blockedBecause;
  }

  /** The broker answered something. */
  void heard(long nowNanos) {
    heardNanos = nowNanos;
  }

  /** True if the broker has been silent since then. */
  boolean isSilentSince(long nanos) {
    return heardNanos - nanos < 0;
  }

  /** Holds back what is written until the {@link #release}, where the socket can do that. */
  void gather() throws IOException {
    if (socket instanceof GatheringSocket gathering) {
      gathering.gather();
    }
  }

  /** Writes what was held back; blocks while the socket is full. */
  void release() throws IOException {
    if (socket instanceof GatheringSocket gathering) {
      gathering.release();
    }
  }

  /** How much the network has taken so far; stays 0 where the socket cannot tell. */
  long writtenBytes() {
    try {
      return socket instanceof GatheringSocket gathering ? gathering.writtenBytes() : 0;
    } catch (IOException e) {
      LOG.trace("The socket is closed", e);
      return 0;
    }
  }

  Channel createChannel() throws IOException {
    Channel channel = connection.createChannel();
    if (channel == null) {
      throw new IOException("the broker allows this connection no more channels");
    }
    return channel;
  }

  /**
   * Ends it at once, without a word to the broker: a thread that is stuck in writing holds the lock
   * that a word would need.
   */
  void end() {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException e) {
      LOG.debug("The socket was closed with an error", e);
    }
  }

  /** Ends it in good order, at most within {@code timeout}. */
  void close(Duration timeout) {
    connection.abort(Math.toIntExact(timeout.toMillis()));
  }
}
