package io.angarium.spring.rabbit;

import io.angarium.ConfigFaults;
import io.angarium.ConfigurationException;
import io.angarium.DurationText;
import io.angarium.TimeSource;
import io.angarium.rabbitmq.RabbitRedelivery;
import io.angarium.rabbitmq.RabbitTopology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.springframework.amqp.AmqpException;
import org.springframework.amqp.AmqpRejectAndDontRequeueException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.connection.CorrelationData;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.retry.MessageRecoverer;
import org.springframework.amqp.rabbit.support.ListenerExecutionFailedException;

/**
 * Does for a {@code @RabbitListener} what {@link RabbitRedelivery} does for a consumer of the plain
 * client: what the listener could not process goes to the retry queue of its next pause, or to the
 * dead-letter queue after the last. The container acknowledges the delivery once the broker has
 * confirmed the copy; without a confirm it gives the delivery back to its queue. Thread-safe.
 *
 * <p>A bean of it is used by Spring Boot with
 *
 * <pre>{@code
 * spring.rabbitmq.publisher-confirm-type=correlated
 * spring.rabbitmq.publisher-returns=true
 * spring.rabbitmq.listener.simple.retry.enabled=true
 * spring.rabbitmq.listener.simple.retry.max-attempts=1
 * }</pre>
 *
 * <p>In Spring Boot 4 the last line is {@code max-retries=0}. More attempts are made in the
 * listener's thread before the first pause.
 *
 * <p>Copies are sent on a thread of its own: in an alarm the broker reads nothing, and to open a
 * channel or to write could take minutes. The thread ends when there is nothing to do, or with
 * {@link #close}, which Spring calls for a bean.
 */
public final class RedeliveringRecoverer implements MessageRecoverer, AutoCloseable {
  private static final Duration CONFIRM_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration WAIT_MIN = Duration.ofMillis(100);
  private static final Duration WAIT_MAX = Duration.ofMinutes(10);
  private static final Duration IDLE_MAX = Duration.ofSeconds(30);

  private final Map<String, RabbitTopology> topologies = new HashMap<>();
  private final RabbitTemplate template;
  private final Duration wait;
  private final ThreadPoolExecutor sender;

  private RedeliveringRecoverer(
      ConnectionFactory connections, List<RabbitTopology> topologies, Duration wait) {
    this.wait = wait;
    this.sender =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_MAX.toSeconds(),
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(), // as many as there are who wait
            work -> {
              Thread created = new Thread(work, "angarium-redelivery");
              created.setDaemon(true);
              return created;
            });
    sender.allowCoreThreadTimeOut(true);
    topologies.forEach(topology -> this.topologies.put(topology.queue(), topology));
    this.template = new RabbitTemplate(connections);
    template.setMandatory(true);
    template.setUsePublisherConnection(true); // the consumers' may be blocked
  }

  /**
   * Creates it; does not connect.
   *
   * @param topologies those of the queues that listeners are on; what comes from another queue is
   *     rejected without requeueing, as Spring Boot does by itself
   * @throws ConfigurationException if the connections do not confirm, or do not return what has no
   *     queue
   */
  public static RedeliveringRecoverer of(
      ConnectionFactory connections, RabbitTopology... topologies) {
    return of(connections, CONFIRM_TIMEOUT, topologies);
  }

  /**
   * As the other one, with a wait other than ten seconds.
   *
   * @param wait how long a failed delivery may wait for the confirm of its copy, 100 ms..10 min
   * @throws ConfigurationException also if {@code wait} is out of range
   */
  public static RedeliveringRecoverer of(
      ConnectionFactory connections, Duration wait, RabbitTopology... topologies) {
    new ConfigFaults().range("redelivery.wait", wait, WAIT_MIN, WAIT_MAX).throwIfAny();
    List<String> faults = new ArrayList<>();
    if (!connections.isPublisherConfirms()) {
      faults.add("spring.rabbitmq.publisher-confirm-type: (expected: correlated)");
    }
    if (!connections.isPublisherReturns()) {
      faults.add("spring.rabbitmq.publisher-returns: (expected: true)");
    }
    if (!faults.isEmpty()) {
      throw new ConfigurationException(faults);
    }
    return new RedeliveringRecoverer(connections, List.of(topologies), wait);
  }

  /**
   * Moves a delivery on. Blocks until the broker has confirmed the copy, at most ten seconds or the
   * wait that this was created with, in an alarm as well.
   *
   * @throws AmqpException if it did not; the container gives the delivery back to its queue
   */
  @Override
  public void recover(Message message, Throwable cause) {
    String queue = message.getMessageProperties().getConsumerQueue();
    RabbitTopology topology = topologies.get(queue);
    if (topology == null) {
      throw new AmqpRejectAndDontRequeueException("No topology for queue " + queue, cause);
    }
    Map<String, Object> headers = message.getMessageProperties().getHeaders();
    RabbitRedelivery.Target target = RabbitRedelivery.target(topology, headers);
    publish(target.queue(), copy(message, target.retries(), reason(cause)));
  }

  /** Of what the listener threw; the wrapper says no more than that it did. */
  private static Throwable reason(Throwable cause) {
    Throwable thrown = cause.getCause();
    return cause instanceof ListenerExecutionFailedException && thrown != null ? thrown : cause;
  }

  private static Message copy(Message message, int retries, Throwable reason) {
    MessageProperties before = message.getMessageProperties();
    return MessageBuilder.fromClonedMessage(message)
        .setDeliveryMode(before.getReceivedDeliveryMode())
        .setExpiration(null) // else a dead letter would end with the patience of its sender
        .removeHeaders() // those that would send the copy elsewhere, too
        .copyHeaders(RabbitRedelivery.headers(before.getHeaders(), retries, reason))
        .build();
  }

  private void publish(String queue, Message copy) {
    CorrelationData confirm = new CorrelationData();
    FutureTask<Boolean> sent =
        new FutureTask<>(
            () -> {
              template.send("", queue, copy, confirm);
              return true;
            });
    long deadline = TimeSource.SYSTEM.nanoTime() + wait.toNanos();
    try {
      sender.execute(sent);
      await(sent, deadline);
      if (!await(confirm.getFuture(), deadline).isAck()) {
        throw new AmqpException("not confirmed by " + queue + "; given back");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AmqpException("interrupted while waiting for a confirm of " + queue, e);
    } catch (RejectedExecutionException | ExecutionException | TimeoutException e) {
      throw new AmqpException(
          "no confirm by " + queue + " within " + DurationText.of(wait) + "; given back", e);
    } finally {
      sent.cancel(false); // one that has not begun is not sent any more
      sender.remove(sent);
    }
    if (confirm.getReturned() != null) {
      throw new AmqpException("there is no queue " + queue + "; declare the topology; given back");
    }
  }

  private static <T> T await(Future<T> future, long deadlineNanos)
      throws InterruptedException, ExecutionException, TimeoutException {
    return future.get(
        Math.max(0, deadlineNanos - TimeSource.SYSTEM.nanoTime()), TimeUnit.NANOSECONDS);
  }

  /** Sends nothing any more. Does not wait for the broker. May be called twice. */
  @Override
  public void close() {
    sender.shutdownNow();
  }
}
