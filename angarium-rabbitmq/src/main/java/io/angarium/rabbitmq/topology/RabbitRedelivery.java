package io.angarium.rabbitmq.topology;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.ShutdownSignalException;
import io.angarium.ConfigFaults;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
  private static final Duration WAIT = Duration.ofSeconds(10);
  private static final Duration WAIT_MIN = Duration.ofMillis(100);
  private static final Duration WAIT_MAX = Duration.ofMinutes(10);

  /**
   * Where a message goes that failed. Immutable.
   *
   * @param retries how often it was sent to a retry queue by then
   */
  public record Target(String queue, int retries) {}

  private final RabbitTopology topology;
  private final RedeliveryPublisher publisher;

  private RabbitRedelivery(RabbitTopology topology, Connection connection, Duration wait) {
    this.topology = topology;
    this.publisher = new RedeliveryPublisher(topology.queue(), connection, wait);
  }

  /**
   * Creates it, with a wait of ten seconds.
   *
   * @see #of(RabbitTopology, Connection, Duration)
   */
  public static RabbitRedelivery of(RabbitTopology topology, Connection connection) {
    return of(topology, connection, WAIT);
  }

  /**
   * Creates it; opens a channel of its own at the first failure.
   *
   * @param connection another than the consumer's: in an alarm the broker stops reading connections
   *     that publish, and with them the acknowledgements that come through the same one
   * @param wait how long a failed delivery may wait for the confirm of its copy, 100 ms..10 min. In
   *     an alarm of the broker it waits all of it and comes again, 20 times before its queue takes
   *     it for dead, so 20 waits should be longer than an alarm
   * @throws io.angarium.ConfigurationException if {@code wait} is out of range
   */
  public static RabbitRedelivery of(RabbitTopology topology, Connection connection, Duration wait) {
    new ConfigFaults().range("redelivery.wait", wait, WAIT_MIN, WAIT_MAX).throwIfAny();
    return new RabbitRedelivery(topology, connection, wait);
  }

  /**
   * Moves a delivery on and acknowledges it. Blocks until the broker has confirmed the copy, at
   * most the wait that this was created with, in an alarm as well.
   *
   * @param channel the one the delivery came through
   * @param reason what went wrong
   * @return the queue it waits in now
   * @throws IOException if the copy was not confirmed; the delivery is not acknowledged but given
   *     back to the queue, by the broker if the channel is closed, and perhaps the copy is stored
   *     besides. Or if the copy was confirmed but the channel was closed by then: the delivery
   *     comes again besides
   */
  public String failed(Channel channel, Delivery delivery, Throwable reason) throws IOException {
    Target target = target(topology, delivery.getProperties().getHeaders());
    long tag = delivery.getEnvelope().getDeliveryTag();
    try {
      publisher.publish(target.queue(), copy(target, delivery, reason), delivery.getBody());
    } catch (IOException e) {
      IOException failure =
          new IOException("not confirmed by %s; given back".formatted(target.queue()), e);
      giveBack(channel, tag, failure);
      throw failure;
    }
    report(topology, target, delivery.getProperties().getMessageId(), reason);
    try {
      channel.basicAck(tag, false);
    } catch (IOException | ShutdownSignalException e) {
      throw new IOException("in " + target.queue() + ", but not acknowledged; comes again", e);
    }
    return target.queue();
  }

  /**
   * If the channel is closed, the broker has given it back by itself. Rejected, for RabbitMQ 4.3
   * counts no nacks: without an end of its returns a queue that is gone would make it loop.
   */
  private static void giveBack(Channel channel, long tag, IOException failure) {
    try {
      channel.basicReject(tag, true);
    } catch (IOException | ShutdownSignalException e) {
      failure.addSuppressed(e);
    }
  }

  private static BasicProperties copy(Target target, Delivery delivery, Throwable reason) {
    return delivery
        .getProperties()
        .builder()
        .userId(null) // it must be the one who publishes
        .expiration(null) // else a dead letter would end with the patience of its sender
        .headers(headers(delivery.getProperties().getHeaders(), target.retries(), reason))
        .build();
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
   * Logs where a message went that failed: at WARN if it is in the dead-letter queue, where a
   * person decides, and else at DEBUG. For consumers that publish the copy in a way of their own,
   * once the broker has confirmed it.
   *
   * @param messageId of the delivery; null if its sender gave it none
   */
  public static void report(
      RabbitTopology topology, Target target, @Nullable String messageId, Throwable reason) {
    if (target.queue().equals(topology.deadQueue().name())) {
      LOG.warn(
          "Message {} from queue {} is in {} now, after {} pauses; a person decides",
          messageId,
          topology.queue(),
          target.queue(),
          target.retries(),
          reason);
    } else {
      LOG.debug(
          "Message {} from queue {} failed and waits in {}",
          messageId,
          topology.queue(),
          target.queue(),
          reason);
    }
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
   * Returns the headers for the copy of a delivery that failed.
   *
   * @param before the headers of the delivery; null for none
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

  /** Closes its channel, without waiting for the broker. */
  @Override
  public void close() {
    publisher.close();
  }
}
