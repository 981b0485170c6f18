package io.angarium.spring.rabbit;

import io.angarium.ConfigFaults;
import io.angarium.ConfigurationException;
import io.angarium.TimeSource;
import io.angarium.internal.DurationText;
import io.angarium.rabbitmq.topology.RabbitRedelivery;
import io.angarium.rabbitmq.topology.RabbitTopology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.AmqpException;
import org.springframework.amqp.AmqpRejectAndDontRequeueException;
import org.springframework.amqp.ImmediateRequeueAmqpException;
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
 * listener's thread before the first pause. Without retries nobody calls it, and the start fails.
 *
 * <p>It is called for all listeners. What fails on a queue without a topology stays there: it is
 * given back after a pause of a second, so that it is not lost where the queue has no dead-letter
 * exchange. {@link #rejecting} names the queues that have one.
 *
 * <p>Copies are sent on a thread of its own: in an alarm the broker reads nothing, and to open a
 * channel or to write could take minutes. The thread ends when there is nothing to do, or with
 * {@link #close}, which Spring calls for a bean.
 */
public final class RedeliveringRecoverer implements MessageRecoverer, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RedeliveringRecoverer.class);
  private static final Duration GIVE_BACK_AFTER = Duration.ofSeconds(1);
  private static final Duration CONFIRM_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration WAIT_MIN = Duration.ofMillis(100);
  private static final Duration WAIT_MAX = Duration.ofMinutes(10);
  private static final Duration IDLE_MAX = Duration.ofSeconds(30);

  private final Map<String, RabbitTopology> topologies = new HashMap<>();
  private final Set<String> rejecting;
  private final Set<String> unknown = ConcurrentHashMap.newKeySet();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final ConnectionFactory connections;
  private final RabbitTemplate template;
  private final Duration wait;
  private final ThreadPoolExecutor sender;

  private RedeliveringRecoverer(
      ConnectionFactory connections,
      Iterable<RabbitTopology> topologies,
      Set<String> rejecting,
      Duration wait) {
    this.connections = connections;
    this.rejecting = rejecting;
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
   * @param topologies the topologies of the queues that listeners are on; a message that fails on
   *     another queue is given back after a second, unless {@link #rejecting} names the queue
   * @throws ConfigurationException if the connections do not confirm, or do not return what has no
   *     queue
   */
  public static RedeliveringRecoverer of(
      ConnectionFactory connections, RabbitTopology... topologies) {
    return of(connections, CONFIRM_TIMEOUT, topologies);
  }

  /**
   * Creates it with another wait for confirms than ten seconds; does not connect.
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
    return new RedeliveringRecoverer(connections, List.of(topologies), Set.of(), wait);
  }

  /**
   * A copy that also rejects what fails on these queues and does not requeue it, as Spring Boot
   * does by itself. Only for queues with a dead-letter exchange: the broker drops what others
   * reject.
   *
   * @throws IllegalArgumentException if a queue has a topology, by which failed messages move on
   */
  public RedeliveringRecoverer rejecting(String... queues) {
    Set<String> all = new HashSet<>(rejecting);
    for (String queue : queues) {
      if (topologies.containsKey(queue)) {
        throw new IllegalArgumentException(
            "rejecting: queue " + queue + " has a RabbitTopology (expected: queues without one)");
      }
      all.add(queue);
    }
    return new RedeliveringRecoverer(connections, topologies.values(), all, wait);
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
      throw withoutTopology(queue, cause);
    }
    Map<String, Object> headers = message.getMessageProperties().getHeaders();
    RabbitRedelivery.Target target = RabbitRedelivery.target(topology, headers);
    Throwable reason = reason(cause);
    publish(target.queue(), copy(message, target.retries(), reason));
    RabbitRedelivery.report(
        topology, target, message.getMessageProperties().getMessageId(), reason);
  }

  private AmqpException withoutTopology(String queue, Throwable cause) {
    if (rejecting.contains(queue)) {
      return new AmqpRejectAndDontRequeueException("Failed on queue " + queue, cause);
    }
    if (unknown.add(queue)) {
      LOG.warn(
          "Queue {} has no RabbitTopology: messages that fail on it are given back after {} and"
              + " come again until they succeed. Give RedeliveringRecoverer a topology of it, or"
              + " name it with rejecting(…) if it has a dead-letter exchange",
          queue,
          DurationText.of(GIVE_BACK_AFTER),
          reason(cause));
    }
    pause();
    return new ImmediateRequeueAmqpException("Given back to queue " + queue, cause);
  }

  /** Ends with {@link #close}, or with an interrupt; the delivery is given back then, too. */
  private void pause() {
    try {
      if (closed.await(GIVE_BACK_AFTER.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.debug("Given back at once, as the application stops");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns what the listener threw; the wrapper says no more than that it threw. */
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
    closed.countDown();
    sender.shutdownNow();
  }
}
