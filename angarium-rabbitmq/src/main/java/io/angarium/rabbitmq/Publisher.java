package io.angarium.rabbitmq;

import com.rabbitmq.client.AlreadyClosedException;
import io.angarium.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one thread that publishes: a socket that takes no more holds up nobody else. Thread-safe. */
final class Publisher implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Publisher.class);
  private static final Duration FAILURE_PAUSE = Duration.ofMillis(100);
  private static final Duration TICK = Duration.ofMillis(50);
  private static final long NOT_PUBLISHING = 0;

  private final ChannelQueues lanes;
  private final TimeSource time;
  private final Thread thread;
  private volatile long publishingSince = NOT_PUBLISHING;
  private volatile boolean closed;

  Publisher(String name, ChannelQueues lanes, TimeSource time) {
    this.lanes = lanes;
    this.time = time;
    this.thread = new Thread(this::run, name);
    this.thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** There may be something to publish. */
  void wake() {
    LockSupport.unpark(thread);
  }

  /** True if the thread has been in the socket for longer than that. */
  boolean isStuck(Duration max) {
    long since = publishingSince;
    return since != NOT_PUBLISHING && time.nanoTime() - since > max.toNanos();
  }

  private void run() {
    while (!closed) {
      try {
        work();
      } catch (Throwable e) { // the outermost loop: must go on
        LOG.error("The publisher of the RabbitMQ transport failed; it goes on", e);
        LockSupport.parkNanos(this, FAILURE_PAUSE.toNanos());
      }
    }
  }

  private void work() {
    ChannelQueues.Batch batch = lanes.next(time.nanoTime());
    if (batch != null) {
      publish(batch);
    } else if (lanes.isIdle()) {
      LockSupport.park(this);
    } else {
      LockSupport.parkNanos(this, TICK.toNanos());
    }
  }

  private void publish(ChannelQueues.Batch batch) {
    Link link = batch.link();
    try {
      publishTogether(batch);
    } catch (AlreadyClosedException e) {
      link.broken(); // its listener says more, if not yet
      LOG.debug("The channel was closed meanwhile", e);
    } catch (IOException e) {
      lanes.ended(link.session, e);
      link.session.end();
    } catch (RuntimeException | Error e) { // channel and broker count differently from here on
      lanes.broke(link, e, time.nanoTime());
      link.session.end();
      if (e instanceof Error error) {
        throw error;
      }
    } finally {
      publishingSince = NOT_PUBLISHING;
    }
  }

  @SuppressWarnings("try") // closed at the end, and not used before
  private void publishTogether(ChannelQueues.Batch batch) throws IOException {
    Link link = batch.link();
    try (Gathering gathering = Gathering.on(link.session)) {
      for (RabbitAttempt attempt : batch.attempts()) {
        long now = time.nanoTime();
        publishingSince = now | 1; // never the sign of none
        attempt.writing(now);
        link.publish(attempt);
        attempt.written(time.nanoTime());
      }
    }
  }

  /** Its errors hide no others: the first says more. */
  private record Gathering(RabbitSession session) implements AutoCloseable {
    static Gathering on(RabbitSession session) throws IOException {
      session.gather();
      return new Gathering(session);
    }

    @Override
    public void close() throws IOException {
      session.release();
    }
  }

  /** Ends the thread, without waiting for it. */
  @Override
  public void close() {
    closed = true;
    wake();
  }
}
