package io.angarium.kafka;

import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.Producer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has a producer send what it has gathered, without its wait for more. The client offers that only
 * as a call that returns when all of it has a result, so a thread of its own makes it, from the
 * first time it is wanted. Thread-safe.
 */
final class Flusher implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Flusher.class);

  private final Producer<byte[], byte[]> producer;
  private final Thread thread;
  private volatile boolean wanted;
  private volatile boolean closed;

  Flusher(Producer<byte[], byte[]> producer, String name) {
    this.producer = producer;
    this.thread = new Thread(this::run, name);
    thread.setDaemon(true);
  }

  /** Does not block. One thread at a time. */
  void flush() {
    if (thread.getState() == Thread.State.NEW) {
      thread.start();
    }
    if (!wanted) {
      wanted = true;
      LockSupport.unpark(thread);
    }
  }

  private void run() {
    while (!closed) {
      if (wanted) {
        wanted = false; // before: what comes meanwhile wants another one
        flushNow();
      } else {
        LockSupport.park(this);
      }
    }
  }

  private void flushNow() {
    try {
      producer.flush();
    } catch (Throwable e) { // closed meanwhile, which leaves nothing in it; the thread must go on
      LOG.debug("Flushing the Kafka producer of {} failed", thread.getName(), e);
    }
  }

  /** Ends the thread, be it waiting for a producer that has died. Does not block. */
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }
}
