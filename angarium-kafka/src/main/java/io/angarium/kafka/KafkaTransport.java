package io.angarium.kafka;

import io.angarium.ConfigurationException;
import io.angarium.TimeSource;
import io.angarium.intake.StoredMessage;
import io.angarium.internal.DurationText;
import io.angarium.transport.CallerView;
import io.angarium.transport.KeyOrder;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Failed;
import io.angarium.transport.SendResult.Refused;
import io.angarium.transport.SendResult.Unavailable;
import io.angarium.transport.Transport;
import io.angarium.transport.internal.DeferredResults;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends to Apache Kafka: idempotent, acknowledged by all in-sync replicas, many messages of a key
 * under way at once and yet in order. Records look as {@link KafkaWireFormat} says.
 *
 * <p>{@link #send} never waits for a broker. Messages for a topic that is not known yet are held
 * back, apart from those for other topics. When a message can be neither stored nor refused, all
 * messages under way get a result before any later one is sent; that is what keeps the order of a
 * key, and why an outage may cause repeats.
 *
 * <p>Order holds as long as nobody changes the number of partitions of the topic. Thread-safe.
 */
public final class KafkaTransport implements Transport {
  /** How late a result of the Kafka client may be before we step in. */
  static final Duration OVERDUE = Duration.ofMillis(500);

  private static final Logger LOG = LoggerFactory.getLogger(KafkaTransport.class);
  private static final Duration RESULT_MARGIN = OVERDUE.multipliedBy(3);
  private static final Duration BLOCKING_MAX = Duration.ofMillis(200);
  private static final Duration CLOSE_MAX = Duration.ofSeconds(2);
  private static final int TROUBLED_BATCH_BYTES = 4_096;
  private static final Duration FLUSH_POLL = Duration.ofMillis(1);

  /** So many in one call are a backlog: fuller batches are worth a wait. */
  private static final int MANY = 200;

  /** Creates producers. */
  interface Producers {
    Producer<byte[], byte[]> create(KafkaConfig config, String clientId);

    /** False if another producer would find no broker; may block for some 100 ms. */
    default boolean isWorthwhile() {
      return true;
    }
  }

  private final KafkaConfig config;
  private final TimeSource time;
  private final Producers producers;
  private final ReentrantLock lock = new ReentrantLock();
  private final KeyGuard guard = new KeyGuard();
  private final TopicLimits limits;
  private final TransportUpkeep upkeep;
  private final ProducerLine steady;
  private final ProducerLine troubled;
  private final Topics topics;
  private long handedOver;
  private boolean closed;

  private KafkaTransport(KafkaConfig config, TimeSource time, Producers producers) {
    this.config = config;
    this.time = time;
    this.producers = producers;
    KafkaDiagnosis diagnosis = new KafkaDiagnosis(config);
    this.limits = new TopicLimits(config, diagnosis, time);
    this.upkeep = new TransportUpkeep(config.clientId() + "-upkeep", this::upkeep);
    ProducerLine.Surroundings around =
        new ProducerLine.Surroundings(
            diagnosis,
            guard,
            limits,
            config.deliveryTimeout(),
            config.holdMax(),
            time,
            upkeep::hurry);
    this.steady = lane(config, config.clientId(), false, producers, around);
    // Clients before 4 try a batch over a topic's limit again and again unless it is small.
    KafkaConfig small = config.batchBytes(Math.min(config.batchBytes(), TROUBLED_BATCH_BYTES));
    this.troubled = lane(small, config.clientId() + "-troubled", true, producers, around);
    this.topics = new Topics(steady, troubled, diagnosis, config);
  }

  private static ProducerLine lane(
      KafkaConfig config,
      String clientId,
      boolean forTroubled,
      Producers producers,
      ProducerLine.Surroundings around) {
    long now = around.time().nanoTime();
    return new ProducerLine(
        clientId, forTroubled, () -> producers.create(config, clientId), around, now);
  }

  /**
   * Creates the transport and starts its threads. Does not wait for a broker: without one, messages
   * have the result Unavailable. May block for the name service.
   *
   * @throws ConfigurationException if the Kafka client does not accept the settings
   */
  public static KafkaTransport open(KafkaConfig config) {
    return open(
        config,
        TimeSource.SYSTEM,
        new Producers() {
          private final Knock knock = new Knock(config.bootstrapServers());

          @Override
          public Producer<byte[], byte[]> create(KafkaConfig settings, String clientId) {
            return new KafkaProducer<>(
                ProducerSettings.producer(settings, clientId),
                new ByteArraySerializer(),
                new ByteArraySerializer());
          }

          @Override
          public boolean isWorthwhile() {
            return knock.isOpened();
          }
        });
  }

  static KafkaTransport open(KafkaConfig config, TimeSource time, Producers producers) {
    KafkaTransport transport = new KafkaTransport(config, time, producers);
    transport.start();
    return transport;
  }

  private void start() {
    try {
      steady.started(steady.create(), time.nanoTime());
    } catch (KafkaException e) {
      if (BootstrapServers.anyResolves(config.bootstrapServers())) {
        limits.close();
        Throwable cause = e.getCause() == null ? e : e.getCause();
        throw new ConfigurationException(List.of("kafka: " + cause.getMessage()));
      }
      steady.notStarted(e, time.nanoTime());
    }
    upkeep.start();
    LOG.info(
        "Kafka transport opened: brokers {}, client {}, linger {}, delivery timeout {},"
            + " compression {}, further properties {}",
        config.bootstrapServers(),
        config.clientId(),
        DurationText.of(config.linger()),
        DurationText.of(config.deliveryTimeout()),
        config.compression(),
        config.properties().keySet());
  }

  @Override
  public String name() {
    return "kafka";
  }

  @Override
  public Optional<String> addressFault(String address) {
    return KafkaTopic.isLegal(address)
        ? Optional.empty()
        : Optional.of(KafkaTopic.invalid(address));
  }

  @Override
  public KeyOrder keyOrder() {
    return KeyOrder.PIPELINED;
  }

  @Override
  public Duration resultMax() {
    return config.holdMax().plus(config.deliveryTimeout()).plus(RESULT_MARGIN);
  }

  @Override
  public Duration blockingMax() {
    return BLOCKING_MAX;
  }

  @Override
  public Transport of(String caller) {
    Object identity = new Object();
    return new CallerView(this, caller, (messages, results) -> send(identity, messages, results));
  }

  @Override
  public void send(List<StoredMessage> messages, BiConsumer<StoredMessage, SendResult> results) {
    send(this, messages, results);
  }

  /** Sends what one caller hands over; failures are remembered for it alone. */
  private void send(
      Object caller, List<StoredMessage> messages, BiConsumer<StoredMessage, SendResult> results) {
    DeferredResults<KafkaAttempt> outcomes = guard.deferred();
    lock.lock();
    try {
      long now = time.nanoTime();
      for (StoredMessage message : messages) {
        accept(caller, message, results, now, outcomes);
      }
      if (messages.size() < MANY) {
        hurry();
      }
    } finally {
      lock.unlock();
    }
    outcomes.deliver();
    guard.callEnded(caller, messages);
  }

  private void accept(
      Object caller,
      StoredMessage message,
      BiConsumer<StoredMessage, SendResult> results,
      long now,
      DeferredResults<KafkaAttempt> outcomes) {
    String name = message.message().destination().address();
    KafkaTopic topic = topics.of(name);
    KafkaAttempt attempt = new KafkaAttempt(caller, message, results, topic, ++handedOver, now);
    if (closed) {
      outcomes.add(attempt, new Unavailable("the Kafka transport is closed", null));
    } else if (!topic.isLegal) {
      outcomes.add(attempt, new Refused(KafkaTopic.invalid(name), null));
    } else if (guard.blocks(caller, message)) {
      String reason = "an earlier message of its key has just failed";
      outcomes.add(attempt, new Unavailable(reason, null));
    } else if (!topics.offer(attempt, now, outcomes)) {
      upkeep.hurry();
    }
  }

  /** Few messages wait for no others, unless that is wanted. */
  private void hurry() {
    if (config.linger().isZero()) {
      steady.hurry();
      troubled.hurry();
    }
  }

  // ---- upkeep, on a thread of its own

  /** Does what does not belong on the caller's thread; true if it should be called again soon. */
  private boolean upkeep() {
    DeferredResults<KafkaAttempt> outcomes = guard.deferred();
    boolean soon;
    lock.lock();
    try {
      long now = time.nanoTime();
      for (ProducerLine lane : lanes()) {
        lane.watch(now, outcomes);
        topics.renew(lane, now, outcomes);
      }
      if (topics.isHolding()) {
        topics.offerHeld(now, outcomes);
        hurry();
      }
      soon = topics.isHolding() || steady.isEnding() || troubled.isEnding();
    } finally {
      lock.unlock();
      outcomes.deliver(); // whatever happened: they are decided
    }
    lanes().forEach(this::startIfNeeded);
    return soon;
  }

  private List<ProducerLine> lanes() {
    return List.of(steady, troubled);
  }

  private void startIfNeeded(ProducerLine lane) {
    boolean anyway;
    lock.lock();
    try {
      if (closed || !topics.wantsProducer(lane) || !lane.needsProducer(time.nanoTime())) {
        return;
      }
      anyway = lane.startsAnyway();
    } finally {
      lock.unlock();
    }
    if (anyway || producers.isWorthwhile()) {
      start(lane);
    } else {
      lock.lock();
      try {
        lane.startLater(time.nanoTime());
      } finally {
        lock.unlock();
      }
    }
  }

  private void start(ProducerLine lane) {
    Producer<byte[], byte[]> producer;
    try {
      producer = lane.create();
    } catch (KafkaException e) {
      lock.lock();
      try {
        lane.notStarted(e, time.nanoTime());
      } finally {
        lock.unlock();
      }
      return;
    }
    boolean tooLate;
    lock.lock();
    try {
      tooLate = closed;
      if (!closed) {
        lane.started(producer, time.nanoTime());
      }
    } finally {
      lock.unlock();
    }
    if (tooLate) {
      producer.close(Duration.ZERO);
    }
  }

  // ---- end

  @Override
  public void flush(Duration timeout) {
    long deadline = time.nanoTime() + timeout.toNanos();
    while (!isIdle() && deadline - time.nanoTime() > 0 && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(this, FLUSH_POLL.toNanos());
    }
  }

  private boolean isIdle() {
    lock.lock();
    try {
      return !topics.isHolding() && steady.isIdle() && troubled.isIdle();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Closes connections, at most two seconds; results still missing are given as Failed. To send
   * what is under way call {@link #flush} first. May be called twice.
   */
  @Override
  public void close() {
    List<Generation> open = new ArrayList<>();
    DeferredResults<KafkaAttempt> outcomes = guard.deferred();
    Failed result = new Failed("the Kafka transport was closed; perhaps stored", null);
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      for (ProducerLine lane : lanes()) {
        Generation generation = lane.remove();
        if (generation != null) {
          open.add(generation);
        }
      }
      topics.giveUpAll(result, outcomes);
    } finally {
      lock.unlock();
    }
    upkeep.close();
    limits.close();
    outcomes.deliver();
    close(open, result);
    LOG.info("Kafka transport closed");
  }

  private void close(List<Generation> open, Failed result) {
    List<Thread> closers = new ArrayList<>();
    for (Generation generation : open) {
      Thread closer = new Thread(() -> generation.close(), config.clientId() + "-closer");
      closer.setDaemon(true);
      closer.start();
      closers.add(closer);
    }
    long deadline = time.nanoTime() + CLOSE_MAX.toNanos();
    for (Thread closer : closers) {
      join(closer, deadline);
    }
    DeferredResults<KafkaAttempt> outcomes = guard.deferred();
    open.forEach(generation -> generation.decideAll(result, outcomes));
    outcomes.deliver();
  }

  private void join(Thread closer, long deadline) {
    try {
      Duration left = Duration.ofNanos(Math.max(1, deadline - time.nanoTime()));
      closer.join(Math.max(1, left.toMillis()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
