package io.angarium.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a delivery that a consumer could not process to the retry queue of its next pause, or to
 * the dead-letter queue after the last, see {@link RabbitTopology}. A copy is confirmed by the
 * broker before the delivery is acknowledged: nothing is lost, and a crash in between makes a
 * repeat. Thread-safe.
 *
 * <pre>{@code
 * try {
 *   process(delivery);
 *   channel.basicAck(delivery.getEnvelope().getDeliveryTag(), false);
 * } catch (Exception e) {
 *   redelivery.failed(channel, delivery, e);
 * }
 * }</pre>
 *
 * <p>Others of its key overtake a message that waits; a consumer to which order matters keeps track
 * of it.
 */
public final class RabbitRedelivery implements AutoCloseable {
  /** Header that counts how often a message was sent to a retry queue; absent before. */
  public static final String RETRIES = "angarium-retries";

  /** Header with the reason of the last failure, at most 500 characters. */
  public static final String FAILURE = "angarium-failure";

  private static final Logger LOG = LoggerFactory.getLogger(RabbitRedelivery.class);
  private static final int REASON_LENGTH_MAX = 500;
  private static final Duration CONFIRM_TIMEOUT = Duration.ofSeconds(10);

  /**
   * Where a message goes that failed. Immutable.
   *
   * @param retries how often it was sent to a retry queue by then
   */
  public record Target(String queue, int retries) {}

  private final RabbitTopology topology;
  private final Connection connection;
  private @Nullable Channel confirming;

  /** True if the copy under way came back: there is no such queue. */
  private volatile boolean returned;

  private RabbitRedelivery(RabbitTopology topology, Connection connection) {
    this.topology = topology;
    this.connection = connection;
  }

  /**
   * Creates it; opens a channel of its own at the first failure.
   *
   * @param connection another than the consumer's: in an alarm the broker stops reading connections
   *     that publish, and with them the acknowledgements that come through the same one
   */
  public static RabbitRedelivery of(RabbitTopology topology, Connection connection) {
    return new RabbitRedelivery(topology, connection);
  }

  /**
   * Moves a delivery on and acknowledges it. Blocks until the broker has confirmed the copy, at
   * most ten seconds. In an alarm longer, for the broker does not even answer that the channel is
   * closed: until it is over, or the connection's {@code channelRpcTimeout}.
   *
   * @param channel the one the delivery came through
   * @param reason what went wrong
   * @return the queue it waits in now
   * @throws IOException if the copy was not confirmed; the delivery is given back to the queue, by
   *     the broker if the channel is closed. Or if the copy was confirmed but the channel was
   *     closed by then: the delivery comes again besides
   */
  public synchronized String failed(Channel channel, Delivery delivery, Throwable reason)
      throws IOException {
    Target target = target(topology, delivery.getProperties().getHeaders());
    long tag = delivery.getEnvelope().getDeliveryTag();
    try {
      publish(target, delivery, reason);
    } catch (IOException | ShutdownSignalException e) {
      close(); // what it still answers would be taken for the next
      IOException failure =
          new IOException("not confirmed by " + target.queue() + "; given back", e);
      giveBack(channel, tag, failure);
      throw failure;
    }
    try {
      channel.basicAck(tag, false);
    } catch (IOException | ShutdownSignalException e) {
      throw new IOException("in " + target.queue() + ", but not acknowledged; comes again", e);
    }
    return target.queue();
  }

  /** If the channel is closed, the broker has given it back by itself. */
  private static void giveBack(Channel channel, long tag, IOException failure) {
    try {
      channel.basicNack(tag, false, true);
    } catch (IOException | ShutdownSignalException e) {
      failure.addSuppressed(e);
    }
  }

  private void publish(Target target, Delivery delivery, Throwable reason) throws IOException {
    Channel open = confirming();
    BasicProperties properties =
        delivery
            .getProperties()
            .builder()
            .userId(null) // it must be the one who publishes
            .headers(headers(delivery.getProperties().getHeaders(), target.retries(), reason))
            .build();
    returned = false;
    open.basicPublish("", target.queue(), true, properties, delivery.getBody());
    try {
      open.waitForConfirmsOrDie(CONFIRM_TIMEOUT.toMillis());
    } catch (TimeoutException e) {
      throw new IOException("no confirm within " + CONFIRM_TIMEOUT, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for a confirm", e);
    }
    if (returned) {
      throw new IOException("there is no queue " + target.queue() + "; declare the topology");
    }
  }

  private Channel confirming() throws IOException {
    Channel open = confirming;
    if (open == null || !open.isOpen()) {
      open = connection.createChannel();
      if (open == null) {
        throw new IOException("the broker allows this connection no more channels");
      }
      open.confirmSelect();
      open.addReturnListener(copy -> returned = true);
      confirming = open;
    }
    return open;
  }

  /**
   * Where a message goes that failed: for consumers that publish the copy in a way of their own.
   *
   * @param headers of the delivery; null for none
   */
  public static Target target(RabbitTopology topology, @Nullable Map<String, Object> headers) {
    int retries = retries(headers);
    List<RabbitTopology.Queue> queues = topology.retryQueues();
    return retries < queues.size()
        ? new Target(queues.get(retries).name(), retries + 1)
        : new Target(topology.deadQueue().name(), retries);
  }

  /**
   * How often a message was sent to a retry queue.
   *
   * @param headers of the delivery; null for none
   */
  public static int retries(@Nullable Map<String, Object> headers) {
    Object count = headers == null ? null : headers.get(RETRIES);
    return count instanceof Number number ? Math.max(0, number.intValue()) : 0;
  }

  /**
   * The headers of the copy of a delivery that failed.
   *
   * @param before those of the delivery; null for none
   * @param retries how often it was sent to a retry queue, with this time
   */
  public static Map<String, Object> headers(
      @Nullable Map<String, Object> before, int retries, Throwable reason) {
    Map<String, Object> headers = new LinkedHashMap<>();
    if (before != null) {
      headers.putAll(before);
    }
    headers.remove("CC"); // else the copy goes there once more
    headers.remove("BCC");
    // The copy's way begins anew: of one that a person moved back from the dead letters, the broker
    // would take the way back to the work queue for a cycle, and drop it at the end of its pause.
    headers.keySet().removeIf(RabbitRedelivery::isOfAnEarlierWay);
    headers.put(RETRIES, retries);
    String text = String.valueOf(reason);
    headers.put(FAILURE, text.substring(0, Math.min(REASON_LENGTH_MAX, text.length())));
    return headers;
  }

  private static boolean isOfAnEarlierWay(String header) {
    return header.equals("x-death")
        || header.startsWith("x-first-death-")
        || header.startsWith("x-last-death-");
  }

  /** Closes its channel. */
  @Override
  public synchronized void close() {
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
}
