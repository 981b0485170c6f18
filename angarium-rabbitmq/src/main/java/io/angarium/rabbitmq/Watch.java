package io.angarium.rabbitmq;

import io.angarium.TimeSource;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that gives up what takes too long, and a connection that is of no use. Waits for
 * nobody, so that no time-out depends on something that may hang. Thread-safe.
 */
final class Watch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Watch.class);
  private static final Duration TICK = Duration.ofMillis(50);

  private final Duration writeMax;
  private final ChannelQueues lanes;
  private final Publisher publisher;
  private final TimeSource time;
  private final Thread thread;
  private long writtenBytes;
  private long movedNanos;
  private volatile boolean resting;
  private volatile boolean closed;

  Watch(RabbitConfig config, ChannelQueues lanes, Publisher publisher, TimeSource time) {
    this.writeMax = config.confirmTimeout();
    this.lanes = lanes;
    this.publisher = publisher;
    this.time = time;
    this.movedNanos = time.nanoTime();
    this.thread = new Thread(this::run, config.clientName() + "-watch");
    this.thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /**
   * There may be something that can take too long. Costs next to nothing while the thread looks now
   * and then anyway.
   */
  void wake() {
    if (resting) {
      LockSupport.unpark(thread);
    }
  }

  private void run() {
    while (!closed) {
      try {
        look();
        rest();
      } catch (Throwable e) { // the outermost loop: must go on
        LOG.error("The upkeep of the RabbitMQ transport failed; it is run again", e);
      }
      LockSupport.parkNanos(this, TICK.toNanos());
    }
  }

  /** While there is nothing at all. Said before it is asked, so that no message falls between. */
  private void rest() {
    resting = true;
    if (lanes.isIdle()) {
      LockSupport.park(this);
    }
    resting = false;
  }

  private void look() {
    RabbitSession session = lanes.session();
    boolean useless = lanes.expire(time.nanoTime());
    if (session != null && (useless || isStuck(session))) {
      LOG.warn("RabbitMQ has not answered for too long; connecting anew");
      lanes.ended(session, null);
      session.end();
    }
  }

  /** A large message may take longer, as long as the network takes something of it. */
  private boolean isStuck(RabbitSession session) {
    long now = time.nanoTime();
    long bytes = session.writtenBytes();
    if (bytes != writtenBytes) {
      writtenBytes = bytes;
      movedNanos = now;
    }
    return publisher.isStuck(writeMax) && now - movedNanos > writeMax.toNanos();
  }

  /** Ends the thread, without waiting for it. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}
