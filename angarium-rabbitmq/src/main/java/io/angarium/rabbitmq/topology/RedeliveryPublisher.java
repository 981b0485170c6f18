package io.angarium.rabbitmq.topology;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.BlockedListener;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import io.angarium.internal.DurationText;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes copies one at a time and waits for the confirm of each, on a thread of its own: in an
 * alarm the broker reads nothing, so that writing, opening and closing a channel may take as long
 * as the alarm; who asked waits only as long as agreed. Thread-safe.
 */
final class RedeliveryPublisher implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RedeliveryPublisher.class);
  private static final Duration IDLE_MAX = Duration.ofSeconds(30);

  private final Connection connection;
  private final Duration wait;
  private final ThreadPoolExecutor thread;
  private final BlockedListener alarms;
  private volatile @Nullable String alarm;

  /** Used by the thread only. */
  private @Nullable Channel confirming;

  /** True if the copy under way came back: there is no such queue. */
  private volatile boolean returned;

  RedeliveryPublisher(String queue, Connection connection, Duration wait) {
    this.connection = connection;
    this.wait = wait;
    this.thread =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_MAX.toSeconds(),
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(), // as many as there are who wait
            work -> {
              Thread created = new Thread(work, "angarium-redelivery-" + queue);
              created.setDaemon(true);
              return created;
            });
    thread.allowCoreThreadTimeOut(true);
    this.alarms = connection.addBlockedListener(reason -> alarm = reason, () -> alarm = null);
  }

  /**
   * Blocks until the broker has confirmed it, at most as long as agreed.
   *
   * @throws IOException if it has not; it may be stored all the same
   */
  void publish(String queue, BasicProperties properties, byte[] body) throws IOException {
    FutureTask<Boolean> copy = new FutureTask<>(() -> confirmed(queue, properties, body));
    try {
      thread.execute(copy);
      copy.get(wait.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      throw new IOException("closed already", e);
    } catch (TimeoutException e) {
      throw new IOException("no confirm within " + DurationText.of(wait) + because(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for a confirm", e);
    } catch (ExecutionException e) {
      throw new IOException(e.getCause() == null ? e : e.getCause());
    } finally {
      copy.cancel(false); // one that has not begun is not published any more
      thread.remove(copy);
    }
  }

  private String because() {
    String reason = alarm;
    return reason == null ? "" : ": the broker takes no messages at present (" + reason + ")";
  }

  private boolean confirmed(String queue, BasicProperties properties, byte[] body)
      throws IOException, InterruptedException, TimeoutException {
    try {
      Channel open = confirming();
      returned = false;
      open.basicPublish("", queue, true, properties, body);
      open.waitForConfirmsOrDie(wait.toMillis());
      alarm = null; // it takes messages, whatever was told of a connection before this one
    } catch (IOException | ShutdownSignalException | InterruptedException | TimeoutException e) {
      abort(); // what it still answers would be taken for the next
      throw e;
    }
    if (returned) {
      throw new IOException("there is no queue " + queue + "; declare the topology");
    }
    return true;
  }

  private Channel confirming() throws IOException {
    Channel open = confirming;
    if (open == null || !open.isOpen()) {
      open = connection.createChannel();
      if (open == null) {
        throw new IOException("the broker allows this connection no more channels");
      }
      confirming = open; // before it may fail: abort() closes this one
      open.confirmSelect();
      open.addReturnListener(copy -> returned = true);
    }
    return open;
  }

  private void abort() {
    Channel open = confirming;
    confirming = null;
    if (open != null && open.isOpen()) {
      try {
        open.abort();
      } catch (IOException | ShutdownSignalException e) {
        LOG.debug("The channel ended with its connection", e);
      }
    }
  }

  /** Closes its channel, without waiting for the broker. May be called twice. */
  @Override
  public void close() {
    connection.removeBlockedListener(alarms);
    try {
      thread.execute(this::abort);
    } catch (RejectedExecutionException e) {
      LOG.trace("Closed already", e);
    }
    thread.shutdown();
  }
}
