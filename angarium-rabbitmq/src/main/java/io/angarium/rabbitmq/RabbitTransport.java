package io.angarium.rabbitmq;

import com.rabbitmq.client.ConnectionFactory;
import io.angarium.Message;
import io.angarium.TimeSource;
import io.angarium.intake.StoredMessage;
import io.angarium.transport.KeyOrder;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Failed;
import io.angarium.transport.SendResult.Refused;
import io.angarium.transport.SendResult.Unavailable;
import io.angarium.transport.Transport;
import io.angarium.transport.internal.ResultReceiver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends to RabbitMQ: persistent, mandatory, confirmed by the broker, thousands of messages under
 * way at once. Messages look as {@link RabbitWireFormat} says; destinations are {@code
 * rabbitmq:exchange/routing.key}.
 *
 * <p>{@link #send} never waits for the broker. What the broker says becomes a result:
 *
 * <ul>
 *   <li>confirmed: Acknowledged
 *   <li>given back for want of a queue, unknown exchange, no permission, too large: Refused
 *   <li>not confirmed (nack), or not written in all its time though the network moves: Failed
 *   <li>no connection, connection blocked, no confirm in time: Unavailable
 * </ul>
 *
 * <p>A queue may refuse one message and take the next, so only one message of a key is under way at
 * a time ({@link KeyOrder#CHAINED}). Connects again by itself. Thread-safe.
 */
public final class RabbitTransport implements Transport {
  private static final Logger LOG = LoggerFactory.getLogger(RabbitTransport.class);
  private static final Duration RESULT_MARGIN = Duration.ofSeconds(1);
  private static final Duration BLOCKING_MAX = Duration.ofMillis(200);
  private static final Duration CLOSE_MAX = Duration.ofSeconds(2);
  private static final Duration FLUSH_POLL = Duration.ofMillis(1);

  private final RabbitConfig config;
  private final TimeSource time;
  private final ChannelQueues lanes;
  private final Publisher publisher;
  private final ConnectionUpkeep upkeep;
  private final Watch watch;
  private final AtomicBoolean closed = new AtomicBoolean();

  private RabbitTransport(RabbitConfig config, Consumer<ConnectionFactory> customizer) {
    this.config = config;
    this.time = TimeSource.SYSTEM;
    RabbitDiagnosis diagnosis = new RabbitDiagnosis(config);
    Connections connections = new Connections(config, customizer);
    this.lanes = new ChannelQueues(config, diagnosis);
    this.publisher = new Publisher(config.clientName() + "-publisher", lanes, time);
    this.upkeep = new ConnectionUpkeep(config, connections, lanes, publisher, diagnosis, time);
    this.watch = new Watch(config, lanes, publisher, time);
  }

  /**
   * Creates the transport and starts its threads. Does not wait for the broker: without one,
   * messages have the result Unavailable.
   */
  public static RabbitTransport open(RabbitConfig config) {
    return open(config, factory -> {});
  }

  /**
   * Creates the transport with something that {@link RabbitConfig} has no part for, e.g. TLS with
   * certificates of its own, or credentials that change. NIO and Netty are not supported.
   *
   * @param customizer called once; recovery and the socket stay as the transport needs them
   */
  public static RabbitTransport open(RabbitConfig config, Consumer<ConnectionFactory> customizer) {
    RabbitTransport transport = new RabbitTransport(config, customizer);
    transport.publisher.start();
    transport.upkeep.start();
    transport.watch.start();
    LOG.info(
        "RabbitMQ transport opened: {} as {}, virtual host {}, {}, {} channels",
        config.addresses(),
        config.username(),
        config.virtualHost(),
        config.tls() ? "with TLS" : "without TLS",
        config.channels());
    return transport;
  }

  @Override
  public String name() {
    return "rabbitmq";
  }

  @Override
  public Optional<String> addressFault(String address) {
    return RabbitAddress.parse(address) == null
        ? Optional.of(RabbitAddress.fault(address))
        : Optional.empty();
  }

  @Override
  public KeyOrder keyOrder() {
    return KeyOrder.CHAINED;
  }

  @Override
  public Duration resultMax() {
    Duration confirmTimeout = config.confirmTimeout();
    return config
        .holdMax()
        .plus(confirmTimeout)
        .plus(confirmTimeout.dividedBy(2))
        .plus(RESULT_MARGIN);
  }

  @Override
  public Duration blockingMax() {
    return BLOCKING_MAX;
  }

  @Override
  public void send(List<StoredMessage> messages, BiConsumer<StoredMessage, SendResult> results) {
    List<RabbitAttempt> attempts = new ArrayList<>(messages.size());
    long now = time.nanoTime();
    for (StoredMessage message : messages) {
      RabbitAttempt attempt = attempt(message, results, now);
      if (attempt != null) {
        attempts.add(attempt);
      }
    }
    if (lanes.offer(attempts)) {
      upkeep.hurry();
    }
    publisher.wake();
    watch.wake();
  }

  /** The attempt; null if the message can be refused at once. */
  private @Nullable RabbitAttempt attempt(
      StoredMessage stored, BiConsumer<StoredMessage, SendResult> results, long now) {
    Message message = stored.message();
    RabbitAddress address = RabbitAddress.parse(message.destination().address());
    if (address == null) {
      String reason = RabbitAddress.fault(message.destination().address());
      ResultReceiver.give(stored, new Refused(reason, null), results);
      return null;
    }
    SendResult impossible = message.headers().isEmpty() ? null : impossible(message);
    if (impossible != null) {
      ResultReceiver.give(stored, impossible, results);
      return null;
    }
    return new RabbitAttempt(stored, address, results, now);
  }

  private static @Nullable SendResult impossible(Message message) {
    String longName = PropertyEncoding.longName(message);
    if (longName != null) {
      return RabbitDiagnosis.longHeaderName(longName);
    }
    String reserved = PropertyEncoding.reservedName(message);
    if (reserved != null) {
      return RabbitDiagnosis.reservedHeader(reserved);
    }
    int bytes = PropertyEncoding.headersBytes(message);
    return bytes > PropertyEncoding.HEADERS_BYTES_MAX ? RabbitDiagnosis.largeHeaders(bytes) : null;
  }

  @Override
  public void flush(Duration timeout) {
    long deadline = time.nanoTime() + timeout.toNanos();
    while (!lanes.isIdle()
        && deadline - time.nanoTime() > 0
        && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(this, FLUSH_POLL.toNanos());
    }
  }

  /**
   * Closes the connection, at most two seconds; results still missing are given as Failed. To send
   * what is under way call {@link #flush} first. May be called twice.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    lanes.close(
        new Failed("the RabbitMQ transport was closed; perhaps stored", null),
        new Unavailable("the RabbitMQ transport is closed", null));
    RabbitSession session = lanes.session(); // none begins any more
    publisher.close();
    upkeep.close();
    watch.close();
    if (session != null) {
      closeInTime(session);
    }
    LOG.info("RabbitMQ transport closed");
  }

  /** On a thread of its own: the farewell waits for a socket that may take no more. */
  private void closeInTime(RabbitSession session) {
    Thread closer = new Thread(() -> session.close(CLOSE_MAX), config.clientName() + "-closer");
    closer.setDaemon(true);
    closer.start();
    try {
      closer.join(CLOSE_MAX.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    session.end();
  }
}
