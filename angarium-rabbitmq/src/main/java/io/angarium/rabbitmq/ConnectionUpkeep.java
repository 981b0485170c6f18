package io.angarium.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import io.angarium.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that connects, opens channels and looks up exchanges. Each of these may wait for the
 * broker. Thread-safe.
 */
final class ConnectionUpkeep implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionUpkeep.class);
  private static final Duration BUSY = Duration.ofMillis(100);
  private static final Duration IDLE = Duration.ofSeconds(1);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration PAUSE_MAX = Duration.ofSeconds(2);

  private final RabbitConfig config;
  private final Connections connections;
  private final ChannelQueues lanes;
  private final Publisher publisher;
  private final RabbitDiagnosis diagnosis;
  private final TimeSource time;
  private final Thread thread;
  private Duration pause = FIRST_PAUSE;
  private @Nullable Channel lookups;
  private volatile boolean closed;

  ConnectionUpkeep(
      RabbitConfig config,
      Connections connections,
      ChannelQueues lanes,
      Publisher publisher,
      RabbitDiagnosis diagnosis,
      TimeSource time) {
    this.config = config;
    this.connections = connections;
    this.lanes = lanes;
    this.publisher = publisher;
    this.diagnosis = diagnosis;
    this.time = time;
    this.thread = new Thread(this::run, config.clientName() + "-upkeep");
    this.thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** There may be something to do. */
  void hurry() {
    LockSupport.unpark(thread);
  }

  private void run() {
    while (!closed) {
      Duration wait = BUSY;
      try {
        wait = work();
      } catch (Throwable e) { // the outermost loop: must go on
        LOG.error("The upkeep of the RabbitMQ transport failed; it is run again", e);
      }
      LockSupport.parkNanos(this, wait.toNanos());
    }
  }

  /** Does what there is to do; gives the time until the next look. */
  private Duration work() {
    RabbitSession session = lanes.session();
    if (session == null) {
      return connect();
    }
    openLinks(session);
    lookUpExchanges(session);
    return lanes.isIdle() ? IDLE : BUSY;
  }

  // ---- connections and channels

  private Duration connect() {
    try {
      RabbitSession session = connections.open(time.nanoTime());
      if (!lanes.connected(session)) {
        session.close(FIRST_PAUSE);
        return IDLE;
      }
      session.connection().addShutdownListener(cause -> ended(session, cause));
      pause = FIRST_PAUSE;
      LOG.info("Connected to RabbitMQ at {}", session.connection().getAddress());
      return Duration.ZERO;
    } catch (IOException | TimeoutException e) {
      LOG.debug("No connection to RabbitMQ at {}", config.addresses(), e);
      lanes.notConnected(diagnosis.notConnected(e));
      Duration now = pause;
      Duration longer = pause.multipliedBy(2);
      pause = longer.compareTo(PAUSE_MAX) > 0 ? PAUSE_MAX : longer;
      return now;
    }
  }

  private void ended(RabbitSession session, ShutdownSignalException cause) {
    if (!cause.isInitiatedByApplication()) {
      LOG.warn("The connection to RabbitMQ was lost: {}", cause.getMessage());
    }
    lanes.ended(session, cause);
    hurry();
  }

  private void openLinks(RabbitSession session) {
    for (ChannelQueue lane : lanes.withoutLink(session)) {
      try {
        if (!lanes.opened(open(session, lane))) {
          return;
        }
        publisher.wake();
      } catch (IOException | ShutdownSignalException e) {
        LOG.debug("No channel; tried again soon", e);
        return;
      }
    }
  }

  /** A channel with confirms for a lane; blocks until the broker has agreed. */
  Link open(RabbitSession session, ChannelQueue lane) throws IOException {
    Channel channel = session.createChannel();
    try {
      channel.confirmSelect();
    } catch (IOException | ShutdownSignalException e) {
      giveUp(channel); // else each attempt would take one of those that a connection may have
      throw e;
    }
    Link link = new Link(session, lane, channel);
    channel.addReturnListener(
        returned ->
            lanes.returned(
                link,
                returned.getProperties().getMessageId(),
                new Link.Return(returned.getReplyCode(), returned.getReplyText())));
    channel.addConfirmListener(
        (tag, multiple) -> {
          session.heard(time.nanoTime());
          lanes.acknowledged(link, tag, multiple);
          publisher.wake();
        },
        (tag, multiple) -> {
          session.heard(time.nanoTime());
          lanes.nacked(link, tag, multiple);
          publisher.wake();
        });
    channel.addShutdownListener(cause -> broke(link, cause));
    return link;
  }

  private void broke(Link link, ShutdownSignalException cause) {
    if (!cause.isHardError()) { // else the connection ends, and its listener knows
      link.session.heard(time.nanoTime());
      LOG.warn("RabbitMQ closed a channel: {}", cause.getMessage());
      lanes.broke(link, cause, time.nanoTime());
      hurry();
    }
  }

  // ---- exchanges

  private void lookUpExchanges(RabbitSession session) {
    for (String exchange : lanes.wantedExchanges()) {
      try {
        lookups(session).exchangeDeclarePassive(exchange);
        lanes.lookedUp(exchange, true, time.nanoTime());
      } catch (IOException | ShutdownSignalException e) {
        giveUpLookups();
        if (RabbitDiagnosis.code(e) == 0) {
          LOG.debug("Exchange {} cannot be looked up now", exchange, e);
          lanes.notLookedUp(exchange);
          return;
        }
        // Whatever else than its absence it may be, publishing tells.
        lanes.lookedUp(
            exchange, RabbitDiagnosis.code(e) != RabbitDiagnosis.NOT_FOUND, time.nanoTime());
      }
      publisher.wake();
    }
  }

  private void giveUpLookups() {
    Channel open = lookups;
    lookups = null;
    if (open != null) {
      giveUp(open);
    }
  }

  /** A channel that did not answer in time is open still. */
  private static void giveUp(Channel channel) {
    try {
      if (channel.isOpen()) {
        channel.abort();
      }
    } catch (IOException | ShutdownSignalException e) {
      LOG.debug("The channel ended with its connection", e);
    }
  }

  private Channel lookups(RabbitSession session) throws IOException {
    Channel open = lookups;
    if (open == null || !open.isOpen()) {
      open = session.createChannel();
      lookups = open;
    }
    return open;
  }

  /** Ends the thread, without waiting for it. */
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }
}
