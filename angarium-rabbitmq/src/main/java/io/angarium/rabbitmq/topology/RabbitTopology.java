package io.angarium.rabbitmq.topology;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.rabbitmq.client.Channel;
import io.angarium.ConfigFaults;
import io.angarium.rabbitmq.internal.ShortString;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The queues of one consumer: its work queue, a queue for each pause before it tries again, and a
 * dead-letter queue for a person. Immutable.
 *
 * <pre>{@code
 * RabbitTopology topology =
 *     RabbitTopology.of("stock")
 *         .boundTo("orders", ExchangeType.TOPIC, "order.*")
 *         .retryAfter(Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofMinutes(1));
 * topology.declare(channel);
 * }</pre>
 *
 * <p>{@link RabbitRedelivery} sends a failed message to the queue of the next pause. When the pause
 * is over, the broker itself moves the message back. After the last pause the message goes to the
 * dead-letter queue. A message that a consumer rejects without requeueing goes there, too. Quorum
 * queues move messages at least once: a broker that dies on the way loses nothing.
 *
 * <p>Retry queues are named after their pause, so another pause has another queue. The queue of a
 * pause that is no longer wanted stays, and empties itself.
 *
 * @param queue the work queue, 1..200 bytes; others are called {@code queue.retry.10s} and {@code
 *     queue.dead}
 * @param queueType of all of them; default quorum
 * @param bindings where the work queue gets its messages from; may be empty, as the default
 *     exchange always leads to it
 * @param retryPauses growing, each 1 ms..30 days and once only, at most 20; default 1 s, 10 s, 1
 *     min, 10 min. Empty for none: what fails goes to the dead-letter queue at once
 * @param deliveryLimit how often a message of a quorum queue may come back unacknowledged before it
 *     goes to the dead-letter queue, 1..10000; default 20. A message comes back, for example, when
 *     its consumer crashes
 */
public record RabbitTopology(
    String queue,
    QueueType queueType,
    List<Binding> bindings,
    List<Duration> retryPauses,
    int deliveryLimit) {

  /** What a queue is made of. */
  public enum QueueType {
    /** Replicated, on disk; for what must not be lost. */
    QUORUM,
    /** On one node; for brokers before 3.10, or what may be lost with the node. */
    CLASSIC
  }

  /** The kinds of exchange that every RabbitMQ has. */
  public enum ExchangeType {
    /** Routing keys are equal. */
    DIRECT,
    /** Routing keys match a pattern of words, {@code *} and {@code #}. */
    TOPIC,
    /** All messages go everywhere. */
    FANOUT,
    /** By headers. A binding that is made here names none, so that all messages match it. */
    HEADERS;

    /** The name in AMQP. */
    public String amqpName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A way from an exchange to the work queue. Immutable.
   *
   * @param exchange declared as durable; a default exchange needs no binding
   * @param routingKey may be empty
   */
  public record Binding(String exchange, ExchangeType exchangeType, String routingKey) {}

  /**
   * A queue with what it is declared with. Immutable.
   *
   * @param arguments in the broker's words
   */
  public record Queue(String name, Map<String, Object> arguments) {
    /** Copies the arguments. */
    public Queue {
      arguments = Map.copyOf(arguments);
    }
  }

  private static final Duration PAUSE_MAX = Duration.ofDays(30);
  private static final int PAUSES_MAX = 20;
  private static final int NAME_BYTES_MAX = 200;

  /**
   * Checks everything.
   *
   * @throws io.angarium.ConfigurationException listing all faults at once
   */
  public RabbitTopology {
    bindings = List.copyOf(bindings);
    retryPauses = List.copyOf(retryPauses);
    ConfigFaults faults = new ConfigFaults();
    faults
        .require(
            !queue.isBlank() && queue.getBytes(UTF_8).length <= NAME_BYTES_MAX,
            "queue",
            "'" + queue + "'",
            "1.." + NAME_BYTES_MAX + " bytes")
        .require(
            retryPauses.size() <= PAUSES_MAX,
            "retry pauses",
            retryPauses.size(),
            "at most " + PAUSES_MAX)
        .require(
            retryPauses.stream().sorted().toList().equals(retryPauses)
                && new HashSet<>(retryPauses).size() == retryPauses.size(),
            "retry pauses",
            retryPauses,
            "each longer than the one before")
        .range("delivery limit", deliveryLimit, 1, 10_000);
    retryPauses.forEach(
        pause -> faults.range("retry pause", pause, Duration.ofMillis(1), PAUSE_MAX));
    bindings.forEach(binding -> checkBinding(binding, faults));
    faults.throwIfAny();
  }

  private static void checkBinding(Binding binding, ConfigFaults faults) {
    faults.require(
        !binding.exchange().isEmpty()
            && ShortString.fits(binding.exchange())
            && ShortString.fits(binding.routingKey()),
        "binding",
        binding,
        "an exchange and a routing key of at most 255 bytes");
  }

  /**
   * The queues of a consumer, by their default pauses, without bindings.
   *
   * @throws io.angarium.ConfigurationException if the name is blank or too long
   */
  public static RabbitTopology of(String queue) {
    return new RabbitTopology(
        queue,
        QueueType.QUORUM,
        List.of(),
        List.of(
            Duration.ofSeconds(1),
            Duration.ofSeconds(10),
            Duration.ofMinutes(1),
            Duration.ofMinutes(10)),
        20);
  }

  /** A copy with another binding besides those it has. */
  public RabbitTopology boundTo(String exchange, ExchangeType exchangeType, String routingKey) {
    List<Binding> more = new ArrayList<>(bindings);
    more.add(new Binding(exchange, exchangeType, routingKey));
    return new RabbitTopology(queue, queueType, more, retryPauses, deliveryLimit);
  }

  /** A copy with exactly these pauses; none sends what fails to the dead-letter queue at once. */
  public RabbitTopology retryAfter(Duration... pauses) {
    return new RabbitTopology(queue, queueType, bindings, List.of(pauses), deliveryLimit);
  }

  /** A copy with queues of another type. */
  public RabbitTopology queueType(QueueType queueType) {
    return new RabbitTopology(queue, queueType, bindings, retryPauses, deliveryLimit);
  }

  /** A copy with another delivery limit. */
  public RabbitTopology deliveryLimit(int deliveryLimit) {
    return new RabbitTopology(queue, queueType, bindings, retryPauses, deliveryLimit);
  }

  /** The work queue. What is rejected without requeueing, or too often, moves to the dead ones. */
  public Queue workQueue() {
    Map<String, Object> arguments = movingTo(deadQueue().name());
    if (queueType == QueueType.QUORUM) {
      arguments.put("x-delivery-limit", deliveryLimit);
    }
    return new Queue(queue, arguments);
  }

  /** One for each pause, in their order; nobody consumes them. */
  public List<Queue> retryQueues() {
    return retryPauses.stream().map(this::retryQueue).toList();
  }

  private Queue retryQueue(Duration pause) {
    Map<String, Object> arguments = movingTo(queue);
    arguments.put("x-message-ttl", pause.toMillis());
    return new Queue(queue + ".retry." + text(pause), arguments);
  }

  /** The one for messages that a person must look at. */
  public Queue deadQueue() {
    return new Queue(queue + ".dead", typed());
  }

  private Map<String, Object> typed() {
    Map<String, Object> arguments = new LinkedHashMap<>();
    arguments.put("x-queue-type", queueType.name().toLowerCase(Locale.ROOT));
    return arguments;
  }

  private Map<String, Object> movingTo(String other) {
    Map<String, Object> arguments = typed();
    arguments.put("x-dead-letter-exchange", "");
    arguments.put("x-dead-letter-routing-key", other);
    if (queueType == QueueType.QUORUM) {
      arguments.put("x-dead-letter-strategy", "at-least-once");
      arguments.put("x-overflow", "reject-publish"); // at-least-once demands it
    }
    return arguments;
  }

  private static String text(Duration pause) {
    return pause.toMillis() % 1_000 == 0 ? pause.toSeconds() + "s" : pause.toMillis() + "ms";
  }

  /** All queues. */
  public List<Queue> queues() {
    List<Queue> queues = new ArrayList<>(List.of(deadQueue(), workQueue()));
    queues.addAll(retryQueues());
    return queues;
  }

  /**
   * Declares exchanges, queues and bindings, all durable; what is there already, and the same, is
   * left alone. Blocks for one answer of the broker each.
   *
   * @throws IOException if the connection is lost, or something is there already with other
   *     arguments; the broker then closes the channel
   */
  public void declare(Channel channel) throws IOException {
    for (Queue each : queues()) {
      channel.queueDeclare(each.name(), true, false, false, each.arguments());
    }
    for (Binding binding : bindings) {
      channel.exchangeDeclare(binding.exchange(), binding.exchangeType().amqpName(), true);
      channel.queueBind(queue, binding.exchange(), binding.routingKey());
    }
  }
}
