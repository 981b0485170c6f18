package io.angarium.rocketmq;

import io.angarium.ConfigurationException;
import io.angarium.Destination;
import io.angarium.Message;
import io.angarium.TimeSource;
import io.angarium.intake.StoredMessage;
import io.angarium.rocketmq.RocketCaller.Call;
import io.angarium.transport.CallerView;
import io.angarium.transport.KeyOrder;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Failed;
import io.angarium.transport.SendResult.Refused;
import io.angarium.transport.SendResult.Unavailable;
import io.angarium.transport.Transport;
import io.angarium.transport.internal.ResultReceiver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendCallback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends to Apache RocketMQ in requests of many messages, one at a time for each queue, many
 * messages of a key under way at once and yet in order. Messages look as {@link RocketWireFormat}
 * says; destinations are {@code rocketmq:topic} or {@code rocketmq:topic:tag}.
 *
 * <p>{@link #send} never waits for a broker. Stored: Acknowledged. Refused by the broker, or for a
 * topic that does not exist for some time: Refused. A broker that is busy, away, or cannot write to
 * its disk or its replicas in time: Unavailable. Any other error of the broker: Failed.
 *
 * <p>A broker that has messages, perhaps, but does not say that they are safe, gets one at a time
 * of a topic, with growing pauses: each is one more copy there.
 *
 * <p>Order holds as long as nobody changes the queues of the topic. A queue that the name servers
 * no longer know is missed for two minutes, unless set otherwise, before its messages go to others.
 * Thread-safe.
 */
public final class RocketTransport implements Transport {
  private static final Logger LOG = LoggerFactory.getLogger(RocketTransport.class);
  private static final Duration RESULT_MARGIN = Duration.ofMillis(500);
  private static final Duration BLOCKING_MAX = Duration.ofMillis(200);
  private static final Duration CLOSE_MAX = Duration.ofSeconds(2);
  private static final Duration FLUSH_POLL = Duration.ofMillis(1);

  private final RocketConfig config;
  private final TimeSource time = TimeSource.SYSTEM;
  private final RocketDiagnosis diagnosis;
  private final DefaultMQProducer producer;
  private final Queues queues;
  private final TopicUpkeep upkeep;
  private final Expiry expiry;

  /** Has the client encode requests, which takes as long as all of ours; one waits per queue. */
  private final ThreadPoolExecutor sender;

  private final RocketCaller withoutView = new RocketCaller();
  private final AtomicBoolean closed = new AtomicBoolean();

  private RocketTransport(RocketConfig config) {
    this.config = config;
    this.diagnosis = new RocketDiagnosis(config);
    this.producer = Producers.plain(config);
    this.sender = sender(config);
    this.queues =
        new Queues(config, diagnosis, time, batch -> sender.execute(() -> request(batch)));
    this.upkeep = new TopicUpkeep(config, producer, queues, time);
    this.expiry = new Expiry(config, queues, time);
  }

  /**
   * Creates the transport and starts its threads. Does not wait for the cluster: without one,
   * messages have the result Unavailable.
   *
   * @throws ConfigurationException if the RocketMQ client does not accept the settings, or would
   *     connect without the TLS that is wanted
   */
  public static RocketTransport open(RocketConfig config) {
    RocketTransport transport = new RocketTransport(config);
    try {
      transport.producer.start();
    } catch (MQClientException e) {
      throw new ConfigurationException(List.of("rocketmq: " + e.getMessage()));
    }
    transport.upkeep.start();
    transport.expiry.start();
    LOG.info(
        "RocketMQ transport opened: name servers {}, group {}, {}, acknowledge {}",
        config.nameServers(),
        config.producerGroup(),
        config.tls() ? "with TLS" : "without TLS",
        config.acknowledge());
    return transport;
  }

  @Override
  public String name() {
    return "rocketmq";
  }

  @Override
  public Optional<String> addressFault(String address) {
    return RocketAddress.parse(address) == null
        ? Optional.of(RocketAddress.fault(address))
        : Optional.empty();
  }

  @Override
  public KeyOrder keyOrder() {
    return KeyOrder.PIPELINED;
  }

  @Override
  public Duration resultMax() {
    return config.holdMax().plus(config.sendTimeout()).plus(Expiry.OVERDUE).plus(RESULT_MARGIN);
  }

  @Override
  public Duration blockingMax() {
    return BLOCKING_MAX;
  }

  @Override
  public Transport of(String caller) {
    RocketCaller own = new RocketCaller();
    return new CallerView(this, caller, (messages, results) -> send(own, messages, results));
  }

  @Override
  public void send(List<StoredMessage> messages, BiConsumer<StoredMessage, SendResult> results) {
    send(withoutView, messages, results);
  }

  /** Sends what one caller hands over; failures are remembered for it alone. */
  private void send(
      RocketCaller caller,
      List<StoredMessage> messages,
      BiConsumer<StoredMessage, SendResult> results) {
    Call call = queues.beginCall(caller, messages);
    long now = time.nanoTime();
    List<RocketAttempt> attempts = new ArrayList<>(messages.size());
    Destination destination = null;
    RocketAddress address = null;
    for (StoredMessage message : messages) {
      if (!message.message().destination().equals(destination)) { // mostly that of the one before
        destination = message.message().destination();
        address = RocketAddress.parse(destination.address());
      }
      SendResult impossible = accept(message, address, results, call, now, attempts);
      if (impossible != null) {
        ResultReceiver.give(message, impossible, results);
      }
    }
    if (queues.offer(attempts)) {
      upkeep.hurry();
    }
    expiry.wake();
  }

  /** Adds an attempt; gives the result instead if the message can never be sent. */
  private @Nullable SendResult accept(
      StoredMessage stored,
      @Nullable RocketAddress address,
      BiConsumer<StoredMessage, SendResult> results,
      Call call,
      long now,
      List<RocketAttempt> attempts) {
    Message message = stored.message();
    if (address == null) {
      return new Refused(RocketAddress.fault(message.destination().address()), null);
    }
    SendResult impossible = diagnosis.impossible(message, MessageEncoding.impossiblePart(message));
    if (impossible != null) {
      return impossible;
    }
    String properties = MessageEncoding.properties(stored.id(), message, address);
    int bytes = MessageEncoding.propertiesBytes(properties);
    if (bytes > MessageEncoding.PROPERTIES_BYTES_MAX) {
      return RocketDiagnosis.propertiesTooLarge(bytes);
    }
    attempts.add(new RocketAttempt(stored, address, properties, results, call, now));
    return null;
  }

  /** After the close requests have their results already. */
  private static ThreadPoolExecutor sender(RocketConfig config) {
    return new ThreadPoolExecutor(
        1,
        1,
        0,
        TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(),
        task -> {
          Thread thread = new Thread(task, config.producerGroup() + "-rocketmq-sender");
          thread.setDaemon(true);
          return thread;
        },
        new ThreadPoolExecutor.DiscardPolicy());
  }

  /** Hands a request to the client, whose threads wait for the answer. */
  private void request(QueueLane.Batch batch) {
    if (!queues.isUnderWay(batch)) {
      return; // it waited here for too long
    }
    SendCallback callback =
        new SendCallback() {
          @Override
          public void onSuccess(org.apache.rocketmq.client.producer.SendResult result) {
            queues.stored(batch, result.getSendStatus());
          }

          @Override
          public void onException(Throwable e) {
            queues.failed(batch, e);
          }
        };
    try {
      producer.send(RocketRequestEncoding.request(batch.attempts()), batch.lane().queue, callback);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      queues.failed(batch, e);
    } catch (Exception e) { // of many kinds
      queues.failed(batch, e);
    }
  }

  @Override
  public void flush(Duration timeout) {
    long deadline = time.nanoTime() + timeout.toNanos();
    while (!queues.isIdle()
        && deadline - time.nanoTime() > 0
        && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(this, FLUSH_POLL.toNanos());
    }
  }

  /**
   * Closes connections, at most two seconds; results still missing are given as Failed. To send
   * what is under way call {@link #flush} first. May be called twice.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    queues.close(
        new Failed("the RocketMQ transport was closed; perhaps stored", null),
        new Unavailable("the RocketMQ transport is closed", null));
    sender.shutdownNow();
    upkeep.close();
    expiry.close();
    Thread closer = new Thread(producer::shutdown, config.producerGroup() + "-rocketmq-closer");
    closer.setDaemon(true);
    closer.start();
    try {
      closer.join(CLOSE_MAX.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    LOG.info("RocketMQ transport closed");
  }
}
